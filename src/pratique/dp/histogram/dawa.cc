#include "pratique/dp/histogram/dawa.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pratique/dp/histogram/hierarchy_tree.h"

namespace pratique::dp {
namespace {

// In means of the noise: its mean, and as much again for what the best of many candidates gains.
constexpr double kMeansOfNoise = 2;

// 2^17 such cells at 512 per row stay below 2^63.
constexpr std::int64_t kMostInACell = std::int64_t{1} << 36U;

__extension__ using SignedWide = __int128;

// A row moves a cost by at most 2, and so two of them apart by twice that.
Rational rate_of_costs(std::uint64_t max_rows, Epsilon epsilon) {
  return epsilon.over(std::uint64_t{4} * kCostGrid * max_rows);
}

// How many values there are above a rank, and what they add up to: a Fenwick tree of both.
class ValuesAbove {
 public:
  explicit ValuesAbove(std::size_t ranks) : nodes_(ranks + 1) {}

  void add(std::size_t rank, std::int64_t value, std::int64_t times) {
    all_.number += times;
    all_.sum += times * value;
    for (std::size_t i = rank + 1; i < nodes_.size(); i += i & (~i + 1)) {
      nodes_[i].number += times;
      nodes_[i].sum += times * value;
    }
  }
  struct Sum {
    std::int64_t number = 0;
    std::int64_t sum = 0;
  };
  // Of ranks from `rank` on.
  [[nodiscard]] Sum from(std::size_t rank) const {
    Sum above = all_;
    for (std::size_t i = rank; i > 0; i &= i - 1) {
      above.number -= nodes_[i].number;
      above.sum -= nodes_[i].sum;
    }
    return above;
  }
  [[nodiscard]] std::int64_t total() const { return all_.sum; }

 private:
  std::vector<Sum> nodes_;
  Sum all_;
};

}  // namespace

std::vector<std::int64_t> interval_deviations(const std::vector<std::int64_t>& counts,
                                              std::uint64_t length) {
  if (length == 0 || length > counts.size()) return {};
  std::vector<std::int64_t> values = counts;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const auto rank = [&](std::int64_t value) {
    return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) -
                                    values.begin());
  };
  const auto signed_length = static_cast<std::int64_t>(length);
  ValuesAbove inside(values.size());
  std::vector<std::int64_t> deviations;
  for (std::size_t end = 0; end < counts.size(); ++end) {
    inside.add(rank(counts[end]), counts[end], 1);
    if (end >= length) inside.add(rank(counts[end - length]), counts[end - length], -1);
    if (end + 1 < length) continue;
    // As much lies above the average as below it: twice what lies above. A count is above it just
    // when it is above the average rounded down.
    const std::int64_t total = inside.total();
    const std::int64_t rounded =
        total >= 0 ? total / signed_length : -((-total + signed_length - 1) / signed_length);
    const auto above = inside.from(rank(rounded + 1));
    const SignedWide scaled = static_cast<SignedWide>(2 * kCostGrid) *
                              (static_cast<SignedWide>(above.sum) * signed_length -
                               static_cast<SignedWide>(total) * above.number);
    deviations.push_back(static_cast<std::int64_t>(scaled / signed_length));
  }
  return deviations;
}

std::vector<std::uint64_t> cheapest_partition(const std::vector<std::vector<std::int64_t>>& costs) {
  const std::size_t cells = costs.front().size();
  std::vector<std::int64_t> least(cells + 1, 0);
  std::vector<std::size_t> last(cells + 1, 0);
  for (std::size_t end = 1; end <= cells; ++end) {
    least[end] = std::numeric_limits<std::int64_t>::max();
    for (std::size_t k = 0; k < costs.size() && (std::size_t{1} << k) <= end; ++k) {
      const std::size_t first = end - (std::size_t{1} << k);
      const std::int64_t cost = least[first] + costs[k][first];
      if (cost < least[end]) {
        least[end] = cost;
        last[end] = k;
      }
    }
  }
  std::vector<std::uint64_t> lengths;
  for (std::size_t end = cells; end > 0; end -= std::size_t{1} << last[end]) {
    lengths.push_back(std::uint64_t{1} << last[end]);
  }
  std::reverse(lengths.begin(), lengths.end());
  return lengths;
}

NoisyPartition::NoisyPartition(std::uint64_t max_rows, Epsilon epsilon_1, Epsilon epsilon_2)
    : noise_(rate_of_costs(max_rows, epsilon_1)),
      of_interval_(
          std::llround(static_cast<double>(kCostGrid * max_rows) / epsilon_2.value() +
                       kMeansOfNoise / std::expm1(rate_of_costs(max_rows, epsilon_1).value()))) {}

std::vector<std::uint64_t> NoisyPartition::choose(const std::vector<std::int64_t>& exact,
                                                  RandomBits& random) const {
  // So that costs are numbers; a row moves what is left of a count by no more than the count.
  std::vector<std::int64_t> counts = exact;
  for (auto& count : counts) count = std::min(count, kMostInACell);
  std::vector<std::vector<std::int64_t>> costs;
  for (std::uint64_t length = 1; length <= counts.size(); length *= 2) {
    costs.push_back(interval_deviations(counts, length));
    for (auto& cost : costs.back()) {
      cost += of_interval_ - static_cast<std::int64_t>(noise_.draw(random));
    }
  }
  return cheapest_partition(costs);
}

DawaEstimate noisy_dawa(const std::vector<std::int64_t>& counts, std::uint64_t max_rows,
                        Epsilon epsilon, RandomBits& partition_noise, RandomBits& count_noise) {
  const auto [of_partition, of_counts] = epsilon.split(kPartitionShare);
  const auto lengths =
      NoisyPartition(max_rows, of_partition, of_counts).choose(counts, partition_noise);
  DawaEstimate result;
  std::vector<std::int64_t> sums;
  std::uint64_t first = 0;
  for (const auto length : lengths) {
    std::int64_t sum = 0;
    for (std::uint64_t cell = first; cell < first + length; ++cell) sum += counts[cell];
    sums.push_back(sum);
    result.intervals.push_back({.first = first, .length = length});
    first += length;
  }
  const auto line = noisy_tree(sums, max_rows, of_counts, TreeEstimate::adaptive, count_noise);
  for (std::size_t i = 0; i < sums.size(); ++i) result.intervals[i].count = line.cells[i];
  result.deviation_of_interval = line.deviation_of_cell;
  return result;
}

}  // namespace pratique::dp
