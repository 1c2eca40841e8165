#include "pratique/tables/metric/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "pratique/data/generalised.h"

namespace pratique::tables {
namespace {

using Node = Hierarchy::Node;

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double position) {
    if (std::isnan(position)) return;
    low = std::min(low, position);
    high = std::max(high, position);
  }
  void add(const Extent& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
  [[nodiscard]] double length() const { return high > low ? high - low : 0; }
  [[nodiscard]] double share_of(const Extent& all) const {
    const Extent inside{std::max(low, all.low), std::min(high, all.high)};
    return all.length() > 0 ? inside.length() / all.length() : 0;
  }
};

Extent extent_of(const Attribute& attribute) {
  Extent extent;
  for (const double position : attribute.position) extent.add(position);
  return extent;
}

double penalty_of_leaves(double leaves, double all) { return leaves > 1 ? leaves / all : 0; }

// By node, before the attribute's weight.
std::vector<double> plain_penalties(const Attribute& attribute) {
  const Hierarchy& hierarchy = *attribute.hierarchy;
  std::vector<double> result(hierarchy.node_count());
  if (attribute.kind == Attribute::Kind::category) {
    for (Node node = 0; node < result.size(); ++node) {
      result[node] = penalty_of_leaves(hierarchy.leaves_under(node), hierarchy.leaf_count());
    }
    return result;
  }
  // A parent's number is above its children's.
  const Extent all = extent_of(attribute);
  std::vector<Extent> extents(result.size());
  for (Node node = 0; node < result.size(); ++node) {
    if (hierarchy.is_leaf(node)) {
      extents[node].add(position_of(hierarchy.label(node), attribute.kind));
    } else {
      result[node] = extents[node].share_of(all);
    }
    if (node != hierarchy.root()) extents[hierarchy.parent(node)].add(extents[node]);
  }
  return result;
}

// By code of the recoded column.
std::vector<double> penalties(const Attribute& attribute, const RecodedColumn& column) {
  const Hierarchy& hierarchy = *attribute.hierarchy;
  const std::vector<double> of_node = plain_penalties(attribute);
  const Extent all = extent_of(attribute);
  std::vector<double> result;
  for (std::size_t code = 0; code < column.values.size(); ++code) {
    double penalty = penalty_of_leaves(column.leaves[code], hierarchy.leaf_count());
    if (penalty > 0 && attribute.kind != Attribute::Kind::category) {
      const auto cell = GeneralisedValue::parse(column.values[code]);
      const auto node = hierarchy.find(column.values[code]);
      // A mean may read like a node that it is not.
      if (node && hierarchy.leaves_under(*node) == column.leaves[code]) {
        penalty = of_node[*node];
      } else if (cell.kind() == GeneralisedValue::Kind::range) {
        Extent extent;
        for (const auto& end : cell.parts()) extent.add(position_of(end, attribute.kind));
        penalty = extent.share_of(all);
      }
    }
    result.push_back(penalty * attribute.weight);
  }
  return result;
}

}  // namespace

std::vector<double> node_losses(const Attribute& attribute) {
  const Hierarchy& hierarchy = *attribute.hierarchy;
  std::vector<double> result(hierarchy.node_count(), 0);
  const double others = hierarchy.leaf_count() - 1.0;
  for (Node node = 0; others > 0 && node < result.size(); ++node) {
    result[node] = (hierarchy.leaves_under(node) - 1) / others * attribute.weight;
  }
  return result;
}

std::vector<double> node_penalties(const Attribute& attribute) {
  std::vector<double> result = plain_penalties(attribute);
  for (double& penalty : result) penalty *= attribute.weight;
  return result;
}

double normalized_certainty_penalty(const ProtectionInput& input, const Recoding& recoding) {
  const std::uint64_t kept =
      std::accumulate(recoding.counts.begin(), recoding.counts.end(), std::uint64_t{0});
  double loss = static_cast<double>(recoding.suppressed * input.attributes.size());
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const RecodedColumn& column = recoding.columns[a];
    const auto penalty = penalties(input.attributes[a], column);
    for (std::size_t i = 0; i < recoding.counts.size(); ++i) {
      loss += penalty[column.codes[i]] * static_cast<double>(recoding.counts[i]);
    }
  }
  const auto cells = static_cast<double>((kept + recoding.suppressed) * input.attributes.size());
  return cells > 0 ? loss / cells : 0;
}

double utility_measure(const ProtectionInput& input, const Recoding& recoding) {
  if (recoding.class_count == 0 || input.attributes.empty()) return 0;
  std::vector<bool> seen(recoding.class_count, false);
  std::vector<std::size_t> first;  // an entry of each class
  for (std::size_t i = 0; i < recoding.class_of.size(); ++i) {
    if (seen[recoding.class_of[i]]) continue;
    seen[recoding.class_of[i]] = true;
    first.push_back(i);
  }
  double sum = 0;
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const auto penalty = penalties(input.attributes[a], recoding.columns[a]);
    for (const auto entry : first) sum += penalty[recoding.columns[a].codes[entry]];
  }
  return sum / static_cast<double>(first.size() * input.attributes.size());
}

std::vector<double> column_losses(const ProtectionInput& input, const Recoding& recoding) {
  const std::uint64_t kept =
      std::accumulate(recoding.counts.begin(), recoding.counts.end(), std::uint64_t{0});
  const auto records = static_cast<double>(kept + recoding.suppressed);
  std::vector<double> losses;
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const std::uint32_t all = input.attributes[a].hierarchy->leaf_count();
    const RecodedColumn& column = recoding.columns[a];
    auto loss = static_cast<double>(recoding.suppressed);
    for (std::size_t i = 0; all > 1 && i < recoding.counts.size(); ++i) {
      loss += (column.leaves[column.codes[i]] - 1) / (all - 1) *
              static_cast<double>(recoding.counts[i]);
    }
    losses.push_back(records > 0 ? loss / records : 0);
  }
  return losses;
}

double loss_metric(const ProtectionInput& input, const Recoding& recoding) {
  const auto losses = column_losses(input, recoding);
  double sum = 0;
  for (std::size_t a = 0; a < losses.size(); ++a) sum += losses[a] * input.attributes[a].weight;
  return losses.empty() ? 0 : sum / static_cast<double>(losses.size());
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
  if (recoding.class_count == 0) return 0;
  const std::uint64_t kept =
      std::accumulate(recoding.counts.begin(), recoding.counts.end(), std::uint64_t{0});
  return static_cast<double>(kept) / static_cast<double>(recoding.class_count) /
         static_cast<double>(std::max<std::uint64_t>(1, k));
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
