// The minimality attack (Wong, Fu, Wang and Pei 2007, "Minimality attack in privacy preserving data
// publishing"): a method that generalises only as far as the models need tells, by how far it went,
// what the sensitive values of people must be like. The adversary knows everybody's
// quasi-identifiers, the models and the method. Of all ways to deal a class's values to its people
// (internal/possible_worlds.h) she keeps those in which the method would have done what it did:
//
//   levels   `optimal` found no better node, so with any one column a level lower some class,
//            somewhere in the table, breaks a model. (What breaks k is explained by the people
//            alone: nothing follows. So it is with suppression, where classes too small for k are
//            more than may be left out.)
//   rounds   `local` takes in each round the classes that satisfy the models at its levels. Whoever
//            left in a later round was in a class that did not: each of these breaks a model.
//   runs     of a small table every other method makes classes of as few neighbours in an order as
//            it can (method/internal/class_suppression.h): wherever a class is cut between two of
//            them, one side breaks a model. (The neighbours are enough for k by themselves.)
//
// Each column, round or cut is a conclusion of its own; where several are about somebody, the one
// that makes the adversary surest counts. Who knew them all together would know more: the figures
// bound her from below.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/tables/model/model.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

// Beside the input's sensitive attributes: what the models hold a belief to (1 / l, alpha), where
// one does.
using BeliefLimits = std::vector<std::optional<double>>;
[[nodiscard]] BeliefLimits belief_limits(const ProtectionInput& input, const Models& models);

struct MinimalityAttack {
  std::uint64_t records = 0;
  std::uint64_t concluded = 0;  // about whom something follows that their class does not say
  std::uint64_t believed = 0;   // whose own value is believed with kBelieved or more (exposure.h)
  // Whose own value is believed beyond the limit, and is not by the class's shares alone.
  std::optional<std::uint64_t> beyond_limit;
  // Of classes too large to count, or where records may stay out and k does not explain it.
  std::uint64_t not_tried = 0;
};

// Of the levels that `optimal` found with suppression of at most `may_leave_out` records.
[[nodiscard]] MinimalityAttack attack_minimal_levels(const ProtectionInput& input,
                                                     const Models& models, const Recoding& recoding,
                                                     const std::vector<int>& levels,
                                                     std::uint64_t may_leave_out);

// Of the rounds of `local`.
[[nodiscard]] MinimalityAttack attack_rounds(const ProtectionInput& input, const Models& models,
                                             const Recoding& recoding,
                                             const RecodingRounds& rounds);

// Of runs, with suppression of at most `may_leave_out` records.
[[nodiscard]] MinimalityAttack attack_runs(const ProtectionInput& input, const Models& models,
                                           const Recoding& recoding, const RecodingRuns& runs,
                                           std::uint64_t may_leave_out);

// concluded, believed, beyond_limit, each with its share (_share), and not_tried
[[nodiscard]] Json to_json(const MinimalityAttack& attack);

}  // namespace pratique::tables
