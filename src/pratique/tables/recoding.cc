#include "pratique/tables/recoding.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "pratique/core/parallel.h"
#include "pratique/data/generalised.h"

namespace pratique::tables {
namespace {

using Node = Hierarchy::Node;

struct Cell {
  std::string text;
  double leaves = 1;
};

Cell exact_cell(const Attribute& attribute, Code code) {
  return {GeneralisedValue::text(attribute.column->dictionary.value(code)).print(), 1};
}

// The lowest node over all values: their paths have one length, so they meet at one level.
Cell label_cell(const Attribute& attribute, const std::vector<Code>& values) {
  const Hierarchy& hierarchy = *attribute.hierarchy;
  int level = 0;
  Node meeting = attribute.leaf[values.front()];
  for (const Code value : values) {
    while (hierarchy.ancestor(attribute.leaf[value], level) != meeting) {
      meeting = hierarchy.parent(meeting);
      ++level;
    }
  }
  return {std::string(hierarchy.label(meeting)),
          static_cast<double>(hierarchy.leaves_under(meeting))};
}

Cell free_cell(const Attribute& attribute, const std::vector<Code>& values) {
  const auto& dictionary = attribute.column->dictionary;
  const auto by_rank = [&](Code a, Code b) { return attribute.rank[a] < attribute.rank[b]; };
  const auto [low, high] = std::minmax_element(values.begin(), values.end(), by_rank);
  const bool missing = dictionary.value(*high).empty();
  if (attribute.kind != Attribute::Kind::category && !missing) {
    return {GeneralisedValue::range(dictionary.value(*low), dictionary.value(*high)).print(),
            static_cast<double>(attribute.leaves_between(*low, *high))};
  }
  // A list of days would tell birthdays where a range tells years.
  if (attribute.kind == Attribute::Kind::date && values.size() > 1)
    return label_cell(attribute, values);
  std::vector<std::string> members;
  for (const Code value : values) members.emplace_back(dictionary.value(value));
  return {GeneralisedValue::set(std::move(members)).print(), static_cast<double>(values.size())};
}

}  // namespace

void drop_empty_entries(Recoding& recoding) {
  constexpr ClassId kNone = ~ClassId{0};
  std::vector<ClassId> renumbered(recoding.class_count, kNone);
  std::size_t kept = 0;
  std::size_t classes = 0;
  for (std::size_t entry = 0; entry < recoding.groups.size(); ++entry) {
    if (recoding.counts[entry] == 0) continue;
    ClassId& id = renumbered[recoding.class_of[entry]];
    if (id == kNone) id = static_cast<ClassId>(classes++);
    recoding.groups[kept] = recoding.groups[entry];
    recoding.counts[kept] = recoding.counts[entry];
    recoding.class_of[kept] = id;
    for (auto& column : recoding.columns) column.codes[kept] = column.codes[entry];
    ++kept;
  }
  recoding.groups.resize(kept);
  recoding.counts.resize(kept);
  recoding.class_of.resize(kept);
  for (auto& column : recoding.columns) column.codes.resize(kept);
  recoding.class_count = classes;
}

void join_equal_classes(Recoding& recoding) {
  constexpr ClassId kNone = ~ClassId{0};
  std::vector<ClassId> place(recoding.class_count, kNone);  // in the order of their first entries
  std::vector<std::size_t> first;                           // entry, by place
  for (std::size_t i = 0; i < recoding.class_of.size(); ++i) {
    ClassId& at = place[recoding.class_of[i]];
    if (at != kNone) continue;
    at = static_cast<ClassId>(first.size());
    first.push_back(i);
  }
  std::vector<std::vector<Code>> cells;
  std::vector<CodedColumn> columns;
  cells.reserve(recoding.columns.size());
  for (const auto& column : recoding.columns) {
    Dictionary texts;
    std::vector<Code> text_of;
    text_of.reserve(column.values.size());
    for (const auto& value : column.values) text_of.push_back(texts.intern(value));
    auto& of_class = cells.emplace_back();
    of_class.reserve(first.size());
    for (const auto entry : first) of_class.push_back(text_of[column.codes[entry]]);
    columns.push_back({of_class, texts.size()});
  }
  const auto seen = EquivalenceClasses::of(columns, first.size());
  if (seen.count() == recoding.class_count) return;
  std::vector<ClassId> joined(recoding.class_count, kNone);
  for (std::size_t id = 0; id < joined.size(); ++id) {
    if (place[id] != kNone) joined[id] = seen.class_of(place[id]);
  }

  // A group that now stands in a class twice becomes one entry, unless cells that read the same
  // lost different values: means may.
  std::map<std::pair<ClassId, std::uint32_t>, std::size_t> entry_of;
  const auto cost_the_same = [&](std::size_t a, std::size_t b) {
    return std::all_of(recoding.columns.begin(), recoding.columns.end(), [&](const auto& column) {
      return column.leaves[column.codes[a]] == column.leaves[column.codes[b]];
    });
  };
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    recoding.class_of[i] = joined[recoding.class_of[i]];
    const auto [entry, added] =
        entry_of.emplace(std::pair(recoding.class_of[i], recoding.groups[i]), i);
    if (added || !cost_the_same(entry->second, i)) continue;
    recoding.counts[entry->second] += recoding.counts[i];
    recoding.counts[i] = 0;
  }
  drop_empty_entries(recoding);
}

RecodedColumn keep(const Column& column, const Recoding& recoding) {
  RecodedColumn kept;
  kept.values.assign(column.dictionary.values().begin(), column.dictionary.values().end());
  kept.leaves.assign(kept.values.size(), 1);
  kept.codes.reserve(recoding.groups.size());
  for (const auto group : recoding.groups) kept.codes.push_back(column.codes[group]);
  return kept;
}

void write_cells(const ProtectionInput& input, CellStyle style, Recoding& recoding) {
  recoding.columns.assign(input.attributes.size(), {});
  // The groups of each class, one class behind the other.
  std::vector<std::size_t> begins(recoding.class_count + 1, 0);
  for (const ClassId id : recoding.class_of) ++begins[id + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::uint32_t> groups(recoding.groups.size());
  auto next = begins;
  for (std::size_t i = 0; i < recoding.groups.size(); ++i)
    groups[next[recoding.class_of[i]]++] = recoding.groups[i];
  parallel_blocks(input.attributes.size(), 1, [&](std::size_t a, std::size_t) {
    const Attribute& attribute = input.attributes[a];
    RecodedColumn& column = recoding.columns[a];
    std::unordered_map<std::string, Code> seen;
    std::vector<Code> cell_of_class(recoding.class_count, 0);
    std::vector<Code> distinct;
    for (std::size_t id = 0; id < recoding.class_count; ++id) {
      if (begins[id] == begins[id + 1]) continue;
      distinct.clear();
      for (std::size_t i = begins[id]; i < begins[id + 1]; ++i)
        distinct.push_back(attribute.column->codes[groups[i]]);
      std::sort(distinct.begin(), distinct.end());
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      Cell cell = distinct.size() == 1         ? exact_cell(attribute, distinct.front())
                  : style == CellStyle::labels ? label_cell(attribute, distinct)
                                               : free_cell(attribute, distinct);
      const auto [place, added] = seen.emplace(cell.text, static_cast<Code>(column.values.size()));
      if (added) {
        column.values.push_back(std::move(cell.text));
        column.leaves.push_back(cell.leaves);
      }
      cell_of_class[id] = place->second;
    }
    column.codes.reserve(recoding.groups.size());
    for (const ClassId id : recoding.class_of) column.codes.push_back(cell_of_class[id]);
  });
}

double widest_cell(const Recoding& recoding, std::size_t attribute) {
  const RecodedColumn& column = recoding.columns[attribute];
  double widest = 0;
  for (const Code code : column.codes) widest = std::max(widest, column.leaves[code]);
  return widest;
}

namespace {

// Some label of the column is of a higher level than it may be. One that stands for the same values
// as a label below it is as low as that.
bool has_label_above(const Hierarchy& hierarchy, const RecodedColumn& column, int most_level) {
  return std::any_of(column.values.begin(), column.values.end(), [&](const std::string& cell) {
    auto node = hierarchy.find(cell);
    if (!node) return false;
    while (hierarchy.children(*node).size() == 1) node = hierarchy.children(*node).front();
    return hierarchy.level(*node) > most_level;
  });
}

}  // namespace

bool keeps_limits(const ProtectionInput& input, const Recoding& recoding) {
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    if (input.attributes[a].most_level < input.attributes[a].hierarchy->height() &&
        has_label_above(*input.attributes[a].hierarchy, recoding.columns[a],
                        input.attributes[a].most_level))
      return false;
    if (!std::isinf(input.attributes[a].most_leaves) &&
        widest_cell(recoding, a) > input.attributes[a].most_leaves)
      return false;
  }
  return true;
}

}  // namespace pratique::tables
