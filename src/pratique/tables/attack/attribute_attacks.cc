#include "pratique/tables/attack/attribute_attacks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "pratique/data/number.h"
#include "pratique/tables/attack/assess.h"
#include "pratique/tables/equivalence_classes.h"

namespace pratique::tables {
namespace {

using Node = Hierarchy::Node;

// Whether the values of a class, each once, say the same.
using Similar = std::function<bool(const std::vector<Code>&)>;

Similar similar_in_tree(const Column& column, const Hierarchy& hierarchy) {
  std::vector<Node> nodes;
  for (const auto value : column.dictionary.values()) {
    auto node = hierarchy.leaf(value);
    if (!node) node = hierarchy.find(value);  // a generalised value
    if (!node && value == kSuppressed) node = hierarchy.root();
    if (!node) {
      // Says which values are missing and what would mend it.
      nodes = hierarchy.bind(column.dictionary, column.counts(), column.name);
      break;
    }
    nodes.push_back(*node);
  }
  const Node root = hierarchy.root();
  const int below_root = std::max(0, hierarchy.height() - 2);
  return [nodes, root, below_root, &hierarchy](const std::vector<Code>& values) {
    const Node first = hierarchy.ancestor(nodes[values.front()], below_root);
    return std::all_of(values.begin(), values.end(), [&](Code value) {
      const Node node = hierarchy.ancestor(nodes[value], below_root);
      return node != root && node == first;
    });
  };
}

// Nothing when a value is not a number.
std::optional<Similar> similar_numbers(const Column& column, double narrow) {
  std::vector<double> numbers;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const auto text : column.dictionary.values()) {
    if (!text.empty() && text != kSuppressed && !is_number(text)) return std::nullopt;
    const bool number = is_number(text);
    numbers.push_back(number ? to_double(text) : std::numeric_limits<double>::quiet_NaN());
    if (!number) continue;
    low = std::min(low, numbers.back());
    high = std::max(high, numbers.back());
  }
  if (high < low) return std::nullopt;
  const double width = narrow * (high - low);
  return [numbers, width](const std::vector<Code>& values) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const Code value : values) {
      if (std::isnan(numbers[value])) return values.size() == 1;
      least = std::min(least, numbers[value]);
      most = std::max(most, numbers[value]);
    }
    return most - least <= width;
  };
}

}  // namespace

AttributeAttacks attack_attribute(const CountedTable& release,
                                  const std::vector<std::string>& quasi_identifiers,
                                  const std::string& sensitive, const SimilarityOptions& options) {
  const Table& table = release.table;
  const auto indices = column_indices(table, quasi_identifiers);
  const Column& column = table.column(sensitive);
  const auto classes = EquivalenceClasses::of(table, indices);
  const auto suppressed = suppressed_class(table, indices, classes);
  const auto parts = classes.refined_by(CodedColumn::of(column));
  const auto part_sizes = records_per_class(parts, release);
  const auto sizes = records_per_class(classes, release);
  const auto hidden = column.dictionary.find(kSuppressed);

  std::vector<double> whole(column.dictionary.size(), 0);
  double total = 0;
  std::vector<std::vector<Code>> values(classes.count());
  for (ClassId part = 0; part < parts.count(); ++part) {
    const auto row = parts.representative(part);
    const Code value = column.codes[row];
    const ClassId id = classes.class_of(row);
    if (id != suppressed) values[id].push_back(value);
    if (id == suppressed && value == hidden) continue;
    whole[value] += static_cast<double>(part_sizes[part]);
    total += static_cast<double>(part_sizes[part]);
  }

  AttributeAttacks attacks;
  attacks.column = sensitive;
  for (ClassId part = 0; part < parts.count(); ++part) {
    const auto row = parts.representative(part);
    const ClassId id = classes.class_of(row);
    if (id == suppressed || column.codes[row] == hidden) continue;
    const double p = static_cast<double>(part_sizes[part]) / static_cast<double>(sizes[id]);
    const double q = whole[column.codes[row]] / total;
    attacks.skewness_ratio = std::max(attacks.skewness_ratio, p / q);
    attacks.skewness_gain = std::max(attacks.skewness_gain, p - q);
  }

  std::optional<Similar> similar = options.hierarchy != nullptr
                                       ? similar_in_tree(column, *options.hierarchy)
                                       : similar_numbers(column, options.narrow);
  if (similar) attacks.similar = 0;
  for (ClassId id = 0; id < classes.count(); ++id) {
    if (id == suppressed) continue;
    attacks.records += sizes[id];
    const auto& present = values[id];
    if (std::any_of(present.begin(), present.end(), [&](Code value) { return value == hidden; })) {
      continue;
    }
    if (present.size() == 1) attacks.homogeneous += sizes[id];
    if (similar && (present.size() == 1 || (*similar)(present))) *attacks.similar += sizes[id];
  }
  return attacks;
}

Json to_json(const AttributeAttacks& attacks) {
  Json json = {{"column", attacks.column},
               {"records", attacks.records},
               {"homogeneous", attacks.homogeneous},
               {"homogeneous_share", attacks.share(attacks.homogeneous)},
               {"skewness_ratio", attacks.skewness_ratio},
               {"skewness_gain", attacks.skewness_gain}};
  if (attacks.similar) {
    json["similar"] = *attacks.similar;
    json["similar_share"] = attacks.share(*attacks.similar);
  }
  return json;
}

}  // namespace pratique::tables
