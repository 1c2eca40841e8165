#include "pratique/consortium/flow/disclosed_list.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/consortium/release/kind.h"
#include "pratique/core/clock.h"
#include "pratique/core/csv_field.h"
#include "pratique/core/joint_commit.h"
#include "pratique/core/json.h"
#include "pratique/core/version.h"
#include "pratique/crypto/random.h"
#include "pratique/data/person_spelling.h"
#include "pratique/kind/publish.h"
#include "pratique/manifest/manifest.h"
#include "pratique/manifest/private_manifest.h"
#include "pratique/verify/claims.h"

namespace pratique::consortium::flow {
namespace {

// A list is read in pages, so that not all of it is in memory at once; in few, as an engine keeps
// what it is often asked about.
constexpr std::uint64_t kPages = 3;
constexpr std::uint64_t kFewRows = 100'000;

// What may leave, a line each: in their own order, as that of the site's file may tell something.
std::string list_of(const ElementList& samples, const std::vector<std::uint32_t>& disclosed) {
  struct Line {  // there may be a million
    std::uint64_t begin : 40;
    std::uint64_t size : 24;
  };
  std::string spelled;
  std::vector<Line> lines;
  lines.reserve(disclosed.size());
  for (const auto place : disclosed) {
    const std::string line = samples.spelled(place);
    lines.push_back({.begin = spelled.size(), .size = line.size()});
    spelled += line;
  }
  const auto text = [&](const Line& line) {
    return std::string_view(spelled).substr(line.begin, line.size);
  };
  std::ranges::sort(lines, {}, text);
  std::string list = "element\n";
  for (const Line& line : lines) list += csv_field(text(line)) + "\n";
  return list;
}

Error row_of_nobody(const std::string& list, std::uint64_t row) {
  return Error::input(fmt::format("row {} has no value in column 'element'", row))
      .at(list)
      .hint(
          "Remove the rows that name nobody. Words such as NA, unknown or - say nothing; if one "
          "is a name here, give it another in all lists.");
}

}  // namespace

ReadList read_list(const Run& run, const std::string& path, Reading reading,
                   const CanonicalForm& form) {
  ReadList list;
  list.source = run.open(path);
  list.identity = run.engine.identify(list.source);
  // A blank line is no row where there is no other column to say of whom it is.
  const bool may_be_blank = list.source.columns.size() == 1;
  DistinctElements distinct;
  run.progress.begin("reading " + list.source.name, list.source.expected_rows);
  const auto elements_of = [&](const Table& page) -> const Column& {
    try {
      return page.column("element");
    } catch (Error& error) {
      throw error.at(list.source.name);
    }
  };
  const std::uint64_t limit = std::max(kFewRows, list.source.expected_rows / kPages + 1);
  for (std::uint64_t first = 0, rows = limit; rows == limit; first += rows) {
    const Table page = run.engine.page(list.source, first, limit, Progress::silent());
    rows = page.rows();
    const Column& elements = elements_of(page);
    for (Code code = 0; code < elements.dictionary.size(); ++code) {
      const auto value = elements.dictionary.value(code);
      if (may_be_blank && value.find_first_not_of(" \t\r\n") == std::string_view::npos) continue;
      const std::string called = canonical(value, form, list.source.name);
      if (names_nobody(called)) {
        const auto row = std::ranges::find(elements.codes, code) - elements.codes.begin();
        throw row_of_nobody(list.source.name, first + static_cast<std::uint64_t>(row) + 1);
      }
      (void)distinct.add(reading == Reading::as_read ? person_as_read(called) : called, value);
    }
    run.progress.advance(rows);
  }
  list.joined_spellings = distinct.joined_spellings();
  list.elements = distinct.take();
  malloc_trim(0);  // a session may take hours
  return list;
}

DisclosedList::DisclosedList(const Configuration& configuration, const Identity& identity,
                             const Run& run, std::mutex& engine)
    : configuration_(configuration),
      identity_(identity),
      run_(run),
      engine_(engine),
      unfinished_(configuration, identity.name) {}

DisclosedList::~DisclosedList() = default;

Sha256Digest DisclosedList::prepare(const SiteFiles& files, const SiteDecision& decision,
                                    const std::string& verb) {
  std::array<std::uint8_t, 32> salt{};
  secure_bytes(std::as_writable_bytes(std::span(salt)));
  std::string text = list_of(files.samples.elements, decision.disclosed);
  Json inputs = Json::array();
  const auto add_input = [&](const std::string& path, const SourceIdentity& identity,
                             const std::string& role) {
    inputs.push_back(
        {{"path", path}, {"sha256", identity.sha256}, {"bytes", identity.bytes}, {"role", role}});
  };
  {
    const std::lock_guard lock(engine_);
    for (const ReadList* list : {&files.samples, &files.people})
      add_input(list->source.name, list->identity, "");
    for (const auto& file : run_.settings()) add_input(file, run_.engine.identify(file), "setting");
  }
  const std::string committed =
      "pratique consortium list\n" + to_hex(salt) + "\n" + sha256_hex(text);
  kept_ = std::make_unique<Json>(Json{{"statement", decision.statement.text},
                                      {"salt", to_hex(salt)},
                                      {"rows", decision.disclosed.size()},
                                      {"submitted", files.samples.elements.size()},
                                      {"out", files.out},
                                      {"verb", verb},
                                      {"command", run_.command},
                                      {"options", *run_.options},
                                      {"inputs", inputs}});
  if (const auto earlier = earlier_session(configuration_, identity_.name))
    (*kept_)["earlier_session"] = *earlier;
  (*kept_)["list"] = std::move(text);
  if (decision.by_all > 0) {
    open_files();
    unfinished_.keep(*kept_);
    keeps_ = true;
  }
  return pratique::sha256(std::as_bytes(std::span(committed)));
}

void DisclosedList::open_files() {
  file_ = std::make_unique<AtomicFile>(out(), 0600);
  manifest_ = std::make_unique<AtomicFile>(Manifest::path_of(out()), 0600);
  // By its own name for the hidden file, so that the verifier reads all of it from disk.
  std::ofstream file(file_->temporary_path(), std::ios::binary);
  file << kept_->at("list").get_ref<const std::string&>();
  file.close();
  if (!file) throw Error::machine("the list cannot be written").at(out());
}

void DisclosedList::resume() {
  if (!unfinished_.is_there())
    throw Error::input(fmt::format("{} has no session that it did not finish", identity_.name))
        .hint("A site keeps one from its last word to the authority until its list is written.");
  try {
    kept_ = std::make_unique<Json>(unfinished_.read());
    open_files();
    (void)session();
  } catch (const nlohmann::json::exception&) {
    throw Error::input("this is not what a site keeps of a session").at(unfinished_.path());
  }
}

std::optional<Signature> DisclosedList::kept_signature() const {
  return signature_in(kept_->value("signature", ""));
}

std::string DisclosedList::session() const {
  return parse_json(kept_->at("statement").get<std::string>(), "the authority's statement")
      .at("session")
      .get<std::string>();
}

std::string DisclosedList::out() const { return kept_->at("out").get<std::string>(); }

std::uint64_t DisclosedList::rows() const { return kept_->at("rows").get<std::uint64_t>(); }

void DisclosedList::commit(const Signature& signature) {
  if (!file_) return;
  const Json& kept = *kept_;
  const std::string sha256 = sha256_hex(kept["list"].get_ref<const std::string&>());
  const std::size_t bytes = kept["list"].get_ref<const std::string&>().size();
  const Json said = parse_json(kept["statement"].get<std::string>(), "the authority's statement");
  const Json claim = {{"model", "consortium-unlinkability"},
                      {"k", configuration_.k},
                      {"standing", "attested"},
                      {"statement", kept["statement"]},
                      {"salt", kept["salt"]},
                      {"signature", to_hex(signature)},
                      {"authority_key", to_hex(identity_.everybody.at(configuration_.authority))}};
  const std::lock_guard lock(engine_);
  const Source written =
      run_.engine.open(file_->temporary_path(), {.delimiter = ','}, Progress::silent());
  const auto verified = verify::verify_claim(run_.engine, written, claim, Progress::silent());
  if (!verified.holds) throw CheckFailed("commit", configuration_.authority, verified.explanation);
  (*kept_)["signature"] = to_hex(signature);
  unfinished_.keep(*kept_);

  Manifest manifest;
  manifest.version = kVersion;
  manifest.created = utc_time();
  manifest.kind = "consortium";
  manifest.verb = kept["verb"].get<std::string>();
  manifest.command = kept["command"].get<std::vector<std::string>>();
  manifest.options = JsonValue(kept["options"]);
  Json parameters = {{"protocol", configuration_.protocol},
                     {"k", configuration_.k},
                     {"method", configuration_.method},
                     {"coalition", configuration_.coalition},
                     {"site", identity_.name},
                     {"sites", configuration_.sites},
                     {"session", said["session"]}};
  if (kept.contains("earlier_session")) parameters["earlier_session"] = kept["earlier_session"];
  manifest.parameters = parameters;
  manifest.claims = Json::array({claim});
  manifest.verification =
      Json::array({{{"model", verified.model}, {"explanation", verified.explanation}}});
  const Json results = {
      {"disclosed", rows()}, {"sites", configuration_.sites.size()}, {"k", configuration_.k}};
  const auto words = kind().figures;
  manifest.results = results;
  manifest.figures = figures_in(results, words);
  manifest.outputs.push_back({out(), sha256, bytes, "csv", rows(), ','});

  PrivateManifest own = PrivateManifest::draw();
  for (const auto& input : kept["inputs"])
    own.inputs.push_back({input["path"].get<std::string>(), input["sha256"].get<std::string>(),
                          input["bytes"].get<std::uint64_t>(), input["role"].get<std::string>()});
  Json all = results;
  all["submitted"] = kept["submitted"];
  own.results = all;
  own.figures = figures_in(all, words);
  manifest.private_name = own.name();
  for (const auto& input : own.inputs)
    manifest.inputs.push_back(
        {.path = input.path, .role = input.role, .commitment = own.commitment(input)});
  Source samples;
  samples.name = own.inputs.front().path;
  samples.files = {samples.name};
  release::keep_private(own, {samples}, run_.private_folder, out());
  manifest_->write(manifest.to_text());
  JointCommit joint(out());
  AtomicFile* const files[] = {manifest_.get(), file_.get()};
  joint.commit(files, {});
  written_ = true;
  unfinished_.remove();
}

}  // namespace pratique::consortium::flow
