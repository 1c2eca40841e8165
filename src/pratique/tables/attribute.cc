#include "pratique/tables/attribute.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "pratique/data/date.h"
#include "pratique/data/number.h"

namespace pratique::tables {
namespace {

using Node = Hierarchy::Node;

// A hierarchy that hides characters (1300*) says that its values are codes, not numbers.
bool hides_characters(const Hierarchy& hierarchy) {
  for (Node node = hierarchy.leaf_count(); node < hierarchy.root(); ++node) {
    const std::string_view label = hierarchy.label(node);
    if (label.size() > 1 && label.find('*') != std::string_view::npos) return true;
  }
  return false;
}

bool is_iso_month(std::string_view text) {
  const auto date = parse_iso_date(text);
  return date && date->month != 0 && date->day == 0;
}

Attribute::Kind kind_of(const Hierarchy& hierarchy) {
  if (hides_characters(hierarchy)) return Attribute::Kind::category;
  bool numbers = true;
  bool days = true;
  bool months = true;
  bool anything = false;
  for (Node leaf = 0; leaf < hierarchy.leaf_count(); ++leaf) {
    const std::string_view text = hierarchy.label(leaf);
    if (text.empty()) continue;
    anything = true;
    // A leading zero is a code's (02139), not a number's.
    numbers = numbers && is_number(text) && !(text.size() > 1 && text[0] == '0' && text[1] != '.');
    days = days && is_iso_day(text);
    months = months && is_iso_month(text);
    if (!numbers && !days && !months) break;
  }
  if (!anything) return Attribute::Kind::category;
  // Of one precision: a range from a month to a day would not hold that month.
  return days || months ? Attribute::Kind::date
         : numbers      ? Attribute::Kind::number
                        : Attribute::Kind::category;
}

// Depth first.
std::vector<Node> leaves_of_tree(const Hierarchy& hierarchy) {
  std::vector<Node> leaves;
  leaves.reserve(hierarchy.leaf_count());
  std::vector<Node> pending{hierarchy.root()};
  while (!pending.empty()) {
    const Node node = pending.back();
    pending.pop_back();
    if (hierarchy.is_leaf(node)) {
      leaves.push_back(node);
      continue;
    }
    const auto children = hierarchy.children(node);
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
  return leaves;
}

// Numbers and dates by what they are; the missing value last.
void put_in_order(const Hierarchy& hierarchy, Attribute::Kind kind, LeafOrder& order) {
  struct Placed {
    double position;
    Node leaf;
  };
  std::vector<Placed> placed;
  placed.reserve(hierarchy.leaf_count());
  std::vector<Node> missing;
  for (Node leaf = 0; leaf < hierarchy.leaf_count(); ++leaf) {
    const std::string_view text = hierarchy.label(leaf);
    if (text.empty()) {
      missing.push_back(leaf);
    } else {
      placed.push_back({position_of(text, kind), leaf});
    }
  }
  // Rounding keeps the order of numbers; of those that it makes equal the texts decide.
  std::sort(placed.begin(), placed.end(), [&](const Placed& a, const Placed& b) {
    if (a.position != b.position) return a.position < b.position;
    const int exact = kind == Attribute::Kind::number
                          ? compare_numbers(hierarchy.label(a.leaf), hierarchy.label(b.leaf))
                          : 0;
    return exact != 0 ? exact < 0 : a.leaf < b.leaf;
  });
  for (const Placed& leaf : placed) {
    order.leaf_at.push_back(leaf.leaf);
    order.position_at.push_back(leaf.position);
  }
  order.leaf_at.insert(order.leaf_at.end(), missing.begin(), missing.end());
}

}  // namespace

double position_of(std::string_view text, Attribute::Kind kind) {
  if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
  return kind == Attribute::Kind::number ? to_double(text)
                                         : static_cast<double>(parse_iso_date(text)->first_day());
}

LeafOrder order_leaves(const Hierarchy& hierarchy, Attribute::Kind kind) {
  LeafOrder order;
  if (kind == Attribute::Kind::category) {
    order.leaf_at = leaves_of_tree(hierarchy);
  } else {
    put_in_order(hierarchy, kind, order);
  }
  order.rank.resize(order.leaf_at.size());
  for (std::uint32_t rank = 0; rank < order.rank.size(); ++rank)
    order.rank[order.leaf_at[rank]] = rank;
  return order;
}

Attribute make_attribute(const Column& column, const Hierarchy& hierarchy,
                         const std::vector<std::uint64_t>& counts) {
  Attribute attribute;
  attribute.name = column.name;
  attribute.column = &column;
  attribute.hierarchy = &hierarchy;
  attribute.leaf = hierarchy.bind(column.dictionary, counts, column.name);
  attribute.kind = kind_of(hierarchy);
  attribute.leaves = std::make_shared<const LeafOrder>(order_leaves(hierarchy, attribute.kind));
  const auto& positions = attribute.leaves->position_at;
  attribute.rank.reserve(attribute.leaf.size());
  attribute.position.reserve(attribute.leaf.size());
  for (const Node leaf : attribute.leaf) {
    const std::uint32_t rank = attribute.leaves->rank[leaf];
    attribute.rank.push_back(rank);
    attribute.position.push_back(attribute.kind == Attribute::Kind::category ? rank
                                 : rank < positions.size()
                                     ? positions[rank]
                                     : std::numeric_limits<double>::quiet_NaN());
  }
  return attribute;
}

std::uint64_t records_of(const ProtectionInput& input) {
  return std::accumulate(input.counts->begin(), input.counts->end(), std::uint64_t{0});
}

double scale_weights(std::vector<Attribute>& attributes) {
  double sum = 0;
  for (const auto& attribute : attributes) sum += attribute.weight;
  if (sum <= 0) return 0;
  for (auto& attribute : attributes)
    attribute.weight *= static_cast<double>(attributes.size()) / sum;
  return sum;
}

void limit_level(Attribute& attribute, int most_level) {
  const Hierarchy& hierarchy = *attribute.hierarchy;
  if (most_level >= hierarchy.height() - 1) return;
  attribute.most_level = most_level;
  std::uint32_t widest = 1;
  for (const auto leaf : attribute.leaf) {
    widest = std::max(widest, hierarchy.leaves_under(hierarchy.ancestor(leaf, most_level)));
  }
  attribute.most_leaves = std::min(attribute.most_leaves, static_cast<double>(widest));
}

int highest_level(const Attribute& attribute) {
  const Hierarchy& hierarchy = *attribute.hierarchy;
  int level = std::min(hierarchy.height() - 1, attribute.most_level);
  const auto too_wide = [&] {
    return std::any_of(attribute.leaf.begin(), attribute.leaf.end(), [&](Hierarchy::Node leaf) {
      return hierarchy.leaves_under(hierarchy.ancestor(leaf, level)) > attribute.most_leaves;
    });
  };
  if (std::isinf(attribute.most_leaves)) return level;
  while (level > 0 && too_wide()) --level;
  return level;
}

}  // namespace pratique::tables
