#include "pratique/consortium/flow/disclosed_list.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/consortium/element.h"
#include "pratique/consortium/release/kind.h"
#include "pratique/core/clock.h"
#include "pratique/core/csv_field.h"
#include "pratique/core/joint_commit.h"
#include "pratique/core/json.h"
#include "pratique/core/version.h"
#include "pratique/crypto/random.h"
#include "pratique/kind/publish.h"
#include "pratique/manifest/manifest.h"
#include "pratique/manifest/private_manifest.h"
#include "pratique/verify/claims.h"

namespace pratique::consortium::flow {

ReadList read_list(const Run& run, const std::string& path, const CanonicalForm& form) {
  ReadList list;
  list.source = run.open(path);
  list.identity = run.engine.identify(list.source);
  const Table table = run.engine.load(list.source, {"element"}, run.progress);
  std::set<std::string> seen;
  for (const auto value : table.columns.front().dictionary.values()) {
    std::string text = canonical(value, form, list.source.name);
    if (!seen.insert(text).second) continue;
    list.canonical.push_back(std::move(text));
    list.spelled.emplace_back(value);
  }
  return list;
}

DisclosedList::DisclosedList(const SiteFiles& files, const Configuration& configuration,
                             const Identity& identity, const Run& run, std::string verb,
                             std::mutex& engine)
    : files_(files),
      configuration_(configuration),
      identity_(identity),
      run_(run),
      verb_(std::move(verb)),
      engine_(engine) {}

DisclosedList::~DisclosedList() = default;

Sha256Digest DisclosedList::prepare(const SiteDecision& decision) {
  std::array<std::uint8_t, 32> salt{};
  secure_bytes(std::as_writable_bytes(std::span(salt)));
  salt_ = to_hex(salt);
  statement_ = decision.statement;
  std::vector<std::string> rows;
  for (const auto place : decision.disclosed) rows.push_back(files_.samples.spelled[place]);
  std::ranges::sort(rows);  // the order of the site's own file may tell something
  std::string text = "element\n";
  for (const auto& row : rows) text += csv_field(row) + "\n";
  rows_ = rows.size();
  bytes_ = text.size();
  sha256_ = sha256_hex(text);
  if (decision.by_all > 0) {
    file_ = std::make_unique<AtomicFile>(files_.out, 0600);
    manifest_ = std::make_unique<AtomicFile>(Manifest::path_of(files_.out), 0600);
    // By its own name for the hidden file, so that the verifier reads all of it from disk.
    std::ofstream file(file_->temporary_path(), std::ios::binary);
    file << text;
    file.close();
    if (!file) throw Error::machine("the list cannot be written").at(files_.out);
  }
  const std::string committed = "pratique consortium list\n" + salt_ + "\n" + sha256_;
  return pratique::sha256(std::as_bytes(std::span(committed)));
}

void DisclosedList::commit(const Signature& signature) {
  if (!file_) return;
  const Json said = parse_json(statement_.text, "the authority's statement");
  Json claim = {{"model", "consortium-unlinkability"},
                {"k", configuration_.k},
                {"standing", "attested"},
                {"statement", statement_.text},
                {"salt", salt_},
                {"signature", to_hex(signature)},
                {"authority_key", to_hex(identity_.everybody.at(configuration_.authority))}};
  const std::lock_guard lock(engine_);
  const Source written =
      run_.engine.open(file_->temporary_path(), {.delimiter = ','}, Progress::silent());
  const auto verified = verify::verify_claim(run_.engine, written, claim, Progress::silent());
  if (!verified.holds) throw CheckFailed("commit", configuration_.authority, verified.explanation);

  Manifest manifest;
  manifest.version = kVersion;
  manifest.created = utc_time();
  manifest.kind = "consortium";
  manifest.verb = verb_;
  manifest.command = run_.command;
  manifest.seed = said.value("seed", std::uint64_t{0});
  manifest.options = run_.options;
  manifest.parameters = Json{{"protocol", configuration_.protocol}, {"k", configuration_.k},
                             {"method", configuration_.method},     {"site", identity_.name},
                             {"sites", configuration_.sites},       {"session", said["session"]}};
  manifest.claims = Json::array({claim});
  manifest.verification =
      Json::array({{{"model", verified.model}, {"explanation", verified.explanation}}});
  const Json results = {
      {"disclosed", rows_}, {"sites", configuration_.sites.size()}, {"k", configuration_.k}};
  const auto words = kind().figures;
  manifest.results = results;
  manifest.figures = figures_in(results, words);
  manifest.outputs.push_back({files_.out, sha256_, bytes_, "csv", rows_, ','});

  PrivateManifest kept = PrivateManifest::draw();
  for (const ReadList* list : {&files_.samples, &files_.people})
    kept.inputs.push_back({list->source.name, list->identity.sha256, list->identity.bytes});
  for (const auto& file : run_.settings()) {
    const auto identity = run_.engine.identify(file);
    kept.inputs.push_back({file, identity.sha256, identity.bytes, "setting"});
  }
  Json all = results;
  all["submitted"] = files_.samples.canonical.size();
  kept.results = all;
  kept.figures = figures_in(all, words);
  manifest.private_name = kept.name();
  for (const auto& input : kept.inputs)
    manifest.inputs.push_back(
        {.path = input.path, .role = input.role, .commitment = kept.commitment(input)});
  release::keep_private(kept, {files_.samples.source}, run_.private_folder, files_.out);
  manifest_->write(manifest.to_text());
  JointCommit joint(files_.out);
  AtomicFile* const files[] = {manifest_.get(), file_.get()};
  joint.commit(files, {});
  written_ = true;
}

}  // namespace pratique::consortium::flow
