// How good a synthetic table is beside the original, and what an adversary gets from it. Everything
// here is computed from true rows: it is for the steward, and must not leave.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/dp/synthesis/marginal.h"

namespace pratique::dp {

// Half of the sum of absolute differences between the shares of all cells over these columns: the
// largest difference that any question about these columns can have.
[[nodiscard]] double total_variation(const EncodedRows& a, const EncodedRows& b,
                                     const ColumnSet& columns,
                                     const std::vector<std::size_t>& sizes);

struct MarginalErrors {
  double mean = 0;
  double worst = 0;
  std::vector<ColumnSet> columns;  // all sets of so many columns
  std::vector<double> distances;   // beside them
};
[[nodiscard]] MarginalErrors marginal_errors(const EncodedRows& original,
                                             const EncodedRows& synthetic,
                                             const std::vector<std::size_t>& sizes,
                                             std::size_t together,
                                             Progress& progress = Progress::silent());

// The learner is naive Bayes over all other columns, with Laplace's correction. Of the original
// rows three in ten, drawn at random, test; the others train the yardstick.
struct ClassifierAccuracy {
  double synthetic = 0;      // trained on the synthetic rows
  double original = 0;       // trained on originals
  double most_frequent = 0;  // always the label that most originals have
};
[[nodiscard]] ClassifierAccuracy classifier_accuracy(const EncodedRows& original,
                                                     const EncodedRows& synthetic,
                                                     const std::vector<std::size_t>& sizes,
                                                     std::size_t label, std::uint64_t seed = 1);

// The adversary has somebody's row and looks how many columns of the nearest synthetic row differ.
// Tried on members and on others, at most 2,000 of each.
struct MembershipAttack {
  std::uint64_t members = 0;
  std::uint64_t others = 0;
  // The largest share of members above some threshold less the share of others above it: 0 knows
  // nothing, 1 everything. Chosen with the truth at hand, so never below 0.
  double advantage = 0;
};
[[nodiscard]] MembershipAttack membership_attack(const EncodedRows& members,
                                                 const EncodedRows& others,
                                                 const EncodedRows& synthetic,
                                                 std::uint64_t seed = 1);

// The adversary knows all but one column of people whom these single out in the original, and
// guesses the last one: the most frequent among synthetic rows that are like them.
struct LinkageAttack {
  std::uint64_t targets = 0;        // alone in what is known of them
  std::uint64_t linked = 0;         // some synthetic row is like them
  std::uint64_t right = 0;          // of these, guessed right
  std::uint64_t right_without = 0;  // of these, right by the most frequent value of all rows
};
[[nodiscard]] LinkageAttack linkage_attack(const EncodedRows& original,
                                           const EncodedRows& synthetic,
                                           const std::vector<std::size_t>& sizes,
                                           std::size_t guessed);

}  // namespace pratique::dp
