#include "pratique/verify/release_verifier.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/joint_commit.h"
#include "pratique/crypto/hash.h"
#include "pratique/engine/one_reading.h"
#include "pratique/verify/columns_together.h"
#include "pratique/verify/internal/private_files.h"
#include "pratique/verify/internal/recorded_file.h"

namespace pratique::verify {
namespace {

bool is_text(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_string();
}

constexpr const char* kFormerFormat =
    "the manifest is of format 1, which does not say what the release was made from, with which "
    "options, nor on what its claims rest: only the claims were checked, and whether they are all "
    "that was asked for nobody can tell";

bool is_known_format(const Json& format) {
  constexpr std::uint64_t kLatest = 3;
  if (!format.is_number_unsigned()) return false;
  const auto number = format.get<std::uint64_t>();
  return number >= 1 && number <= kLatest;
}

// Whether the files beside the first are those of the manifest.
bool others_match(const Json& outputs, const std::string& release) {
  if (outputs.size() == 1) return true;
  if (!is_text(outputs[0], "path")) return false;
  const auto first = outputs[0]["path"].get<std::string>();
  for (std::size_t i = 1; i < outputs.size(); ++i) {
    if (!is_text(outputs[i], "path") || !is_text(outputs[i], "sha256")) return false;
    const auto path = outputs[i]["path"].get<std::string>();
    if (!path.starts_with(first)) return false;
    const std::string ending = path.substr(first.size());
    if (ending.empty() || ending.find('/') != std::string::npos) return false;
    const std::string file = release + ending;
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none) ||
        sha256_file(file) != outputs[i]["sha256"].get<std::string>())
      return false;
  }
  return true;
}

// Where the files beside the first lie.
std::vector<std::string> others_of(const Json& outputs, const std::string& release) {
  std::vector<std::string> others;
  for (std::size_t i = 1; i < outputs.size(); ++i)
    others.push_back(release + outputs[i]["path"].get<std::string>().substr(
                                   outputs[0]["path"].get<std::string>().size()));
  return others;
}

}  // namespace

bool Verification::holds() const {
  return hash_matches && rows_match && !claims.empty() &&
         std::all_of(claims.begin(), claims.end(), [](const auto& claim) { return claim.holds; });
}

std::string manifest_path(const std::string& release) { return release + ".manifest.json"; }

Verification verify_release(Engine& engine, const std::string& release, Progress& progress,
                            const std::string& private_folder) {
  finish_interrupted(release);
  require_readable_file(release);
  const std::string path = manifest_path(release);
  const Json manifest = read_json_file(path);
  const auto malformed = [&](const char* what) {
    return Error::input(std::string("the manifest has ") + what)
        .at(path)
        .hint("The manifest was changed by hand or comes from another version of pratique.");
  };
  // One without a format is of format 1.
  const bool has_format = manifest.is_object() && manifest.contains("format");
  if (has_format && !is_known_format(manifest["format"]))
    throw malformed("a format that this version does not know");
  if (!manifest.is_object() || !manifest.contains("output") || !manifest["output"].is_object() ||
      !manifest["output"].contains("sha256") || !manifest["output"]["sha256"].is_string()) {
    throw malformed("no output with its sha256");
  }
  if (!manifest.contains("claims") || !manifest["claims"].is_array()) throw malformed("no claims");
  const bool standings = has_format && manifest["format"] != 1;
  Json claims = with_committed_hashes(manifest, path, private_folder);
  look_beside(claims, path);
  if (standings && !std::all_of(claims.begin(), claims.end(),
                                [](const Json& claim) { return is_text(claim, "standing"); }))
    throw malformed("a claim without its standing");
  const Json outputs = manifest.value("outputs", Json());
  const bool has_outputs = standings || manifest.contains("outputs");
  if (has_outputs && (!outputs.is_array() || outputs.empty())) throw malformed("no outputs");
  if (has_outputs && outputs[0] != manifest["output"])
    throw malformed("an output that is not the first of its outputs");

  const Json parameters = manifest.value("parameters", Json::object());
  if (!parameters.is_object()) throw malformed("parameters that are not an object");

  Verification verification;
  verification.release = release;
  if (!standings) verification.warning = kFormerFormat;
  verification.hash_matches =
      sha256_file(release) == manifest["output"]["sha256"].get<std::string>() &&
      (!has_outputs || others_match(outputs, release));
  const auto others = has_outputs && others_match(outputs, release) ? others_of(outputs, release)
                                                                    : std::vector<std::string>();
  const Json& output = manifest["output"];
  CsvOptions options;
  if (output.contains("delimiter") && output["delimiter"].is_string() &&
      output["delimiter"].get<std::string>().size() == 1) {
    options.delimiter = output["delimiter"].get<std::string>().front();
  }
  // Lines of sets, of sequences or of notes.
  const bool sets =
      output.contains("format") && (output["format"] == "sets" || output["format"] == "fasta" ||
                                    output["format"] == "vcf" || output["format"] == "jsonl");
  const Source source =
      sets ? engine.open_sets(release, progress) : engine.open(release, options, progress);
  verification.rows = engine.count_rows(source, progress);
  verification.rows_match = output.contains("rows") && output["rows"].is_number_unsigned() &&
                            output["rows"].get<std::uint64_t>() == verification.rows;
  for (const auto& column : parameters.value("allowed", Json::array())) {
    if (column.is_string()) verification.allowed.push_back(column.get<std::string>());
  }
  const Json rows_are_people = parameters.value("rows_are_people", Json());
  verification.rows_are_people = rows_are_people.is_boolean() && rows_are_people.get<bool>();
  const std::string key = private_key(manifest, private_folder);
  // Every claim reads the file; one that stands there again need not.
  std::map<std::string, std::size_t> derived;
  OneReading reading(engine, source, columns_read_together(claims));
  for (const auto& claim : claims) {
    const auto [first, is_new] = derived.emplace(to_text(claim), verification.claims.size());
    verification.claims.push_back(is_new
                                      ? verify_claim(reading, source, claim, progress, others, key)
                                      : verification.claims[first->second]);
  }
  return verification;
}

Json to_json(const Verification& verification) {
  Json claims = Json::array();
  for (const auto& claim : verification.claims) {
    Json entry = {{"model", claim.model}};
    if (!claim.attribute.empty()) entry["attribute"] = claim.attribute;
    if (!claim.columns.empty()) entry["columns"] = claim.columns;
    entry["standing"] = claim.standing;
    if (claim.confidence) entry["confidence"] = *claim.confidence;
    entry["required"] = claim.required;
    entry["achieved"] = finite_or_null(claim.achieved);
    entry["holds"] = claim.holds;
    entry["explanation"] = claim.explanation;
    claims.push_back(std::move(entry));
  }
  Json json = Json::object();
  if (!verification.warning.empty()) json["warning"] = verification.warning;
  if (!verification.allowed.empty()) json["allowed"] = verification.allowed;
  if (verification.rows_are_people) json["rows_are_people"] = true;
  json.update({{"release", verification.release},
               {"holds", verification.holds()},
               {"hash_matches", verification.hash_matches},
               {"rows", verification.rows},
               {"rows_match", verification.rows_match},
               {"claims", std::move(claims)}});
  return json;
}

}  // namespace pratique::verify
