#include "pratique/tables/attack/internal/rule_table.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "pratique/tables/model/spelling.h"

namespace pratique::tables::internal {
namespace {

const Column* find_column(const Table& table, const std::string& name) {
  const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                   [&](const Column& candidate) { return candidate.name == name; });
  return column == table.columns.end() ? nullptr : &*column;
}

}  // namespace

RuleTable released_table(const ProtectionInput& input, const Recoding& recoding) {
  RuleTable table;
  table.counts.assign(recoding.counts.begin(), recoding.counts.end());
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const RecodedColumn& recoded = recoding.columns[a];
    auto cells = std::make_shared<Dictionary>();
    std::vector<double> leaves;
    std::vector<Code> cell_of;
    for (std::size_t value = 0; value < recoded.values.size(); ++value) {
      cell_of.push_back(cells->intern(recoded.values[value]));
      if (cell_of.back() == leaves.size()) leaves.push_back(recoded.leaves[value]);
    }
    RuleTable::Cells& column = table.columns.emplace_back();
    column.attribute = a;
    column.distinct = cells->size();
    for (const Code code : recoded.codes) column.codes.push_back(cell_of[code]);
    column.by_width.resize(cells->size());
    std::iota(column.by_width.begin(), column.by_width.end(), 0);
    std::stable_sort(column.by_width.begin(), column.by_width.end(),
                     [&](Code x, Code y) { return leaves[x] < leaves[y]; });
    column.texts = std::move(cells);
  }
  for (const Column* sensitive : input.sensitive) {
    auto& values = table.sensitive.emplace_back();
    for (const auto group : recoding.groups) values.push_back(sensitive->codes[group]);
  }
  return table;
}

void put_values_apart(const ProtectionInput& input, const Recoding& recoding, RuleTable& table) {
  const RuleTable together = std::move(table);
  table = {};
  for (const auto& column : together.columns)
    table.columns.push_back({column.attribute, {}, column.distinct, column.texts, column.by_width});
  table.sensitive.resize(1);
  std::vector<std::map<Code, double>> of_class(recoding.class_count);
  std::vector<double> sizes(recoding.class_count, 0);
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    of_class[recoding.class_of[i]][input.sensitive[0]->codes[recoding.groups[i]]] +=
        together.counts[i];
    sizes[recoding.class_of[i]] += together.counts[i];
  }
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    const ClassId id = recoding.class_of[i];
    for (const auto& [value, count] : of_class[id]) {
      table.sensitive[0].push_back(value);
      table.counts.push_back(together.counts[i] * count / sizes[id]);
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        table.columns[c].codes.push_back(together.columns[c].codes[i]);
    }
  }
}

RuleTable known_table(const ProtectionInput& input, const GroupedTable& known) {
  RuleTable table;
  table.counts.assign(known.counts.begin(), known.counts.end());
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const Column* column = find_column(known.groups, input.attributes[a].name);
    if (column == nullptr) continue;
    RuleTable::Cells& cells = table.columns.emplace_back();
    cells.attribute = a;
    cells.codes = column->codes;
    cells.distinct = column->dictionary.size();
    for (const auto value : input.attributes[a].column->dictionary.values()) {
      cells.same.push_back(column->dictionary.find(value).value_or(kNoCode));
    }
  }
  for (const Column* sensitive : input.sensitive) {
    auto& values = table.sensitive.emplace_back();
    const Column* column = find_column(known.groups, sensitive->name);
    std::vector<Code> code_of;
    for (const auto value :
         column == nullptr ? std::vector<std::string_view>() : column->dictionary.values())
      code_of.push_back(sensitive->dictionary.find(without_spelling(value)).value_or(kNoCode));
    for (std::size_t row = 0; row < known.counts.size(); ++row)
      values.push_back(column == nullptr ? kNoCode : code_of[column->codes[row]]);
  }
  return table;
}

}  // namespace pratique::tables::internal
