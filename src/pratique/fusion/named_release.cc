#include "pratique/fusion/named_release.h"

#include <algorithm>

#include "pratique/data/builtin_hierarchies.h"
#include "pratique/tables/equivalence_classes.h"

namespace pratique::fusion {

NamedRelease::NamedRelease(Table original, const std::vector<std::string>& quasi_identifiers,
                           const std::vector<std::string>& removed) {
  for (auto& column : original.columns) {
    const bool leaves = std::find(removed.begin(), removed.end(), column.name) == removed.end();
    if (leaves) released_.columns.push_back(std::move(column));
  }
  for (const auto& name : quasi_identifiers) {
    places_.push_back(static_cast<std::size_t>(&released_.column(name) - released_.columns.data()));
  }
  const auto classes = tables::EquivalenceClasses::of(released_, places_);
  group_of_ = classes.class_of();
  groups_.counts.assign(classes.sizes().begin(), classes.sizes().end());
  for (const auto place : places_) {
    Column& column = groups_.groups.columns.emplace_back();
    column.name = released_.columns[place].name;
    for (const auto row : classes.representatives()) {
      column.codes.push_back(column.dictionary.intern(released_.columns[place].text(row)));
    }
  }
  const CountedTable counted(groups_);
  hierarchies_.reserve(places_.size());
  for (const auto& column : groups_.groups.columns) {
    const auto counts = counted.counts_of(column);
    hierarchies_.push_back(make_hierarchy("flat", column.dictionary, counts, column.name));
    input_.attributes.push_back(tables::make_attribute(column, hierarchies_.back(), counts));
  }
  input_.counts = &groups_.counts;
}

const Table& NamedRelease::show(const tables::Recoding& recoding) {
  // By group: its entries, in the order of the recoding.
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> entries(groups_.counts.size());
  for (std::uint32_t i = 0; i < recoding.groups.size(); ++i) {
    entries[recoding.groups[i]].emplace_back(i, recoding.counts[i]);
  }
  for (auto& of_group : entries) std::reverse(of_group.begin(), of_group.end());
  std::vector<std::uint32_t> entry_of;
  entry_of.reserve(group_of_.size());
  for (const auto group : group_of_) {
    auto& left = entries[group];
    entry_of.push_back(left.back().first);
    if (--left.back().second == 0) left.pop_back();
  }
  for (std::size_t q = 0; q < places_.size(); ++q) {
    Column shown;
    shown.name = released_.columns[places_[q]].name;
    std::vector<Code> code_of;
    for (const auto& value : recoding.columns[q].values) {
      code_of.push_back(shown.dictionary.intern(value));
    }
    shown.codes.reserve(entry_of.size());
    for (const auto entry : entry_of) {
      shown.codes.push_back(code_of[recoding.columns[q].codes[entry]]);
    }
    released_.columns[places_[q]] = std::move(shown);
  }
  return released_;
}

}  // namespace pratique::fusion
