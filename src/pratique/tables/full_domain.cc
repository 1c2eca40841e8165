#include "pratique/tables/full_domain.h"

#include <algorithm>
#include <limits>

#include "pratique/data/generalised.h"

namespace pratique::tables {
namespace {

constexpr Code kUnseen = std::numeric_limits<Code>::max();

Hierarchy::Node node_of(const GeneralisedAttribute& attribute, Code code) {
  return attribute.hierarchy->ancestor(attribute.leaves[code], attribute.level);
}

// The loss of a cell that holds `code`'s ancestor; 0 for a hierarchy of one leaf.
double cell_loss(const GeneralisedAttribute& attribute, Code code) {
  const Hierarchy& hierarchy = *attribute.hierarchy;
  if (hierarchy.leaf_count() <= 1) return 0;
  return static_cast<double>(hierarchy.leaves_under(node_of(attribute, code)) - 1) /
         static_cast<double>(hierarchy.leaf_count() - 1);
}

}  // namespace

RecodedColumn generalise(const GeneralisedAttribute& attribute) {
  const Hierarchy& hierarchy = *attribute.hierarchy;
  RecodedColumn recoded;
  std::vector<Code> value_of_node(hierarchy.node_count(), kUnseen);
  std::vector<Code> value_of_code(attribute.leaves.size());
  for (Code code = 0; code < value_of_code.size(); ++code) {
    const Hierarchy::Node node = node_of(attribute, code);
    if (value_of_node[node] == kUnseen) {
      value_of_node[node] = static_cast<Code>(recoded.values.size());
      const std::string_view label = hierarchy.label(node);
      recoded.values.push_back(attribute.level == 0 ? GeneralisedValue::text(label).print()
                                                    : std::string(label));
    }
    value_of_code[code] = value_of_node[node];
  }
  recoded.codes.reserve(attribute.column->codes.size());
  for (const Code code : attribute.column->codes) recoded.codes.push_back(value_of_code[code]);
  return recoded;
}

FullDomainRelease apply_levels(const std::vector<GeneralisedAttribute>& attributes,
                               const std::vector<std::uint64_t>& counts, std::uint64_t k) {
  FullDomainRelease release;
  std::vector<CodedColumn> coded;
  for (const auto& attribute : attributes) release.columns.push_back(generalise(attribute));
  for (const auto& column : release.columns) coded.push_back({column.codes, column.values.size()});
  const auto classes = EquivalenceClasses::of(coded, counts.size());

  std::vector<std::uint64_t> sizes(classes.count(), 0);
  std::uint64_t rows = 0;
  for (std::uint32_t group = 0; group < counts.size(); ++group) {
    sizes[classes.class_of(group)] += counts[group];
    rows += counts[group];
  }
  for (const auto size : sizes) {
    if (size < k) {
      release.suppressed += size;
    } else {
      release.smallest = release.classes == 0 ? size : std::min(release.smallest, size);
      ++release.classes;
    }
  }
  for (std::uint32_t group = 0; group < counts.size(); ++group) {
    if (sizes[classes.class_of(group)] >= k) release.groups.push_back(group);
  }

  double loss = static_cast<double>(release.suppressed * attributes.size());
  for (const auto& attribute : attributes) {
    std::vector<double> losses(attribute.leaves.size());
    for (Code code = 0; code < losses.size(); ++code) losses[code] = cell_loss(attribute, code);
    for (const auto group : release.groups) {
      loss += losses[attribute.column->codes[group]] * static_cast<double>(counts[group]);
    }
  }
  const auto cells = static_cast<double>(rows * attributes.size());
  release.loss = cells > 0 ? loss / cells : 0;
  return release;
}

}  // namespace pratique::tables
