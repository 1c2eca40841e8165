#include "pratique/notes/format/note_input.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/notes/format/foreign_notes.h"

namespace pratique::notes {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestFile = std::uintmax_t{64} << 20U;
constexpr std::uint64_t kRowsAtOnce = 10'000;

enum class NoteForm { lines, table, text, cda, fhir, fhir_lines };

std::string beginning_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes(4096, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

NoteForm form_of(const std::string& path, const NoteInput& input) {
  const std::string ending = lower(fs::path(path).extension().string());
  if (ending == ".csv" || ending == ".tsv" || ending == ".parquet" || !input.text_column.empty())
    return NoteForm::table;
  if (ending == ".txt") return NoteForm::text;
  if (ending == ".xml" || ending == ".cda") return NoteForm::cda;
  const bool standard_input = path == "-";
  const std::string beginning = standard_input ? std::string() : beginning_of(path);
  const auto first = beginning.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string::npos && beginning[first] == '<') return NoteForm::cda;
  const auto line_end = beginning.find('\n', first == std::string::npos ? 0 : first);
  const bool resource = beginning.substr(0, line_end).find("\"resourceType\"") != std::string::npos;
  if (ending == ".json" && beginning.find("\"resourceType\"") != std::string::npos)
    return resource && line_end != std::string::npos &&
                   beginning.find_first_not_of(" \t\r\n", line_end) != std::string::npos
               ? NoteForm::fhir_lines
               : NoteForm::fhir;
  return resource ? NoteForm::fhir_lines : NoteForm::lines;
}

class NoteSpool {
 public:
  explicit NoteSpool(OpenedNotes& opened)
      : opened_(opened), out_(opened.lines, std::ios::binary | std::ios::trunc) {}

  // The number is of the file, row or line that the note is from.
  void add(const Note& note, std::uint64_t number) {
    const CodePoints places(note.text);
    Json line = {{"id", note.id}, {"text", note.text}};
    if (!note.patient.empty()) line["patient"] = note.patient;
    if (!note.spans.empty()) {
      Json spans = Json::array();
      for (const Span& span : note.spans) {
        spans.push_back({{"start", places.code_point_of(span.start)},
                         {"end", places.code_point_of(span.end)},
                         {"type", span.type}});
      }
      line["spans"] = std::move(spans);
    }
    (void)number;
    out_ << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
  }
  void reject(std::uint64_t number, const std::string& why) {
    opened_.rejected.push_back({number, why});
  }
  void repair(std::uint64_t number, const std::string& how) {
    if (!how.empty()) opened_.repaired.push_back({number, how});
  }
  void finish() {
    if (!out_.flush()) {
      throw Error::machine("a file in the temporary folder cannot be written")
          .hint("Is the disk full? TMPDIR names another.");
    }
  }

 private:
  OpenedNotes& opened_;
  std::ofstream out_;
};

// The column that was named, or the first that is called like one of these; none: `required`
// decides.
std::string column_called(const Source& source, const std::string& given,
                          std::initializer_list<std::string_view> names, bool required,
                          const char* option) {
  if (!given.empty()) return source.columns[column_index(source.columns, given, source.name)];
  for (const auto name : names) {
    for (const auto& column : source.columns) {
      if (lower(column) == name) return column;
    }
  }
  if (!required) return {};
  throw Error::input("no column is called like what is needed")
      .at(source.name)
      .hint(std::string("Name it with ") + option + ".");
}

void spool_table(const Source& source, const NoteInput& input, const Run& run, NoteSpool& spool) {
  const std::string id = column_called(source, input.id_column,
                                       {"id", "note_id", "noteid", "row_id"}, true, "--id-column");
  const std::string text = column_called(
      source, input.text_column, {"text", "note_text", "note", "body", "content", "full_text"},
      true, "--text-column");
  const std::string patient =
      column_called(source, input.patient_column,
                    {"patient", "patient_id", "person_id", "person", "subject_id"}, false, "");
  for (std::uint64_t offset = 0;; offset += kRowsAtOnce) {
    const Table page = run.engine.page(source, offset, kRowsAtOnce, run.progress);
    const Column& ids = page.column(id);
    const Column& texts = page.column(text);
    for (std::size_t row = 0; row < page.rows(); ++row) {
      const std::uint64_t number = offset + row + 1;
      Note note{.id = std::string(ids.text(row)), .text = {}};
      if (!patient.empty()) note.patient = std::string(page.column(patient).text(row));
      const auto why =
          note.id.empty() ? std::string("no id") : parse_plain_text(texts.text(row), note);
      if (why.empty()) {
        spool.add(note, number);
      } else {
        spool.reject(number, why);
      }
    }
    if (page.rows() < kRowsAtOnce) return;
  }
}

// One file of texts, CDA or FHIR.
void spool_file(const std::string& path, NoteForm form, const std::string& id,
                const std::string& patient, std::uint64_t number, NoteSpool& spool) {
  std::error_code failed;
  if (path != "-" && fs::file_size(path, failed) > kLargestFile)
    return spool.reject(number, "a file of more than 64 MB");
  std::string bytes;
  try {
    read_in_blocks(path, [&](std::string_view block) { bytes += block; });
  } catch (const Error&) {
    return spool.reject(number, "a file that cannot be read");
  }
  if (form == NoteForm::fhir || form == NoteForm::fhir_lines) {
    std::string_view rest = bytes;
    for (std::uint64_t line = number; !rest.empty(); ++line) {
      const auto end =
          form == NoteForm::fhir ? rest.size() : std::min(rest.find('\n'), rest.size());
      const auto part = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (part.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      std::vector<Note> notes;
      if (const auto why = parse_fhir(part, notes); !why.empty()) spool.reject(line, why);
      for (Note& note : notes) {
        if (note.id.empty()) note.id = id + "/" + std::to_string(line);
        spool.add(note, line);
      }
    }
    return;
  }
  Note note{.id = {}, .text = {}, .patient = patient};
  std::string repaired;
  auto why =
      form == NoteForm::cda ? parse_cda(bytes, note) : parse_plain_text(bytes, note, &repaired);
  if (note.id.empty()) note.id = id;
  if (why.empty() && form == NoteForm::text) {
    const std::string beside = fs::path(path).replace_extension(".ann").string();
    if (fs::is_regular_file(beside, failed)) {
      std::string annotations;
      read_in_blocks(beside, [&](std::string_view block) { annotations += block; });
      why = parse_brat(annotations, note);
    } else if (note.text.find("</") != std::string::npos) {
      const std::string tagged = note.text;
      why = parse_inline_tags(tagged, note);
    }
  }
  if (why.empty()) {
    spool.repair(number, repaired);
    spool.add(note, number);
  } else {
    spool.reject(number, why);
  }
}

void spool_folder(const std::string& folder, const NoteInput& input, const Run& run,
                  NoteSpool& spool) {
  std::vector<fs::path> files;
  for (auto entry = fs::recursive_directory_iterator(folder); entry != fs::end(entry); ++entry) {
    const std::string name = entry->path().filename().string();
    // What is hidden is no note, and nothing in it: .pratique/private has this program's secrets.
    if (name.starts_with(".")) {
      if (entry->is_directory()) entry.disable_recursion_pending();
      continue;
    }
    const std::string ending = lower(entry->path().extension().string());
    if (entry->is_regular_file() && ending != ".ann" && ending != ".conf" &&
        !name.ends_with(".manifest.json"))
      files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  std::uint64_t number = 0;
  for (const auto& file : files) {
    ++number;
    run.progress.check();
    const auto relative = fs::relative(file, folder);
    const std::string id = relative.string();
    // folder/PATIENT/note.txt
    const std::string patient =
        relative.has_parent_path() ? relative.begin()->string() : std::string();
    NoteForm form = form_of(file.string(), input);
    if (form == NoteForm::table) {
      spool.reject(number, "a table among texts");
    } else if (form == NoteForm::lines) {
      const std::string ending = lower(file.extension().string());
      if (ending != ".jsonl" && ending != ".ndjson") {
        spool_file(file.string(), NoteForm::text, id, patient, number, spool);
        continue;
      }
      read_note_lines(
          file.string(), true,
          [&](NoteFile&& some) {
            for (const Note& note : some.notes) spool.add(note, number);
            for (const auto& bad : some.rejected) spool.reject(bad.line, bad.why);
          },
          run.progress);
    } else {
      spool_file(file.string(), form, id, patient, number, spool);
    }
  }
}

}  // namespace

OpenedNotes open_notes(const NoteInput& input, const Run& run) {
  OpenedNotes opened;
  std::error_code failed;
  const bool folder = fs::is_directory(input.path, failed);
  const NoteForm form = folder ? NoteForm::text : form_of(input.path, input);
  if (!folder && form == NoteForm::lines) {
    opened.source = run.engine.open_sets(input.path, run.progress);
    opened.lines = opened.source.files.front();
    return opened;
  }
  opened.spool = std::make_shared<PrivateFolder>();
  opened.lines = opened.spool->path() + "/notes.jsonl";
  NoteSpool spool(opened);
  if (folder) {
    spool_folder(input.path, input, run, spool);
    // The folder is recorded by what was read of it.
    opened.source.name = input.path;
    opened.source.format = FileFormat::sets;
    opened.source.files = {opened.lines};
  } else if (form == NoteForm::table) {
    const Source table = run.open(input.path);
    spool_table(table, input, run, spool);
    opened.source = table;
  } else {
    opened.source = run.engine.open_sets(input.path, run.progress);
    spool_file(opened.source.files.front(), form, "1", "", 1, spool);
  }
  spool.finish();
  return opened;
}

}  // namespace pratique::notes
