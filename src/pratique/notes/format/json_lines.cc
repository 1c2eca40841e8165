#include "pratique/notes/format/json_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/data/utf8.h"
#include "pratique/notes/format/foreign_notes.h"

namespace pratique::notes {
namespace {

constexpr std::size_t kLargestNote = std::size_t{64} << 20U;
constexpr std::size_t kLinesAtOnce = 2048;
constexpr std::size_t kBytesAtOnce = std::size_t{16} << 20U;

struct NoteLine {
  std::uint64_t number = 0;
  std::string text;
};

std::string text_of_note(const Json& object, const char* key) {
  if (!object.contains(key)) return {};
  const Json& value = object[key];
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// What tag --as brat and --as inline write: annotations in "ann", or tags in the text.
std::string read_other_marks(const Json& object, bool needs_text, Note& note) {
  if (object.contains("ann") && object["ann"].is_string() && !note.text.empty()) {
    if (auto why = parse_brat(object["ann"].get<std::string>(), note); !why.empty()) return why;
  } else if (note.text.find("</") != std::string::npos) {
    // A text that only looks tagged stays as it is.
    Note tagged{.id = note.id, .text = {}, .patient = note.patient};
    if (parse_inline_tags(note.text, tagged).empty() && !tagged.spans.empty())
      note = std::move(tagged);
  }
  if (!needs_text) {
    const CodePoints places(note.text);
    for (Span& span : note.spans)
      span = {places.code_point_of(span.start), places.code_point_of(span.end), span.type};
  }
  return {};
}

// Empty: the note is as it should be.
std::string read_note_line(const std::string& line, bool needs_text, Note& note) {
  if (line.size() > kLargestNote) return "a note of more than 64 MB";
  if (!is_utf8(line)) return "not UTF-8";
  const Json object = Json::parse(line, nullptr, false);
  if (object.is_discarded()) return "not JSON";
  if (!object.is_object()) return "not an object";
  if (!object.contains("id")) return "no id";
  note.id = text_of_note(object, "id");
  note.patient = text_of_note(object, "patient");
  if (object.contains("text") && object["text"].is_string())
    note.text = object["text"].get<std::string>();
  else if (needs_text)
    return "no text";
  if (!object.contains("spans") || object["spans"].is_null())
    return read_other_marks(object, needs_text, note);
  if (!object["spans"].is_array()) return "spans that are not a list";
  const CodePoints places(note.text);
  for (const Json& entry : object["spans"]) {
    if (!entry.is_object() || !entry.contains("start") || !entry.contains("end") ||
        !entry["start"].is_number_unsigned() || !entry["end"].is_number_unsigned())
      return "a span without start and end";
    Span span{entry["start"].get<std::size_t>(), entry["end"].get<std::size_t>(),
              text_of_note(entry, "type")};
    if (entry.contains("certainty") && entry["certainty"].is_number())
      span.certainty = entry["certainty"].get<double>();
    if (span.start >= span.end) return "a span that ends before it begins";
    if (needs_text) {
      if (span.end > places.count()) return "a span beyond the end of its text";
      span.start = places.byte_of(span.start);
      span.end = places.byte_of(span.end);
    }
    note.spans.push_back(std::move(span));
  }
  return {};
}

bool marks_overlap(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.start < b.start; });
  return std::adjacent_find(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
           return b.start < a.end;
         }) != spans.end();
}

NoteFile read_lines_at_once(const std::vector<NoteLine>& lines, bool needs_text) {
  std::vector<Note> notes(lines.size());
  std::vector<std::string> why(lines.size());
  parallel_blocks(lines.size(), 32, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      why[i] = read_note_line(lines[i].text, needs_text, notes[i]);
  });
  NoteFile file;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (why[i].empty()) {
      if (marks_overlap(notes[i].spans))
        file.repaired.push_back({lines[i].number, "marked spans that overlap, taken together"});
      file.notes.push_back(std::move(notes[i]));
      file.lines.push_back(lines[i].number);
    } else {
      file.rejected.push_back({lines[i].number, why[i]});
    }
  }
  return file;
}

}  // namespace

CodePoints::CodePoints(std::string_view text) {
  begins_.reserve(text.size() + 1);
  for (std::size_t at = 0; at < text.size(); at += first_character(text.substr(at)))
    begins_.push_back(at);
  begins_.push_back(text.size());
}

std::size_t CodePoints::code_point_of(std::size_t byte) const {
  return static_cast<std::size_t>(std::lower_bound(begins_.begin(), begins_.end(), byte) -
                                  begins_.begin());
}

void read_note_lines(const std::string& path, bool needs_text,
                     const std::function<void(NoteFile&&)>& take, Progress& progress) {
  std::vector<NoteLine> lines;
  std::string rest;
  std::size_t bytes = 0;
  std::uint64_t number = 0;
  const auto hand_over = [&] {
    if (!lines.empty()) take(read_lines_at_once(lines, needs_text));
    lines.clear();
    bytes = 0;
  };
  const auto add_line = [&](std::string line) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) return;
    bytes += line.size();
    lines.push_back({number, std::move(line)});
    if (lines.size() >= kLinesAtOnce || bytes >= kBytesAtOnce) hand_over();
  };
  read_in_blocks(
      path,
      [&](std::string_view block) {
        for (auto end = block.find('\n'); end != std::string_view::npos; end = block.find('\n')) {
          rest += block.substr(0, end);
          add_line(std::move(rest));
          rest.clear();
          block.remove_prefix(end + 1);
        }
        // Of a line that is too long no more is kept than it takes to refuse it.
        if (rest.size() <= kLargestNote) rest += block;
      },
      progress);
  if (!rest.empty()) add_line(std::move(rest));
  hand_over();
}

std::string spans_line(const Note& note, const std::vector<Span>& spans) {
  // By hand, since a dense note has a hundred spans; they are in order, so that one walk counts.
  std::string line = "{\"id\":" + Json(note.id).dump() + ",\"spans\":[";
  std::size_t at = 0;
  std::size_t points = 0;
  const auto point_of = [&](std::size_t byte) {
    if (byte < at) at = points = 0;
    for (; at < byte; ++at) points += (static_cast<unsigned char>(note.text[at]) & 0xC0U) != 0x80;
    return points;
  };
  for (const Span& span : spans) {
    if (line.back() != '[') line += ',';
    const std::size_t start = point_of(span.start);
    fmt::format_to(std::back_inserter(line),
                   R"({{"start":{},"end":{},"type":"{}","certainty":{}}})", start,
                   point_of(span.end), span.type, span.certainty);
  }
  return line + "]}\n";
}

Json to_json(const std::vector<RejectedNote>& rejected) {
  Json list = Json::array();
  for (const auto& note : rejected) list.push_back({{"line", note.line}, {"why", note.why}});
  return list;
}

}  // namespace pratique::notes
