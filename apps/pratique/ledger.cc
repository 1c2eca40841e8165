#include "pratique/ledger/ledger.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.h"
#include "nouns.h"
#include "pratique/core/file.h"
#include "pratique/data/settings.h"
#include "pratique/kind/among.h"
#include "pratique/kind/shell_quoted.h"
#include "pratique/ledger/proofs.h"
#include "pratique/release/release_ledger.h"

namespace pratique::app {
namespace {

using ledger::Ledger;
namespace fs = std::filesystem;

struct LedgerOptions {
  std::string path;
  std::string key;
  release::AddRequest add;
  std::vector<std::string> same_columns;
  bool repair = false;
  bool only_try = false;
  bool is_new = false;
  std::uint64_t entry = 0;
  std::string head;
  std::string save_head;
  std::string out;
  std::string since;
  std::optional<std::uint64_t> of;
  std::string proof;

  [[nodiscard]] std::string key_path() const { return key.empty() ? path + ".key" : key; }
};

Json to_json(const std::string& path, const ledger::Fault& fault) {
  return {{"place", fault.line == 0 ? path : fmt::format("{}:{}", path, fault.line)},
          {"what", fault.what},
          {"advice", fault.advice}};
}

// A ledger that is read must be sound up to its end.
Ledger read_sound(const std::string& path) {
  Ledger ledger = Ledger::read(path);
  if (ledger.fault()) {
    throw Error::check("the ledger is not intact: " + ledger.fault()->what)
        .at(ledger.fault()->line == 0 ? path : fmt::format("{}:{}", path, ledger.fault()->line))
        .hint(ledger.fault()->advice);
  }
  return ledger;
}

ledger::Head read_head(const std::string& path) {
  return ledger::head_from_json(read_json_file(path), path);
}

// What is written beside a ledger must not take its place, or that of its key or of a saved head.
void refuse_overwriting(const LedgerOptions& options, const std::string& out) {
  const std::pair<const char*, std::string> kept[] = {{"the ledger", options.path},
                                                      {"the ledger's key", options.key_path()},
                                                      {"the saved head", options.since}};
  for (const auto& [what, path] : kept) {
    if (same_file(out, path))
      throw Error::input(fmt::format("this would overwrite {}", what))
          .at(out)
          .hint("Choose another name with --out.");
  }
}

// The saved head at `path`; none where nothing is.
std::optional<ledger::Head> saved_head_at(const std::string& path) {
  if (path.empty() || !fs::exists(path)) return std::nullopt;
  try {
    return read_head(path);
  } catch (const Error&) {
    throw Error::input("a file with this name exists, and is not a saved head")
        .at(path)
        .hint("Choose another name.");
  }
}

// A saved head is all that can tell of a cut or another history: only one of the same ledger, grown
// since, may take its place.
void save_head(const Ledger& ledger, const std::string& path) {
  if (const auto saved = saved_head_at(path)) {
    if (const auto fault = ledger.check_against(*saved)) {
      throw Error::check(
          "the head saved before is kept, because this ledger has not grown from it: " +
          fault->what)
          .at(path)
          .hint(fault->advice + " To save the head of another ledger, choose another name.");
    }
  }
  write_file_atomically(path, to_text(ledger::to_json(ledger.head())));
}

int init(const LedgerOptions& options, Session& session) {
  const auto head = ledger::LedgerFile::create(options.path, options.key_path());
  session.print(
      {{"ledger", options.path}, {"key", options.key_path()}, {"head", ledger::to_json(head)}});
  return 0;
}

// By the added release alone: who stands alone by what no model holds, or whose secret a class
// shares. Empty where it is not that.
std::string why_refused_alone(const release::SequenceRevealed& revealed, bool tables) {
  const double breach = revealed.breach();
  constexpr double kSteps = 10000;
  const std::string accept =
      fmt::format("--max-breach {:g} accepts it", std::ceil(breach * kSteps) / kSteps);
  if (revealed.singled_out >= breach) {
    const std::string columns =
        revealed.singled_out_by.empty()
            ? std::string("columns that left as they are")
            : fmt::format("{}, left as {}", fmt::join(revealed.singled_out_by, ", "),
                          revealed.singled_out_by.size() == 1 ? "it is" : "they are");
    return fmt::format(
        "{:.3g} % of the released records stand alone by {}: whoever knows these of somebody finds "
        "the record. Release again without such columns (--id), {}; {}",
        100 * revealed.singled_out, columns,
        tables ? "with them as quasi-identifiers (--qi), or with sensitive ones held to a model "
                 "(--l 2)"
               : "or with them as quasi-identifiers (--qi)",
        accept);
  }
  for (const auto& attribute : revealed.attributes) {
    if (!tables || attribute.disclosed_alone < breach) continue;
    return fmt::format(
        "of {:.3g} % of the people the value of {} is certain by this release alone: everybody in "
        "their class shares it. Release again with a model that holds it (--l 2); {}",
        100 * attribute.disclosed_alone, attribute.sensitive, accept);
  }
  return {};
}

std::string why_refused(const release::Preparation& prepared, const std::string& kind) {
  const auto& revealed = prepared.revealed;
  if (auto alone = why_refused_alone(revealed, kind == "tables"); !alone.empty()) return alone;
  std::string why = "this exposes more than --max-breach allows";
  if (revealed.differenced() >= revealed.breach()) {
    const auto people = revealed.differenced_people();
    why = fmt::format(
        "the difference of this release and an earlier one isolates {}: what the counts of their "
        "classes differ by belongs to those who joined, left or changed class, and these are too "
        "few",
        people == 1 ? "1 person" : fmt::format("{} people", people));
  }
  if (kind != "tables" || prepared.earlier_paths.empty()) return why;
  why += "; a version that tells no more than the earlier ones: tables protect --method again";
  for (const auto& path : prepared.earlier_paths)
    why += " --against " + release::shell_quoted(path);
  return why;
}

// THERE=HERE, where both may have = in them: HERE is a column of the release.
std::map<std::string, std::string> same_columns(const std::vector<std::string>& pairs,
                                                const std::vector<std::string>& columns) {
  std::map<std::string, std::string> names;
  for (const auto& pair : pairs) {
    auto at = pair.find('=');
    while (at != std::string::npos && !release::among(columns, pair.substr(at + 1)))
      at = pair.find('=', at + 1);
    if (at == std::string::npos || at == 0) {
      for (auto& plain : column_values({pair}, "--same-column")) names.insert(std::move(plain));
    } else if (!names.emplace(pair.substr(0, at), pair.substr(at + 1)).second) {
      throw Error::input(
          fmt::format("--same-column names the column '{}' twice", pair.substr(0, at)));
    }
  }
  return names;
}

// A ledger that is there no longer than this: for what would be said of its first entry.
class PassingLedger {
 public:
  PassingLedger() {
    std::string made = (fs::temp_directory_path() / "pratique-ledger-XXXXXX").string();
    if (mkdtemp(made.data()) == nullptr)
      throw Error::machine("no folder for a passing ledger could be made").at(made);
    folder_ = made;
    (void)ledger::LedgerFile::create(path(), path() + ".key");
  }
  ~PassingLedger() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  PassingLedger(const PassingLedger&) = delete;
  PassingLedger& operator=(const PassingLedger&) = delete;

  [[nodiscard]] std::string path() const { return (folder_ / "ledger").string(); }

 private:
  fs::path folder_;
};

int add(LedgerOptions& options, Session& session) {
  if (!options.same_columns.empty()) {
    options.add.same_columns =
        same_columns(options.same_columns, session.open(options.add.release).columns);
  }
  std::optional<PassingLedger> passing;
  if (options.is_new) {
    if (fs::exists(options.path)) {
      throw Error::input("this ledger is there already")
          .at(options.path)
          .hint("Leave out --new: the release is tried with what the ledger has.");
    }
    passing.emplace();
    options.path = passing->path();
    options.key.clear();
  }
  ledger::require_ledger(options.path);
  // Loaded first, so that a long attack is not followed by a missing key.
  const auto key = SigningKey::load(options.key_path());
  ledger::LedgerFile file(options.path, options.repair, session.progress);
  release::Preparation prepared;
  Json body;
  try {
    options.add.private_folder = session.private_folder;
    body = release::prepare_entry(session.engine(), file.ledger(), key, options.add, prepared,
                                  session.progress);
  } catch (const release::MissingReleases& missing) {
    session.error_facts = Json{{"missing", missing.entries()}};
    throw;
  } catch (const release::UnclearPeople& unclear) {
    session.error_facts = Json{{"unclear", unclear.entries()}};
    throw;
  }
  std::string why;
  if (prepared.revealed.breach() > options.add.max_breach) {
    why = why_refused(prepared, body.value("kind", ""));
  } else if (!prepared.revealed.complete() && !options.add.allow_unattacked) {
    why =
        "not everything could be attacked, so nobody knows what it reveals; --allow-unattacked "
        "records it anyway";
  }
  const bool refused = !why.empty();
  Json result = Json::object();
  for (const char* said : {"allowed", "rows_are_people", "other_people"}) {
    if (body.contains(said)) result[said] = body[said];
  }
  result.update({{"release", options.add.release},
                 {"earlier", prepared.earlier},
                 {"others", prepared.others},
                 {"sequence", release::to_json(prepared.revealed)},
                 {"breach", prepared.revealed.breach()},
                 {"max_breach", options.add.max_breach},
                 {"added", !refused && !options.only_try}});
  if (options.only_try) result["would_add"] = !refused;
  if (refused) result["why_not"] = why;
  if (prepared.others > 0) {
    result["note"] = fmt::format(
        "{} earlier release{} of other people, as far as the ledger knows, and not attacked "
        "together "
        "with this one",
        prepared.others, prepared.others == 1 ? " is" : "s are");
  }
  if (!prepared.missing.empty()) result["missing"] = prepared.missing;
  if (!refused && !options.only_try) {
    const auto head = file.append("release", body, key);
    result["entry"] = head.size - 1;
    result["head"] = ledger::to_json(head);
  }
  session.print(result);
  return refused ? 1 : 0;
}

int list(const LedgerOptions& options, Session& session) {
  const Ledger ledger = read_sound(options.path);
  Json entries = Json::array();
  for (std::size_t i = 1; i < ledger.entries().size(); ++i) {
    const Json entry = parse_json(ledger.entries()[i], options.path);
    const Json& body = entry["body"];
    Json row = {{"entry", i}, {"time", entry["time"]}, {"kind", body.value("kind", "")}};
    row["rows"] = body.contains("release") ? body["release"].value("rows", Json()) : Json();
    row["k"] = body.value("k", Json());
    row["population"] = body.value("population", "");
    row["other_people"] = body.value("other_people", Json::array());
    row["breach"] = body.contains("sequence") ? body["sequence"].value("breach", Json()) : Json();
    row["k_across"] =
        body.contains("sequence") ? body["sequence"].value("k_across", Json()) : Json();
    // Releases that this one was not attacked together with, those whose files were gone among
    // them.
    const Json sequence = body.value("sequence", Json::object());
    row["not_attacked"] = sequence.value("not_attacked", Json::array()).size() +
                          body.value("missing", Json::array()).size();
    row["sha256"] =
        body.contains("release") ? body["release"].value("sha256", "").substr(0, 16) : "";
    entries.push_back(std::move(row));
  }
  session.print({{"ledger", options.path},
                 {"size", ledger.entries().size()},
                 {"entries", std::move(entries)}});
  return 0;
}

int show(const LedgerOptions& options, Session& session) {
  const Ledger ledger = read_sound(options.path);
  if (options.entry >= ledger.entries().size()) {
    throw Error::input(fmt::format("there is no entry {}", options.entry))
        .at(options.path)
        .hint(fmt::format("Entries are numbered from 0 to {}.", ledger.entries().size() - 1));
  }
  Json result = parse_json(ledger.entries()[options.entry], options.path);
  result["leaf"] = to_hex(ledger.leaves()[options.entry]);
  session.print(result);
  return 0;
}

// Releases that were not attacked together with earlier ones because somebody said whose they are.
Json said_of_other_people(const Ledger& ledger, const std::string& path) {
  Json said = Json::array();
  for (std::size_t i = 1; i < ledger.entries().size(); ++i) {
    const Json body = parse_json(ledger.entries()[i], path).value("body", Json::object());
    if (body.contains("other_people"))
      said.push_back({{"entry", i}, {"other_people_than", body["other_people"]}});
  }
  return said;
}

int verify(const LedgerOptions& options, Session& session) {
  refuse_overwriting(options, options.save_head);
  const Ledger ledger = Ledger::read(options.path);
  Json result = {{"ledger", options.path}, {"size", ledger.entries().size()}};
  std::optional<ledger::Fault> fault = ledger.fault();
  if (!options.head.empty() && (!fault || fault->torn)) {
    // Whether more is gone than a line that a machine failed to write.
    const auto against = ledger.check_against(read_head(options.head));
    if (against) fault = against;
  }
  result["holds"] = !fault.has_value();
  if (fault) {
    result["fault"] = to_json(options.path, *fault);
  } else {
    result["head"] = ledger::to_json(ledger.head());
    if (options.head.empty()) {
      result["note"] =
          "only a saved head can tell whether the end was cut off (--save-head, later --head)";
    }
    if (Json said = said_of_other_people(ledger, options.path); !said.empty())
      result["other_people"] = std::move(said);
    if (!options.save_head.empty()) save_head(ledger, options.save_head);
  }
  session.print(result);
  return fault ? 1 : 0;
}

int export_ledger(const LedgerOptions& options, Session& session) {
  refuse_overwriting(options, options.out);
  const Ledger ledger = read_sound(options.path);
  Json entries = Json::array();
  for (const auto& entry : ledger.entries()) entries.push_back(parse_json(entry, options.path));
  write_file_atomically(options.out, to_text({{"head", ledger::to_json(ledger.head())},
                                              {"entries", std::move(entries)}}));
  session.print({{"out", options.out}, {"entries", ledger.entries().size()}});
  return 0;
}

int prove(const LedgerOptions& options, Session& session) {
  refuse_overwriting(options, options.out);
  const Ledger ledger = read_sound(options.path);
  if (options.of.has_value() == !options.since.empty()) {
    throw Error::input(
        "choose what to prove: --entry N (it is in the ledger) or --since HEAD (nothing before it "
        "was changed)");
  }
  const Json proof = options.of ? ledger::prove_entry(ledger, *options.of)
                                : ledger::prove_growth(ledger, read_head(options.since));
  write_file_atomically(options.out, to_text(proof));
  session.print({{"out", options.out},
                 {"type", proof["type"]},
                 {"size", ledger.entries().size()},
                 {"hashes", proof["path"].size()}});
  return 0;
}

int check(const LedgerOptions& options, Session& session) {
  std::optional<ledger::Head> saved;
  if (!options.head.empty()) saved = read_head(options.head);
  const auto verdict = ledger::check_proof(read_file(options.proof), options.proof, saved);
  Json result = {{"proof", options.proof},
                 {"holds", verdict.holds},
                 {"what", verdict.what},
                 {"against_head", saved.has_value()}};
  if (!saved) {
    result["note"] =
        "only the proof's own arithmetic and signature were checked, not whose ledger it is: "
        "anybody "
        "can make such a proof of a ledger of their own. --head HEAD checks it against a head that "
        "you trust";
  }
  session.print(result);
  return verdict.holds ? 0 : 1;
}

void add_ledger_path(Verb& verb, LedgerOptions& options) {
  verb.file_read("LEDGER", &options.path, "the ledger, a file").require();
}

void add_adding(CommandLine& program, Session& session,
                const std::shared_ptr<LedgerOptions>& options) {
  Verb& verb = program.add(
      "ledger", "add", "Attack a release with all earlier ones of the same people, and record it",
      [options, &session] { return add(*options, session); });
  add_ledger_path(verb, *options);
  auto& wanted = options->add;
  verb.file_read("RELEASE", &wanted.release, "the released file, with its manifest beside it")
      .require();
  verb.key_file("key", &options->key, "the private key").unless_given("LEDGER.key");
  verb.text(
      "population", &wanted.population,
      "a name for the people as a whole; releases with the same name are about the same people");
  verb.whole_number("same-people", &wanted.same_people, 1, kLargestSeed,
                    "an entry of the ledger that is about the same people, where it has no name")
      .separated_by_commas();
  verb.flag("other-people", &wanted.other_people,
            "entries that look like this release are of other people; this is recorded");
  verb.file_read("people", &wanted.people, "the people's quasi-identifiers")
      .unless_given("the release's original, if it is still there");
  verb.folder_read("releases", &wanted.folders, "a folder with earlier releases")
      .unless_given("that of RELEASE");
  session.declare_private_read(verb);
  verb.file_read("known", &wanted.known, "another organisation's public release");
  verb.column_spec("same-column", &options->same_columns,
                   "what some file calls by this name is called SPEC elsewhere");
  verb.share("max-breach", &wanted.max_breach,
             "refuse when more than this share of the people is exposed");
  verb.file_read("report", &wanted.report, "the report of this release, recorded by its hash");
  verb.flag(
      "allow-unattacked", &wanted.allow_unattacked,
      "record it even if some release of the same people could not be attacked together with it");
  verb.flag("try", &options->only_try,
            "only say whether it would be added, and why not; nothing is recorded");
  verb.flag("new", &options->is_new,
            "there is no ledger yet: say whether it would be the first entry of one")
      .only_with("try");
  verb.flag("skip-missing", &wanted.skip_missing,
            "go on without earlier releases whose files are gone; this is recorded");
  verb.flag("repair", &options->repair,
            "repair a last line that the machine failed to finish: remove it, or end it if it is "
            "complete");
}

}  // namespace

void add_ledger(CommandLine& program, Session& session) {
  program.nouns.push_back({"ledger", "A signed record of releases that can only grow"});
  const auto verb = [&](const std::string& name, const std::string& description,
                        int (*run)(const LedgerOptions&, Session&)) {
    auto options = std::make_shared<LedgerOptions>();
    Verb& command = program.add("ledger", name, description,
                                [options, run, &session] { return run(*options, session); });
    command.quick = true;
    return std::pair<Verb*, std::shared_ptr<LedgerOptions>>(&command, options);
  };
  {
    const auto [command, options] = verb("init", "Start a ledger and create its key", init);
    add_ledger_path(*command, *options);
    command->key_file("key", &options->key, "where the private key goes")
        .unless_given("LEDGER.key");
  }
  add_adding(program, session, std::make_shared<LedgerOptions>());
  {
    const auto [command, options] = verb("list", "List the releases in a ledger", list);
    add_ledger_path(*command, *options);
  }
  {
    const auto [command, options] = verb("show", "Show one entry", show);
    add_ledger_path(*command, *options);
    command->whole_number("ENTRY", &options->entry, 0, kLargestSeed, "its number").require();
  }
  {
    const auto [command, options] =
        verb("verify", "Detect any change, reordering, cut or fork", verify);
    add_ledger_path(*command, *options);
    command->file_read("head", &options->head,
                       "a head saved before: the ledger must have grown from it");
    command
        ->file_written("save-head", &options->save_head,
                       "write the head to this file, to keep elsewhere; a head saved there before "
                       "is replaced only if the ledger has grown from it")
        .replaces({""});  // save_head() looks for itself
  }
  {
    const auto [command, options] =
        verb("prove", "Prove that an entry is in the ledger, or that the ledger only grew", prove);
    add_ledger_path(*command, *options);
    command->whole_number("entry", &options->of, 0, kLargestSeed,
                          "prove that this entry is in the ledger");
    command->file_read("since", &options->since,
                       "prove that the ledger has grown from this saved head");
    command->file_written("out", &options->out, "the proof")
        .require()
        .replaces({"\"type\": \"inclusion\"", "\"type\": \"consistency\""});
  }
  {
    const auto [command, options] = verb("check", "Check a proof without the ledger", check);
    command->file_read("PROOF", &options->proof, "a file written by ledger prove").require();
    command->file_read("head", &options->head, "the saved head that the proof must agree with");
  }
  {
    const auto [command, options] =
        verb("export", "Write all entries and the head as one JSON object", export_ledger);
    add_ledger_path(*command, *options);
    command->file_written("out", &options->out, "the file")
        .require()
        .replaces({"{\n  \"head\": {"});
  }
}

}  // namespace pratique::app
