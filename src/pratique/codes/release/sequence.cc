#include "pratique/codes/release/sequence.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/codes/attack/composition.h"
#include "pratique/codes/attack/differencing.h"
#include "pratique/codes/format/code_file.h"
#include "pratique/codes/release/columns_attack.h"
#include "pratique/engine/code_sets_reader.h"
#include "pratique/kind/among.h"
#include "pratique/kind/recorded_figures.h"

namespace pratique::release {
namespace {

constexpr std::size_t kAllCodes = ~std::size_t{0};
constexpr const char* kNoRecords =
    "it has no patient records to look for: releases by disassociation have none";

// The claim by which released sets are read; none where a release is no set for each patient.
const Json* claim_of(const ReleaseFile& file) {
  constexpr std::array<std::string_view, 7> kModels = {
      "km-anonymity",  "complete-anonymity", "policy-anonymity", "k-km-anonymity",
      "hkp-coherence", "ps-rules",           "rho-uncertainty"};
  for (const auto& claim : *file.manifest().claims) {
    const auto model = claim.at("model").get<std::string>();
    if (std::find(kModels.begin(), kModels.end(), model) != kModels.end()) return &claim;
  }
  return nullptr;
}

codes::ComposedRelease composed(Engine& engine, const Source& source, const Json& claim,
                                Progress& progress) {
  codes::ComposedRelease release;
  release.records =
      read_code_sets(engine, source, claim.value("patient", ""), claim.value("code", ""), progress);
  return release;
}

// Columns beside the codes that left as they were.
std::vector<std::string> columns_beside(const Source& source, const Json& claim) {
  std::vector<std::string> held = names_in(claim, "quasi_identifiers");
  held.push_back(claim.value("patient", ""));
  held.push_back(claim.value("code", ""));
  std::vector<std::string> beside;
  std::copy_if(source.columns.begin(), source.columns.end(), std::back_inserter(beside),
               [&](const auto& name) { return !among(held, name); });
  return beside;
}

// Records of codes and of what these columns say.
CodeSets records_with(Engine& engine, const Source& source, const Json& claim,
                      const std::vector<std::string>& columns, Progress& progress) {
  std::vector<std::string> names = {claim.value("patient", ""), claim.value("code", "")};
  names.insert(names.end(), columns.begin(), columns.end());
  const Table table = engine.load(source, names, progress);
  Column patient;
  Column item;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t c = 1; c < table.columns.size(); ++c) {
      const auto cell = table.columns[c].text(row);
      patient.codes.push_back(patient.dictionary.intern(table.columns[0].text(row)));
      item.codes.push_back(
          c == 1 ? item.dictionary.intern(cell)
                 : item.dictionary.intern(codes::column_item(table.columns[c].name, cell)));
    }
  }
  return collect_code_sets(patient, std::move(item), source.name);
}

// Patients who changed what stands beside their codes, fewer than k of them: by each column and by
// all.
std::uint64_t subtract_columns(Engine& engine, const ReleaseFile& earlier, const Json& then,
                               const codes::ReleasedLabels& labels_then, const ReleaseFile& later,
                               const Json& now, const codes::ReleasedLabels& labels_now,
                               std::uint64_t k, Progress& progress) {
  if (!then.contains("patient") || !now.contains("patient")) return 0;
  const Source before = open_release(engine, earlier, progress);
  const Source after = open_release(engine, later, progress);
  const auto beside = columns_beside(before, then);
  std::vector<std::string> shared;
  for (auto& name : columns_beside(after, now)) {
    if (among(beside, name)) shared.push_back(std::move(name));
  }
  std::vector<std::vector<std::string>> sets;
  for (const auto& name : shared) sets.push_back({name});
  if (shared.size() > 1) sets.push_back(shared);
  std::uint64_t most = 0;
  for (const auto& columns : sets) {
    // Nobody's codes need be known: that few remain is enough.
    most = std::max(
        most, codes::subtract({records_with(engine, before, then, columns, progress), labels_then},
                              {records_with(engine, after, now, columns, progress), labels_now},
                              {.known = 0, .k = k})
                  .patients());
  }
  return most;
}

// The codes that entries such as 250* name.
std::vector<std::string> named_codes(const std::vector<std::string>& entries,
                                     const std::vector<const Dictionary*>& codes) {
  std::set<std::string> named(entries.begin(), entries.end());
  for (const auto* dictionary : codes) {
    for (const auto code : dictionary->values()) {
      if (codes::is_listed(entries, code)) named.emplace(code);
    }
  }
  return {named.begin(), named.end()};
}

Source open_known(Engine& engine, const std::string& path, bool sets, Progress& progress) {
  return sets ? engine.open_sets(path, progress) : engine.open(path, {}, progress);
}

// How many codes are taken to be known beside columns, where no model says it.
constexpr std::size_t kFewCodes = 2;

// The share of patients who stand alone by the columns beside the codes that no model holds, or by
// all columns and up to `known` items.
double share_singled_out(Engine& engine, const Source& released, const Json& claim,
                         std::size_t known, Progress& progress) {
  const auto attack = attack_columns(engine, released, claim, 2, known, progress);
  if (!attack || attack->patients == 0) return 0;
  const auto alone = std::max(attack->singled_out, attack->with_codes.reidentified);
  return static_cast<double>(alone) / static_cast<double>(attack->patients);
}

}  // namespace

SequenceRevealed attack_codes(Engine& engine, const SequenceRequest& request, Progress& progress) {
  SequenceRevealed revealed;
  const Json* claim = claim_of(request.added);
  if (claim == nullptr) {
    revealed.why_not = kNoRecords;
    return revealed;
  }
  const bool sets = !claim->contains("patient");
  const Source original = open_people(engine, request, "patients", "codes", sets, progress);
  const CodeSets people = codes::read_original_codes(
      engine, original, claim->value("patient", ""), claim->value("code", ""),
      *request.added.manifest().parameters, progress);
  codes::CompositionQuestion question;
  std::optional<std::size_t> known;
  std::vector<codes::ComposedRelease> releases;
  std::vector<const Json*> claims;            // of each release
  std::vector<const ReleaseFile*> own_files;  // without those of others
  std::vector<std::string> hashes;
  const auto add = [&](const ReleaseFile& file, const Json& promise) {
    releases.push_back(composed(engine, open_release(engine, file, progress), promise, progress));
    claims.push_back(&promise);
    own_files.push_back(&file);
    hashes.push_back(file.sha256());
    const auto promised = promised_knowledge(promise);
    if (promised) {
      known = std::min(known.value_or(kAllCodes), *promised);
      revealed.promised_k =
          revealed.promised_k == 0 ? file.k() : std::min(revealed.promised_k, file.k());
    }
    if (promise.contains("sensitive")) {
      for (const auto& code : promise["sensitive"])
        question.sensitive.push_back(code.get<std::string>());
    }
  };
  add(request.added, *claim);
  for (const auto& file : request.earlier) {
    const Json* earlier = claim_of(file);
    if (earlier == nullptr) {
      leave_out(revealed, file.sha256(), kNoRecords);
    } else {
      add(file, *earlier);
    }
  }
  const std::size_t own = releases.size();
  for (const auto& path : request.known) {
    // Whoever publishes does not say what labels stand for; ours may be theirs.
    releases.push_back(
        composed(engine, open_known(engine, path, sets, progress), *claim, progress));
    claims.push_back(claim);
    hashes.push_back(engine.identify(path).sha256);
  }
  std::vector<Dictionary> shown;
  for (std::size_t j = 0; j < releases.size(); ++j)
    shown.push_back(codes::codes_shown(releases[j].records.codes, *claims[j]));
  std::vector<const Dictionary*> all_codes = {&people.codes};
  for (const auto& codes : shown) all_codes.push_back(&codes);
  for (std::size_t j = 0; j < releases.size(); ++j)
    releases[j].labels = codes::labels_in(*claims[j], all_codes);
  question.sensitive = named_codes(question.sensitive, all_codes);
  if (!known) {
    revealed.why_not = "no model of these releases says how many codes may be known";
    return revealed;
  }
  question.known = *known;
  question.k = revealed.promised_k;
  const auto composition = codes::compose(releases, people, question, progress);
  for (std::size_t j = 0; j < hashes.size(); ++j) {
    if (composition.located_in[j] == 0)
      leave_out(revealed, hashes[j], "none of the people were found in it");
    else if (j > 0 && composition.together > 0 && composition.contradicted >= composition.together)
      leave_out(
          revealed, hashes[j],
          "no record in it agrees with anybody's in this release: codes are written otherwise "
          "there, or the patients are others");
  }
  std::uint64_t differenced = 0;
  for (std::size_t j = 1; j < own; ++j) {
    differenced =
        std::max(differenced, codes::subtract(releases[j], releases.front(), question).patients());
    differenced =
        std::max(differenced, subtract_columns(engine, *own_files[j], *claims[j],
                                               releases[j].labels, request.added, *claim,
                                               releases.front().labels, question.k, progress));
  }
  revealed.attacked = true;
  revealed.people = composition.people;
  revealed.releases = releases.size();
  revealed.located = composition.located;
  revealed.attributes.push_back({.sensitive = claim->value("code", "code"),
                                 .releases = releases.size(),
                                 .disclosed_alone = composition.disclosed_alone,
                                 .disclosed = composition.disclosed,
                                 .vulnerable = composition.vulnerable,
                                 .values_left = composition.codes_left,
                                 .differenced_people = differenced,
                                 .contradicted = composition.contradicted,
                                 .counts = !question.sensitive.empty()});
  revealed.k_alone = composition.k_alone;
  revealed.k_across = composition.k_across;
  revealed.under_k = composition.under_k;
  revealed.k_counts = true;
  revealed.singled_out =
      share_singled_out(engine, open_release(engine, request.added, progress), *claim,
                        promised_knowledge(*claim).value_or(kFewCodes), progress);
  return revealed;
}

}  // namespace pratique::release
