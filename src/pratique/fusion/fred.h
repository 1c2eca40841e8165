// FRED, fusion resilient data anonymisation (Ganta and Acharya 2008, algorithm 1; Ganta 2009,
// section 4.5): the table is anonymised level by level (k = 2, 3, ...), each level is attacked with
// everything the adversary may have, and of the levels whose utility is at least T_u and whose
// dissimilarity from the private values is at least T_p the one with the largest H is released.
//
// Utility is not monotone: where tuples repeat, a larger k may cut finer classes. So the scan goes
// on until no larger k can reach T_u. Classes of k or more make C_DM at least k times the number of
// records, and it ends where 1 / (m k) is below T_u.
//
// What the paper's algorithm gets wrong is done as its definitions say: the loop goes on while the
// utility may be at least T_u (its line 20 stops then), a level is admitted by its own
// dissimilarity (line 16 looks at another's), the best H is kept as the scan goes (lines 23 to 27
// compare with the first only), and k starts at 2 (line 8 would start with the table as it is).
//
//   dissimilarity  P o P^ = (1/m) sum over records (p - p^)^2, definition 1 (closeness.h), of the
//                  nearest of all estimates: an adversary may leave the facts aside, or guess the
//                  mean, so that it is never above the target's variance
//   utility        U_k = 1 / C_DM(k), C_DM = sum over records |E| (every class holds k)
//   H              (1/m) Tr(D^T W1 D) + (1/m) Tr(U^T W2 U), section VI.C, where D is the column of
//                  differences p - p^ and U the column of 1 / C_i with C_i = |E| for a record of
//                  class E. The weights are printed as m x n matrices of one number, which fit in
//                  no product; as that number they give
//                      H = w1 (P o P^) + w2 (1/m) sum over records |E|^-2
//   weighted sum   w1 (P o P^) + w2 U_k, the objective of section IV
//
// The text above C_i says that a record costs the size of its class, the printed formula the square
// of it: an erratum, as only |E| per record adds up to C_DM.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/tables/method/anonymisation_levels.h"

namespace pratique::fusion {

struct FredOptions {
  double protection = 0;  // T_p
  double utility = 0;     // T_u
  double w1 = 0.5;
  double w2 = 0.5;
  std::optional<std::uint64_t> largest_k = {};  // as many as the table has records
};

// How near the estimates of a level come: their least dissimilarity.
struct LevelAttack {
  double before = 0;         // without facts
  double after = 0;          // with facts
  double dissimilarity = 0;  // of all, with or without facts, and of the mean
  std::string adversary;     // whose that is
  std::string source;        // of its facts; empty where it used none
};

struct FredLevel {
  std::uint64_t k = 0;
  std::size_t classes = 0;
  LevelAttack attack;
  double utility = 0;
  double h = 0;
  double weighted_sum = 0;
  bool admitted = false;

  [[nodiscard]] double gain() const { return attack.before - attack.after; }
};

struct Fred {
  std::vector<FredLevel> levels;        // all that were scanned
  std::optional<std::size_t> best;      // by H; of equal ones the smallest k
  std::optional<std::size_t> best_sum;  // by the weighted sum
  std::optional<std::size_t> least;     // the smallest k that is admitted
  bool utility_ended_it = false;        // no larger k can be useful enough
  // Without an admitted level: of those with enough utility the most dissimilar, else the first.
  std::size_t nearest = 0;
  tables::Recoding recoding;  // of the best, empty without one
};

// Of a recoding in which every class holds k records.
struct LevelUtility {
  double of_release = 0;   // U_k
  double mean_square = 0;  // (1/m) Tr(U^T U)
};
[[nodiscard]] LevelUtility level_utility(const tables::Recoding& recoding);

// `input` has at least two records.
[[nodiscard]] Fred fred(const tables::ProtectionInput& input,
                        tables::AnonymisationLevels::Method method, const FredOptions& options,
                        const std::function<LevelAttack(const tables::Recoding&)>& attack,
                        Progress& progress = Progress::silent());

}  // namespace pratique::fusion
