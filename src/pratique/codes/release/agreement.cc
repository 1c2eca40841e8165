#include "pratique/codes/release/agreement.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/codes/attack/attack.h"
#include "pratique/codes/attack/whole_sets.h"
#include "pratique/codes/format/code_file.h"
#include "pratique/codes/recoding.h"
#include "pratique/codes/release/columns_attack.h"
#include "pratique/codes/released_labels.h"
#include "pratique/data/number.h"
#include "pratique/engine/code_sets_reader.h"
#include "pratique/kind/among.h"
#include "pratique/kind/recorded_figures.h"
#include "pratique/kind/undeclared_columns.h"

namespace pratique::release {
namespace {

// The column of a claim; empty where it names none.
std::string column_of(const Manifest& manifest, const char* key) {
  for (const auto& claim : *manifest.claims) {
    if (claim.contains(key) && claim[key].is_string()) return claim[key].get<std::string>();
  }
  return "";
}

// Numbers of this release: from 1 to how many there are; who has no code left has a number, too.
bool are_numbers(const Dictionary& patients, double most) {
  return std::all_of(
      patients.values().begin(), patients.values().end(), [&](std::string_view text) {
        return !text.empty() &&
               std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
               text.size() <= 12 && to_double(text) >= 1 && to_double(text) <= most;
      });
}

Json part_of(const Json& object, const char* key) {
  const auto part = object.find(key);
  return part != object.end() && part->is_object() ? *part : Json::object();
}

bool is(const Json& figures, const char* key, std::uint64_t value) {
  return recorded(figures, key, [&](double said) { return said == static_cast<double>(value); });
}

bool is(const Json& figures, const char* key, const codes::Exposure& exposure) {
  const Json recorded = part_of(figures, key);
  return is(recorded, "targets", exposure.targets) &&
         is(recorded, "matched_under_k", exposure.matched_under_k) &&
         is(recorded, "reidentified", exposure.reidentified);
}

bool is(const Json& figures, const char* key, const codes::WholeSetExposure& exposure) {
  const Json recorded = part_of(figures, key);
  return is(recorded, "targets", exposure.targets) &&
         is(recorded, "matched_under_k", exposure.matched_under_k) &&
         is(recorded, "reidentified", exposure.reidentified) &&
         is(recorded, "named", exposure.named);
}

// The released sets against the figures about them, and against the original where it is at hand.
class SetsAgreement {
 public:
  SetsAgreement(const Evidence& evidence, const Json& claim,
                std::vector<std::string>& contradictions)
      : evidence_(evidence),
        claim_(claim),
        results_(*evidence.manifest.results),
        parameters_(*evidence.manifest.parameters),
        before_(part_of(results_, "before")),
        after_(part_of(results_, "after")),
        metrics_(part_of(results_, "metrics")),
        contradictions_(contradictions),
        released_(read_code_sets(evidence.engine, *evidence.release, claim.value("patient", ""),
                                 claim.value("code", ""), evidence.progress)) {}

  void compare() {
    if (!agrees_with_release())
      contradictions_.emplace_back("its figures for after do not match the released file");
    if (!evidence_.original) return;
    const CodeSets original = codes::read_original_codes(
        evidence_.engine, *evidence_.original, claim_.value("patient", ""),
        claim_.value("code", ""), parameters_, evidence_.progress);
    if (!before_agrees(original))
      contradictions_.emplace_back("its figures for before do not match the original");
    if (!after_agrees(original))
      contradictions_.emplace_back(
          "its figures for after do not match the released file and the original");
  }

 private:
  [[nodiscard]] std::uint64_t k() const { return parameters_.value("k", std::uint64_t{0}); }
  [[nodiscard]] std::size_t m() const { return parameters_.value("m", std::size_t{0}); }
  // Where codes were removed from some records, what fits somebody hangs on whose a record is.
  [[nodiscard]] bool removes() const { return parameters_.value("suppression", 0.0) > 0; }

  bool agrees_with_release() const {
    return is(results_, "patients_out", released_.patients()) && classes_agree() &&
           groups_agree() && columns_agree();
  }

  bool classes_agree() const {
    const Names held = names_in(claim_, "quasi_identifiers");
    const auto& columns = evidence_.release->columns;
    if (held.empty() ||
        !std::ranges::all_of(held, [&](const auto& name) { return among(columns, name); }))
      return true;
    const auto classes = evidence_.engine.group(*evidence_.release, held, evidence_.progress);
    return is(results_, "classes", classes.counts.size());
  }

  // Labels that a list explains may stand for one code.
  bool groups_agree() const {
    const Json labels = part_of(claim_, "labels");
    std::uint64_t all = 0;
    std::uint64_t single = 0;
    for (const auto item : released_.codes.values()) {
      const auto label = labels.find(std::string(item));
      if (label == labels.end()) continue;
      ++all;
      if (!label->is_array() || label->size() < 2) ++single;
    }
    return recorded(metrics_, "groups", [&](double said) {
      return said <= static_cast<double>(all) && said >= static_cast<double>(all - single);
    });
  }

  // Which of many items are the rarest may be a matter of their numbers, which the file hides.
  bool columns_agree() const {
    constexpr std::size_t kEverySetOf = 3;
    constexpr std::size_t kEveryItemOf = 200;
    const auto known = promised_knowledge(claim_).value_or(m());
    const auto attack = attack_columns(evidence_.engine, *evidence_.release, claim_, k(), known,
                                       evidence_.progress);
    if (!attack) return true;
    return is(after_, "singled_out", attack->singled_out) &&
           (known > kEverySetOf || attack->longest_record > kEveryItemOf ||
            is(after_, "columns_and_codes_known", attack->with_codes));
  }

  bool before_agrees(const CodeSets& original) const {
    const auto unchanged = codes::unchanged(original, nullptr);
    const codes::SearchableRelease release(original, unchanged);
    return is(results_, "patients_in", original.patients()) &&
           insiders_agree(before_, release, original) &&
           is(before_, "whole_set_known",
              codes::expose_whole_sets(original, unchanged, k(), evidence_.progress));
  }

  bool after_agrees(const CodeSets& original) const {
    const Dictionary shown = codes::codes_shown(released_.codes, claim_);
    const auto labels = codes::labels_in(claim_, {&original.codes, &shown});
    const codes::SearchableRelease release(released_, original.codes, nullptr, &labels, true);
    return is(metrics_, "suppressed_patients", original.patients() - released_.patients()) &&
           insiders_agree(after_, release, original) &&
           (removes() ||
            is(after_, "whole_set_known",
               codes::expose_whole_sets(release, original, k(), evidence_.progress))) &&
           losses_agree(release, original);
  }

  bool insiders_agree(const Json& figures, const codes::SearchableRelease& release,
                      const CodeSets& original) const {
    const auto expose = [&](std::size_t most) {
      return codes::expose(release, original, k(), most, evidence_.progress);
    };
    return is(figures, "all_codes_known", expose(~std::size_t{0})) &&
           (!figures.contains("m_codes_known") || is(figures, "m_codes_known", expose(m())));
  }

  // The loss follows where every code became the same in all records, under labels of a system,
  // which stand for the codes of the data.
  bool losses_agree(const codes::SearchableRelease& release, const CodeSets& original) const {
    const auto supports = original.supports();
    const Json labels = part_of(claim_, "labels");
    const bool of_system =
        std::ranges::all_of(labels, [](const Json& label) { return label.is_string(); });
    std::uint64_t hidden = 0;
    double lost = 0;
    bool same_in_all = !removes() && of_system && !claim_.contains("sensitive");
    for (Code code = 0; code < supports.size(); ++code) {
      const auto over = release.covering(code);
      if (over.empty()) ++hidden;
      same_in_all = same_in_all && over.size() <= 1;
      double ncp = over.empty() ? 1 : 0;
      if (!over.empty() && !release.exact(over.front()))
        ncp = static_cast<double>(release.known_under(over.front()).size()) /
              static_cast<double>(supports.size());
      lost += ncp * static_cast<double>(supports[code]);
    }
    const double expected = lost / static_cast<double>(original.occurrences());
    return recorded(metrics_, "suppressed_items",
                    [&](double said) { return said >= static_cast<double>(hidden); }) &&
           (!same_in_all || recorded(metrics_, "ncp", [&](double said) {
             return std::abs(said - expected) < 1e-9;
           }));
  }

  const Evidence& evidence_;
  const Json& claim_;
  const Json& results_;
  const Json& parameters_;
  const Json before_;
  const Json after_;
  const Json metrics_;
  std::vector<std::string>& contradictions_;
  const CodeSets released_;
};

// Chunks have no records to compare: what they are is counted.
void compare_clusters(const Evidence& evidence, std::vector<std::string>& contradictions) {
  const DisassociatedSets sets =
      read_disassociated(evidence.engine, *evidence.release, evidence.progress);
  std::uint64_t records = 0;
  std::uint64_t clusters = 0;
  std::uint64_t chunks = 0;
  std::uint64_t shared = 0;
  for (const auto& joint : sets.joints) {
    records += joint.records();
    clusters += joint.clusters.size();
    shared += joint.shared.size();
    for (const auto& cluster : joint.clusters) chunks += cluster.chunks.size();
  }
  const Json& results = *evidence.manifest.results;
  const Json metrics = part_of(results, "metrics");
  if (is(results, "patients_out", records) && is(metrics, "joint_clusters", sets.joints.size()) &&
      is(metrics, "clusters", clusters) && is(metrics, "chunks", chunks) &&
      is(metrics, "shared_chunks", shared))
    return;
  contradictions.emplace_back("its figures for after do not match the released file");
}

// The columns of a long file are those that it lists, and its patients are numbers.
void compare_columns(const Evidence& evidence, const std::string& patient,
                     std::vector<std::string>& contradictions) {
  const Json& results = *evidence.manifest.results;
  Names known = names_in(results, "unchanged");
  known.push_back(patient);
  known.push_back(column_of(evidence.manifest, "code"));
  for (const auto& claim : *evidence.manifest.claims) {
    const Names held = names_in(claim, "quasi_identifiers");
    known.insert(known.end(), held.begin(), held.end());
  }
  const auto& columns = evidence.release->columns;
  if (!std::all_of(columns.begin(), columns.end(),
                   [&](const std::string& name) { return among(known, name); })) {
    contradictions.emplace_back("the released file has columns that it does not list");
  }
  Names held = {patient, column_of(evidence.manifest, "code")};
  for (const auto& claim : *evidence.manifest.claims) {
    const Names by_claim = names_in(claim, "quasi_identifiers");
    held.insert(held.end(), by_claim.begin(), by_claim.end());
  }
  contradict_undeclared(evidence, held, {}, contradictions);
  if (!among(columns, patient)) return;
  const auto patients = evidence.engine.group(*evidence.release, {patient}, evidence.progress);
  const Dictionary& numbers = patients.groups.columns.front().dictionary;
  const Json recorded = results.value("patients_out", Json(0));
  const double most = std::max(static_cast<double>(numbers.size()),
                               recorded.is_number() ? recorded.get<double>() : 0);
  if (!are_numbers(numbers, most)) {
    contradictions.emplace_back("patients are not numbered by this release alone");
  }
}

}  // namespace

void contradict_codes(const Evidence& evidence, std::vector<std::string>& contradictions) {
  if (!evidence.release || evidence.manifest.format < 2) return;
  const std::string patient = column_of(evidence.manifest, "patient");
  if (!patient.empty()) compare_columns(evidence, patient, contradictions);
  // A file that does not keep its claims may be no such file at all.
  if (!evidence.claims_hold) return;
  for (const auto& claim : *evidence.manifest.claims) {
    if (claim.value("model", "") == "km-disassociation") {
      compare_clusters(evidence, contradictions);
    } else {
      SetsAgreement(evidence, claim, contradictions).compare();
    }
  }
}

}  // namespace pratique::release
