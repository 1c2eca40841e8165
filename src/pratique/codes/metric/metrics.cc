#include "pratique/codes/metric/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/data/code_constraints.h"

namespace pratique::codes {
namespace {

constexpr std::uint64_t kQueries = 300;
constexpr std::uint64_t kWorkloadSeed = 20100601;  // the same questions for every method
constexpr std::uint32_t kHidden = 0xffffffffU;

double subsets_share(double n, double all) {
  // (2^n - 1) / (2^M - 1) without overflow.
  return (std::exp2(n - all) - std::exp2(-all)) / (1 - std::exp2(-all));
}

// The items over each code, narrowest first.
class Covering {
 public:
  Covering(const CodeSets& sets, const Recoding& recoding)
      : recoding_(recoding), over_(sets.codes.size()) {
    for (std::uint32_t l = 0; l < recoding.labels.size(); ++l) {
      for (const Code code : recoding.labels[l].covers) over_[code].push_back(l);
    }
    for (auto& labels : over_) {
      std::stable_sort(labels.begin(), labels.end(), [&](std::uint32_t a, std::uint32_t b) {
        return recoding.labels[a].width() < recoding.labels[b].width();
      });
    }
  }

  [[nodiscard]] const std::vector<std::uint32_t>& over(Code code) const { return over_[code]; }
  // The narrowest item of the set that covers the code.
  [[nodiscard]] std::uint32_t label(std::size_t set, Code code) const {
    const auto items = recoding_.set(set);
    for (const auto label : over_[code]) {
      if (std::binary_search(items.begin(), items.end(), label)) return label;
    }
    return kHidden;
  }

 private:
  const Recoding& recoding_;
  std::vector<std::vector<std::uint32_t>> over_;
};

// Patients whose sets are in both lists, which ascend.
template <class Counted>
double patients_in_both(const CodeSets& sets, const std::vector<std::uint32_t>& a,
                        const std::vector<std::uint32_t>& b, const Counted& counted) {
  constexpr std::size_t kMuchLonger = 16;  // looked up instead of read through
  const auto& shorter = a.size() <= b.size() ? a : b;
  const auto& longer = a.size() <= b.size() ? b : a;
  std::uint64_t patients = 0;
  if (shorter.size() < longer.size() / kMuchLonger) {
    for (auto set = shorter.begin(), from = longer.begin(); set != shorter.end(); ++set) {
      from = std::lower_bound(from, longer.end(), *set);
      if (from != longer.end() && *from == *set && counted(*set)) patients += sets.counts[*set];
    }
    return static_cast<double>(patients);
  }
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i < *j) {
      ++i;
    } else if (*j < *i) {
      ++j;
    } else {
      if (counted(*i)) patients += sets.counts[*i];
      ++i;
      ++j;
    }
  }
  return static_cast<double>(patients);
}

class Queries {
 public:
  Queries(const CodeSets& sets, const Recoding& recoding, const Covering& covering)
      : sets_(sets), recoding_(recoding), covering_(covering), with_(recoding.labels.size()) {
    for (std::uint32_t s = 0; s < sets.size(); ++s) {
      for (const auto label : recoding.set(s)) with_[label].push_back(s);
    }
  }

  // Of one code, or of two; one answer for each reading.
  void expected(std::span<const Code> codes, std::span<const Reading> readings,
                std::span<double> answers) const {
    const Code first = codes.front();
    const Code last = codes.back();
    std::ranges::fill(answers, 0);
    for (const auto label : covering_.over(first)) {
      for (const auto other : covering_.over(last)) {
        if (codes.size() == 1 && other != label) continue;
        // A set with several items over a code is met under each of them; the narrowest counts.
        const double patients =
            patients_in_both(sets_, with_[label], with_[other], [&](std::uint32_t s) {
              return stands_for(s, first, label) && stands_for(s, last, other);
            });
        for (std::size_t i = 0; i < readings.size(); ++i) {
          const double chance = label == other ? share_with(label, codes.size(), readings[i])
                                               : share_with(label, 1, readings[i]) *
                                                     share_with(other, 1, readings[i]);
          answers[i] += chance * patients;
        }
      }
    }
  }

 private:
  [[nodiscard]] bool stands_for(std::uint32_t set, Code code, std::uint32_t label) const {
    return covering_.over(code).size() == 1 || covering_.label(set, code) == label;
  }

  // How likely an item has `codes` given ones: of its non-empty subsets, or of its codes.
  [[nodiscard]] double share_with(std::uint32_t label, std::size_t codes, Reading reading) const {
    const auto n = static_cast<double>(recoding_.labels[label].width());
    if (reading == Reading::one_code) return codes == 1 ? 1 / n : 0;
    return std::exp2(-static_cast<double>(codes)) / (1 - std::exp2(-n));
  }

  const CodeSets& sets_;
  const Recoding& recoding_;
  const Covering& covering_;
  std::vector<std::vector<std::uint32_t>> with_;  // sets by item, ascending
};

}  // namespace

Workload read_workload(const std::string& path, const Dictionary& codes,
                       const std::optional<Spelling>& spelling) {
  Workload workload;
  for (const auto& line : parse_code_constraints(read_file(path), path)) {
    std::vector<Code> query;
    for (const auto& member : line.codes) {
      const auto named = codes_named(member.code, codes, spelling, member.place);
      query.insert(query.end(), named.begin(), named.end());
    }
    if (query.empty() || query.size() > 2) {
      throw Error::input(fmt::format("a query is over {} codes of the data", query.size()))
          .at(line.codes.front().place)
          .hint("Write one code or two in a line, each as it stands in the data.");
    }
    std::sort(query.begin(), query.end());
    workload.push_back(std::move(query));
  }
  return workload;
}

std::vector<double> mean_relative_errors(const CodeSets& sets, const Workload& workload,
                                         std::size_t ways, const Answer& answer) {
  std::vector<std::vector<std::uint32_t>> having(sets.codes.size());
  for (std::uint32_t s = 0; s < sets.size(); ++s) {
    for (const Code code : sets.set(s)) having[code].push_back(s);
  }
  const auto drawn_query = [&](std::size_t q) {
    SeededRandom random(kWorkloadSeed, q);
    const auto drawn = sets.set(sets.set_of[random.below(sets.patients())]);
    std::vector<Code> codes = {drawn[random.below(drawn.size())]};
    if (q % 2 == 1 && drawn.size() > 1) {
      const Code other = drawn[random.below(drawn.size())];
      if (other != codes.front()) codes.push_back(other);
      std::sort(codes.begin(), codes.end());
    }
    return codes;
  };
  const std::size_t queries = workload.empty() ? kQueries : workload.size();
  std::vector<double> errors(ways * queries, 0);  // by way
  parallel_blocks(queries, 10, [&](std::size_t begin, std::size_t end) {
    std::vector<double> answers(ways);
    for (std::size_t q = begin; q < end; ++q) {
      const std::vector<Code> codes = workload.empty() ? drawn_query(q) : workload[q];
      const double actual = patients_in_both(sets, having[codes.front()], having[codes.back()],
                                             [](std::uint32_t) { return true; });
      answer(codes, answers);
      for (std::size_t way = 0; way < ways; ++way)
        errors[way * queries + q] = std::abs(actual - answers[way]) / std::max(actual, 1.0);
    }
  });
  std::vector<double> means;
  for (std::size_t way = 0; way < ways; ++way) {
    const auto of_way = std::span(errors).subspan(way * queries, queries);
    means.push_back(std::accumulate(of_way.begin(), of_way.end(), 0.0) /
                    static_cast<double>(queries));
  }
  return means;
}

double expected_count(const CodeSets& sets, const Recoding& recoding, std::span<const Code> codes,
                      Reading reading) {
  const Covering covering(sets, recoding);
  double answer = 0;
  Queries(sets, recoding, covering).expected(codes, std::span(&reading, 1), std::span(&answer, 1));
  return answer;
}

Metrics measure(const CodeSets& sets, const Recoding& recoding, const std::vector<double>& weights,
                Progress& progress, const Workload& workload) {
  progress.begin("measuring what was lost", 0);
  Metrics metrics;
  const Covering covering(sets, recoding);
  const auto supports = sets.supports();
  std::vector<std::uint64_t> shown(sets.codes.size(), 0);
  std::vector<std::uint64_t> patients(recoding.labels.size(), 0);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (const Code code : sets.set(s)) {
      const auto label = covering.label(s, code);
      metrics.ncp += sets.counts[s] * (label == kHidden ? 1 : recoding.labels[label].ncp);
      if (label == kHidden) {
        metrics.suppressed_occurrences += sets.counts[s];
      } else {
        shown[code] += sets.counts[s];
      }
    }
    for (const auto label : recoding.set(s)) patients[label] += sets.counts[s];
    if (recoding.set(s).empty()) metrics.suppressed_patients += sets.counts[s];
  }
  metrics.ncp /= static_cast<double>(sets.occurrences());

  const auto all = static_cast<double>(recoding.domain);
  const auto share = [&](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(sets.patients());
  };
  const auto weight = [&](Code code) { return weights.empty() ? 1.0 : weights[code]; };
  for (std::size_t l = 0; l < recoding.labels.size(); ++l) {
    const Label& label = recoding.labels[l];
    if (label.width() < 2 || patients[l] == 0) continue;
    ++metrics.groups;
    double mean = 0;
    for (const Code code : label.covers) mean += weight(code);
    mean /= static_cast<double>(label.covers.size());
    metrics.ul +=
        subsets_share(static_cast<double>(label.width()), all) * mean * share(patients[l]);
  }
  for (Code code = 0; code < shown.size(); ++code) {
    if (shown[code] > 0) continue;
    ++metrics.suppressed_items;
    metrics.ul += weight(code) * share(supports[code]);
  }
  const Queries queries(sets, recoding, covering);
  constexpr Reading kReadings[] = {Reading::any_codes, Reading::one_code};
  const auto errors =
      mean_relative_errors(sets, workload, std::size(kReadings),
                           [&](std::span<const Code> codes, std::span<double> answers) {
                             queries.expected(codes, kReadings, answers);
                           });
  metrics.are = errors[0];
  metrics.are_one_code = errors[1];
  return metrics;
}

}  // namespace pratique::codes
