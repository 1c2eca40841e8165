#include "pratique/tables/method/full_domain.h"

#include <limits>

#include "pratique/data/generalised.h"
#include "pratique/tables/model/class_counts.h"

namespace pratique::tables {
namespace {

RecodedColumn generalise(const Attribute& attribute, int level) {
  const Hierarchy& hierarchy = *attribute.hierarchy;
  RecodedColumn recoded;
  std::vector<Code> value_of_node(hierarchy.node_count(), kNoCode);
  std::vector<Code> value_of_code(attribute.distinct());
  for (Code code = 0; code < value_of_code.size(); ++code) {
    const Hierarchy::Node node = hierarchy.ancestor(attribute.leaf[code], level);
    if (value_of_node[node] == kNoCode) {
      value_of_node[node] = static_cast<Code>(recoded.values.size());
      const std::string_view label = hierarchy.label(node);
      recoded.values.push_back(level == 0 ? GeneralisedValue::text(label).print()
                                          : std::string(label));
      recoded.leaves.push_back(hierarchy.leaves_under(node));
    }
    value_of_code[code] = value_of_node[node];
  }
  recoded.codes.reserve(attribute.column->codes.size());
  for (const Code code : attribute.column->codes) recoded.codes.push_back(value_of_code[code]);
  return recoded;
}

}  // namespace

Recoding apply_levels(const ProtectionInput& input, const std::vector<int>& levels,
                      const Models& models) {
  std::vector<RecodedColumn> columns;
  std::vector<CodedColumn> coded;
  for (std::size_t a = 0; a < levels.size(); ++a) {
    columns.push_back(generalise(input.attributes[a], levels[a]));
  }
  for (const auto& column : columns) coded.push_back({column.codes, column.values.size()});
  const auto classes = EquivalenceClasses::of(coded, input.groups());
  const auto members = classes.members();

  Recoding recoding;
  ClassCounter counter(input);
  for (ClassId id = 0; id < classes.count(); ++id) {
    counter.clear();
    for (const auto group : members.of(id)) counter.add(group);
    const ClassView view = counter.view();
    if (view.records == 0) continue;
    if (!all_hold(models, view)) {
      recoding.suppressed += view.records;
      continue;
    }
    for (const auto group : members.of(id)) {
      if ((*input.counts)[group] == 0) continue;
      recoding.groups.push_back(group);
      recoding.counts.push_back((*input.counts)[group]);
      recoding.class_of.push_back(static_cast<ClassId>(recoding.class_count));
    }
    ++recoding.class_count;
  }
  for (auto& column : columns) {
    std::vector<Code> by_entry;
    by_entry.reserve(recoding.groups.size());
    for (const auto group : recoding.groups) by_entry.push_back(column.codes[group]);
    column.codes = std::move(by_entry);
  }
  recoding.columns = std::move(columns);
  return recoding;
}

}  // namespace pratique::tables
