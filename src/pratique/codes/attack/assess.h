// How far codes give patients away: the study of Loukides, Denny and Malin (JAMIA 2010) on any
// data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/core/chart.h"
#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/data/code_sets.h"

namespace pratique::codes {

struct AssessOptions {
  std::uint64_t k = 5;
  std::uint64_t seed = 0;  // of the random subsets and the sample
};

struct Assessment {
  std::uint64_t patients = 0;
  std::uint64_t codes = 0;
  double mean_codes = 0;
  double unique_all = 0;  // share whose codes no other of the population has all of
  double unique_set = 0;  // share whose codes, these and no others, nobody else of it has
  std::array<double, 4> unique_m = {};  // share whom some 1, 2, 3, 4 of their codes single out
  // Sizes up to this one were counted. For the others, a sample is taken of those whom no smaller
  // set singles out and all their codes do, so that no figure passes what is certain.
  std::size_t exact_sizes = 3;
  std::array<double, 4> unique_m_error = {};  // 95 %, either way; 0 of what was counted
  std::uint64_t sampled = 0;                  // patients
  // Sets of 1, 2, 3 codes under k patients; 0 of sizes that were not counted.
  std::array<std::uint64_t, 3> violations_m = {};
  // Share of patients by the support of what is known of them: all their codes, random subsets, the
  // codes of one visit.
  Chart curves;
};

// `population` holds the people the adversary may choose from, over the dictionary of `sets`; the
// patients themselves when null. Whoever has a set that the population lacks is counted with it.
// `visits` by patient: sets of `visit_sets`, over the same dictionary; the most telling one counts.
struct Visits {
  CodeSets sets;
  std::vector<std::vector<std::uint32_t>> of_patient;
};
[[nodiscard]] Assessment assess(const CodeSets& sets, const CodeSets* population,
                                const Visits* visits, const AssessOptions& options,
                                Progress& progress);

// The same sets over another dictionary, which gets the codes it lacks. The result's own dictionary
// is empty.
[[nodiscard]] CodeSets translate(const CodeSets& sets, Dictionary& dictionary);

// patients, codes, mean_codes, unique_all, unique_set, unique_m{1, 2, 3, 4}, unique_m_error (sizes
// that were sampled), sampled, violations_m (sizes that were counted), curves[]
[[nodiscard]] Json to_json(const Assessment& assessment);

}  // namespace pratique::codes
