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

// The leaves in the attribute's order.
std::vector<Node> ordered_leaves(const Hierarchy& hierarchy, Attribute::Kind kind) {
  std::vector<Node> leaves;
  leaves.reserve(hierarchy.leaf_count());
  if (kind == Attribute::Kind::category) {
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
  leaves.resize(hierarchy.leaf_count());
  std::iota(leaves.begin(), leaves.end(), 0);
  std::stable_sort(leaves.begin(), leaves.end(), [&](Node a, Node b) {
    const std::string_view left = hierarchy.label(a);
    const std::string_view right = hierarchy.label(b);
    if (left.empty() || right.empty()) return !left.empty();
    return kind == Attribute::Kind::number
               ? compare_numbers(left, right) < 0
               : parse_iso_date(left)->first_day() < parse_iso_date(right)->first_day();
  });
  return leaves;
}

double position_of(std::string_view text, Attribute::Kind kind, std::uint32_t rank) {
  if (kind == Attribute::Kind::category) return rank;
  if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
  return kind == Attribute::Kind::number ? to_double(text)
                                         : static_cast<double>(parse_iso_date(text)->first_day());
}

}  // namespace

std::vector<std::uint32_t> ranks_of_leaves(const Hierarchy& hierarchy, Attribute::Kind kind) {
  const auto leaves = ordered_leaves(hierarchy, kind);
  std::vector<std::uint32_t> ranks(leaves.size());
  for (std::uint32_t rank = 0; rank < leaves.size(); ++rank) ranks[leaves[rank]] = rank;
  return ranks;
}

Attribute make_attribute(const Column& column, const Hierarchy& hierarchy,
                         const std::vector<std::uint64_t>& counts) {
  Attribute attribute;
  attribute.name = column.name;
  attribute.column = &column;
  attribute.hierarchy = &hierarchy;
  attribute.leaf = hierarchy.bind(column.dictionary, counts, column.name);
  attribute.kind = kind_of(hierarchy);
  const auto rank_of_leaf = ranks_of_leaves(hierarchy, attribute.kind);
  for (Code code = 0; code < attribute.leaf.size(); ++code) {
    attribute.rank.push_back(rank_of_leaf[attribute.leaf[code]]);
    attribute.position.push_back(
        position_of(column.dictionary.value(code), attribute.kind, attribute.rank.back()));
  }
  return attribute;
}

double position_of(std::string_view text, Attribute::Kind kind) {
  if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
  return kind == Attribute::Kind::number ? to_double(text)
                                         : static_cast<double>(parse_iso_date(text)->first_day());
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
