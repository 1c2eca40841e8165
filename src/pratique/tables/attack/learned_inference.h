// The adversary who learns: she trains a classifier on the release and asks it for the sensitive
// value of people whom she knows otherwise (Cormode 2011, "Personal privacy vs population privacy:
// learning to attack anonymization").
//
// No model of classes forbids this, and differential privacy does not either: what she learns is
// how values go together in the population, and it would be nearly the same without the target's
// own record. The figure says how much that is; `usual` says how often the most frequent value
// alone would be right. Only what goes beyond both is worth a steward's concern, and the remedy is
// to release less detail, not a larger k.
//
// The classifier is naive Bayes. For a person with values v of the linked columns, the score of the
// sensitive value s is
//
//   n(s) * product over columns of  (w(v, s) + m p(v)) / ((n(s) + m) p(v)),   m = kPrior,
//
// where n(s) counts records with s, p(v) is the share of people in the register with v, and w(v, s)
// is how many records with s have v: a released cell counts for the register's values that it
// contains, in proportion to p. So a cell that contains everybody says nothing, whatever s, and a
// column of which no cell contains v is passed over. Beliefs are the scores divided by their sum;
// as columns are taken for independent given s, they are often too sure of themselves, which is why
// what was believed and what was right are told apart.
//
// Records whose sensitive cell is '*' teach nothing. Spellings of one value are one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/tables/attack/linkage_attack.h"

namespace pratique::tables {

struct LearnedInference {
  static constexpr double kConfident = 0.9;
  static constexpr double kPrior = 10;

  std::uint64_t learned_from = 0;  // records
  std::uint64_t values = 0;        // different ones that were learned
  std::uint64_t targets = 0;       // people of the register of whom some column could be used
  std::uint64_t confident = 0;     // of these, the guess is believed with kConfident or more
  double mean_belief = 0;          // in the guess
  // Of the targets whom the truth knows; none without a truth.
  struct Judged {
    std::uint64_t targets = 0;
    std::uint64_t right = 0;
    std::uint64_t usual = 0;  // right by the most frequent value of the release
    std::uint64_t confident = 0;
    std::uint64_t confident_right = 0;
  };
  std::optional<Judged> judged;
};

// `on` names columns of both tables; `truth` as for attack_by_linkage.
[[nodiscard]] LearnedInference attack_by_learning(
    const CountedTable& release, const Table& register_table, const std::vector<std::string>& on,
    const std::string& sensitive, const std::optional<Truth>& truth = std::nullopt,
    const Hierarchies& hierarchies = {}, const CellReadings& readings = {});

// Keys: learned_from, values, targets, mean_belief, confident, and with a truth: judged,
// right_share, usual_share, confident_right_share.
[[nodiscard]] Json to_json(const LearnedInference& inference);

}  // namespace pratique::tables
