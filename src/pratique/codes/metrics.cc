#include "pratique/codes/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pratique/core/parallel.h"
#include "pratique/core/random.h"

namespace pratique::codes {
namespace {

constexpr std::uint64_t kQueries = 300;
constexpr std::uint64_t kWorkloadSeed = 20100601;  // the same questions for every method
constexpr std::uint32_t kNone = 0xffffffffU;

double subsets_share(double n, double all) {
  // (2^n - 1) / (2^M - 1) without overflow.
  return (std::exp2(n - all) - std::exp2(-all)) / (1 - std::exp2(-all));
}

bool covers(const Label& label, Code code) {
  return label.exact() ? label.covers.front() == code
                       : std::binary_search(label.covers.begin(), label.covers.end(), code);
}

// The narrowest item of the set that covers the code.
std::uint32_t label_over(const Recoding& recoding, std::size_t set, Code code) {
  std::uint32_t best = kNone;
  for (const auto label : recoding.set(set)) {
    if (covers(recoding.labels[label], code) &&
        (best == kNone || recoding.labels[label].width() < recoding.labels[best].width())) {
      best = label;
    }
  }
  return best;
}

class Queries {
 public:
  Queries(const CodeSets& sets, const Recoding& recoding)
      : sets_(sets), recoding_(recoding), with_(recoding.labels.size()), over_(sets.codes.size()) {
    for (std::uint32_t s = 0; s < sets.size(); ++s) {
      for (const auto label : recoding.set(s)) with_[label].push_back(s);
    }
    for (std::uint32_t l = 0; l < recoding.labels.size(); ++l) {
      for (const Code code : recoding.labels[l].covers) over_[code].push_back(l);
    }
  }

  [[nodiscard]] double expected(std::span<const Code> codes) const {
    double total = 0;
    for (const auto label : over_[codes.front()]) {
      for (const auto s : with_[label]) {
        // A set with several items over the code is met under each of them; it counts once.
        if (label_over(recoding_, s, codes.front()) == label) {
          total += chance(s, codes) * sets_.counts[s];
        }
      }
    }
    return total;
  }

  [[nodiscard]] std::uint64_t actual(std::span<const Code> codes,
                                     const std::vector<std::vector<std::uint32_t>>& having) const {
    std::uint64_t total = 0;
    for (const auto s : having[codes.front()]) {
      const auto set = sets_.set(s);
      if (std::includes(set.begin(), set.end(), codes.begin(), codes.end())) {
        total += sets_.counts[s];
      }
    }
    return total;
  }

 private:
  double chance(std::uint32_t set, std::span<const Code> codes) const {
    double chance = 1;
    std::vector<std::pair<std::uint32_t, double>> asked;  // items and how many codes of each
    for (const Code code : codes) {
      const auto label = label_over(recoding_, set, code);
      if (label == kNone) return 0;
      const auto known = std::find_if(asked.begin(), asked.end(),
                                      [&](const auto& entry) { return entry.first == label; });
      if (known == asked.end()) {
        asked.emplace_back(label, 1);
      } else {
        ++known->second;
      }
    }
    for (const auto& [label, number] : asked) {
      const auto width = static_cast<double>(recoding_.labels[label].width());
      chance *= std::exp2(-number) / (1 - std::exp2(-width));
    }
    return chance;
  }

  const CodeSets& sets_;
  const Recoding& recoding_;
  std::vector<std::vector<std::uint32_t>> with_;
  std::vector<std::vector<std::uint32_t>> over_;
};

double relative_error(const CodeSets& sets, const Recoding& recoding) {
  const Queries queries(sets, recoding);
  std::vector<std::vector<std::uint32_t>> having(sets.codes.size());
  for (std::uint32_t s = 0; s < sets.size(); ++s) {
    for (const Code code : sets.set(s)) having[code].push_back(s);
  }
  std::vector<double> errors(kQueries, 0);
  parallel_blocks(kQueries, 10, [&](std::size_t begin, std::size_t end) {
    for (std::size_t q = begin; q < end; ++q) {
      SeededRandom random(kWorkloadSeed, q);
      const auto set = sets.set(sets.set_of[random.below(sets.patients())]);
      std::vector<Code> codes = {set[random.below(set.size())]};
      if (q % 2 == 1 && set.size() > 1) {
        const Code other = set[random.below(set.size())];
        if (other != codes.front()) codes.push_back(other);
        std::sort(codes.begin(), codes.end());
      }
      const auto actual = static_cast<double>(queries.actual(codes, having));
      errors[q] = std::abs(actual - queries.expected(codes)) / actual;
    }
  });
  return std::accumulate(errors.begin(), errors.end(), 0.0) / kQueries;
}

}  // namespace

double expected_count(const CodeSets& sets, const Recoding& recoding, std::span<const Code> codes) {
  return Queries(sets, recoding).expected(codes);
}

Metrics measure(const CodeSets& sets, const Recoding& recoding, const std::vector<double>& weights,
                Progress& progress) {
  progress.begin("measuring what was lost", 0);
  Metrics metrics;
  const auto supports = sets.supports();
  std::vector<std::uint64_t> shown(sets.codes.size(), 0);
  std::vector<std::uint64_t> patients(recoding.labels.size(), 0);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (const Code code : sets.set(s)) {
      const auto label = label_over(recoding, s, code);
      metrics.ncp += sets.counts[s] * (label == kNone ? 1 : recoding.labels[label].ncp);
      if (label == kNone) {
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
  metrics.are = relative_error(sets, recoding);
  return metrics;
}

}  // namespace pratique::codes
