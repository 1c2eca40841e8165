// What a release of codes lost.
//
//   ncp   of an occurrence: the leaves under what it became, over all leaves; 0 for a code as it
//         was, 1 for one that is gone. The mean over the occurrences of the input.
//   ul    utility loss (Loukides et al., PNAS 2010): over released items that stand for n > 1
//   codes,
//         the sum of (2^n - 1) / (2^M - 1) * weight * share of patients with it, M codes in all;
//         a code that is gone everywhere counts as one that stands for all M.
//   are   mean relative error of COUNT queries over one or two codes drawn from the records. A
//         record is counted with the probability that it has the codes: an item over n codes stands
//         for any of their 2^n - 1 non-empty subsets, of which 2^(n - j) have j given codes. So the
//         tutorial has it, where an item over two codes has each with 2/3. Every code under a wide
//         item is then there in half of its records, which is far too often.
//   are_one_code  the same queries, with an item taken as one of its n codes, each as likely.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pratique/codes/recoding.h"
#include "pratique/codes/spelling.h"
#include "pratique/core/progress.h"

namespace pratique::codes {

struct Metrics {
  double ncp = 0;
  double ul = 0;
  double are = 0;
  double are_one_code = 0;
  std::uint64_t suppressed_items = 0;        // codes that no record shows any more
  std::uint64_t suppressed_occurrences = 0;  // of codes in records
  std::uint64_t suppressed_patients = 0;     // patients with nothing left
  std::uint64_t groups = 0;                  // released items that stand for several codes
};

// Questions for are: how many patients have this code, or these two. None: 300 that are drawn from
// the data, the same for every method.
using Workload = std::vector<std::vector<Code>>;
// From a file with one or two codes in a line, written as data is. Throws Error where there are
// more.
[[nodiscard]] Workload read_workload(const std::string& path, const Dictionary& codes,
                                     const std::optional<Spelling>& spelling);

// `weights` of codes for ul: by code, 1 each when empty; an item has the mean of its codes.
[[nodiscard]] Metrics measure(const CodeSets& sets, const Recoding& recoding,
                              const std::vector<double>& weights, Progress& progress,
                              const Workload& workload = {});

// The mean relative error of the workload for each of `ways` to answer it; what nobody has counts
// as if one had it. `answer` is called from many threads, with room for an answer by each way.
using Answer = std::function<void(std::span<const Code> codes, std::span<double> answers)>;
[[nodiscard]] std::vector<double> mean_relative_errors(const CodeSets& sets,
                                                       const Workload& workload, std::size_t ways,
                                                       const Answer& answer);

// What an item over several codes is taken for.
enum class Reading { any_codes, one_code };

// One query: how many patients are expected to have all of `codes`, going by the release.
[[nodiscard]] double expected_count(const CodeSets& sets, const Recoding& recoding,
                                    std::span<const Code> codes,
                                    Reading reading = Reading::any_codes);

}  // namespace pratique::codes
