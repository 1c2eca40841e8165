#include "pratique/tables/metrics.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace pratique::tables {

double loss_metric(const ProtectionInput& input, const Recoding& recoding) {
  const std::uint64_t kept =
      std::accumulate(recoding.counts.begin(), recoding.counts.end(), std::uint64_t{0});
  double loss = static_cast<double>(recoding.suppressed * input.attributes.size());
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const std::uint32_t all = input.attributes[a].hierarchy->leaf_count();
    if (all <= 1) continue;
    const RecodedColumn& column = recoding.columns[a];
    for (std::size_t i = 0; i < recoding.counts.size(); ++i) {
      loss += (column.leaves[column.codes[i]] - 1) / (all - 1) *
              static_cast<double>(recoding.counts[i]);
    }
  }
  const auto cells = static_cast<double>((kept + recoding.suppressed) * input.attributes.size());
  return cells > 0 ? loss / cells : 0;
}

double discernibility(const Recoding& recoding) {
  std::vector<double> sizes(recoding.class_count, 0);
  for (std::size_t i = 0; i < recoding.counts.size(); ++i) {
    sizes[recoding.class_of[i]] += static_cast<double>(recoding.counts[i]);
  }
  const double kept = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  const auto suppressed = static_cast<double>(recoding.suppressed);
  return std::inner_product(sizes.begin(), sizes.end(), sizes.begin(), 0.0) +
         suppressed * (kept + suppressed);
}

double average_class_size(const Recoding& recoding, std::uint64_t k) {
  if (recoding.class_count == 0 || k == 0) return 0;
  const std::uint64_t kept =
      std::accumulate(recoding.counts.begin(), recoding.counts.end(), std::uint64_t{0});
  return static_cast<double>(kept) / static_cast<double>(recoding.class_count) /
         static_cast<double>(k);
}

double classification_metric(const Column& label, const Recoding& recoding) {
  std::map<std::pair<ClassId, Code>, std::uint64_t> counts;
  std::uint64_t records = recoding.suppressed;
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    counts[{recoding.class_of[i], label.codes[recoding.groups[i]]}] += recoding.counts[i];
    records += recoding.counts[i];
  }
  std::vector<std::uint64_t> largest(recoding.class_count, 0);
  for (const auto& [key, count] : counts) largest[key.first] = std::max(largest[key.first], count);
  const auto right = std::accumulate(largest.begin(), largest.end(), std::uint64_t{0});
  return records == 0 ? 0 : 1 - static_cast<double>(right) / static_cast<double>(records);
}

}  // namespace pratique::tables
