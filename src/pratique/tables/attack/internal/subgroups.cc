#include "pratique/tables/attack/internal/subgroups.h"

#include <algorithm>
#include <iterator>

#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/attack/internal/column_matches.h"

namespace pratique::tables::internal {
namespace {

std::uint64_t pair_of(Code a, Code b) { return (static_cast<std::uint64_t>(a) << 32U) | b; }

}  // namespace

Subgroups::Subgroups(const ProtectionInput& input, std::size_t sensitive, const RuleTable& table,
                     std::uint64_t support)
    : input_(input),
      table_(table),
      values_(table.sensitive[sensitive]),
      support_(static_cast<double>(support) - kBeliefRounding) {
  shares_.assign(input.sensitive[sensitive]->dictionary.size(), 0);
  double known = 0;
  for (std::size_t row = 0; row < table.counts.size(); ++row) {
    if (values_[row] == kNoCode) continue;
    shares_[values_[row]] += table.counts[row];
    known += table.counts[row];
  }
  known_ = known;
  for (auto& share : shares_) share /= std::max(1.0, known);
  if (known == 0) return;
  const std::size_t columns = table.columns.size();
  cell_of_.resize(columns);
  for (std::size_t a = 0; a < columns; ++a) choose_cells(a);
  for (std::size_t a = 0; a < columns; ++a) {
    for (std::size_t b = a + 1; b < columns; ++b) count(a, b);
  }
}

std::uint32_t Subgroups::of_group(std::uint32_t group) const {
  std::uint32_t best = kNoGroup;
  const auto consider = [&](std::uint32_t subgroup) {
    if (best == kNoGroup || subgroups_[subgroup].records < subgroups_[best].records)
      best = subgroup;
  };
  std::vector<Code> cells;
  for (std::size_t a = 0; a < cell_of_.size(); ++a) {
    const Column& column = *input_.attributes[table_.columns[a].attribute].column;
    cells.push_back(cell_of_[a][column.codes[group]]);
    if (cells[a] == kNoCode) continue;
    const auto place = singles_.find(pair_of(static_cast<Code>(a), cells[a]));
    if (place != singles_.end()) consider(place->second);
  }
  for (const auto& [columns, index] : pairs_) {
    if (cells[columns.first] == kNoCode || cells[columns.second] == kNoCode) continue;
    const auto place = index.find(pair_of(cells[columns.first], cells[columns.second]));
    if (place != index.end()) consider(place->second);
  }
  return best;
}

bool Subgroups::rules_out(std::uint32_t subgroup, Code value) const {
  const Subgroup& said = subgroups_[subgroup];
  return said.of_value.count(value) == 0 && said.records * shares_[value] >= kNotable;
}

double Subgroups::lift(std::uint32_t subgroup, Code value, bool with_negative) const {
  if (with_negative && rules_out(subgroup, value)) return 0;
  const Subgroup& said = subgroups_[subgroup];
  const auto place = said.of_value.find(value);
  const double there = place == said.of_value.end() ? 0 : place->second;
  // A value that the table lacks altogether is as likely here as anywhere.
  const double share = shares_[value] > 0 ? shares_[value] : 1 / (known_ + 1);
  return (there + share) / (said.records + 1) / share;
}

void Subgroups::count_rules(const std::vector<char>& used, RuleAttack& attack) const {
  for (std::uint32_t subgroup = 0; subgroup < used.size(); ++subgroup) {
    if (used[subgroup] == 0) continue;
    const Subgroup& said = subgroups_[subgroup];
    for (const auto& [value, records] : said.of_value) {
      if (records >= (kBelieved - kBeliefRounding) * said.records) ++attack.positive_rules;
    }
    for (Code value = 0; value < shares_.size(); ++value) {
      if (rules_out(subgroup, value)) ++attack.negative_rules;
    }
  }
}

std::vector<double> Subgroups::records_of_cells(const RuleTable::Cells& column) const {
  std::vector<double> records(column.distinct, 0);
  for (std::size_t row = 0; row < values_.size(); ++row) {
    if (values_[row] != kNoCode) records[column.codes[row]] += table_.counts[row];
  }
  return records;
}

template <class SubgroupOfRow>
void Subgroups::count_values(std::size_t first, const SubgroupOfRow& subgroup_of_row) {
  const std::size_t values = shares_.size();
  constexpr std::size_t kMostCounters = std::size_t{1} << 22U;
  const bool dense = (subgroups_.size() - first) * values <= kMostCounters;
  std::vector<double> counters(dense ? (subgroups_.size() - first) * values : 0, 0);
  for (std::size_t row = 0; row < values_.size(); ++row) {
    const std::uint32_t subgroup = subgroup_of_row(row);
    if (values_[row] == kNoCode || subgroup == kNoGroup) continue;
    if (dense) {
      counters[(subgroup - first) * values + values_[row]] += table_.counts[row];
    } else {
      subgroups_[subgroup].of_value[values_[row]] += table_.counts[row];
    }
  }
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (counters[i] > 0)
      subgroups_[first + i / values].of_value[static_cast<Code>(i % values)] = counters[i];
  }
}

void Subgroups::choose_cells(std::size_t a) {
  const RuleTable::Cells& column = table_.columns[a];
  const auto records = records_of_cells(column);
  const auto has_enough = [&](Code cell) { return records[cell] >= support_; };
  if (column.texts != nullptr) {
    std::vector<Code> enough;
    std::copy_if(column.by_width.begin(), column.by_width.end(), std::back_inserter(enough),
                 has_enough);
    const Attribute& attribute = input_.attributes[column.attribute];
    cell_of_[a] = internal::first_containing(*column.texts, enough, attribute.column->dictionary,
                                             attribute.hierarchy, CellsAre::ours);
  } else {
    cell_of_[a] = column.same;
    for (Code& cell : cell_of_[a]) {
      if (cell != kNoCode && !has_enough(cell)) cell = kNoCode;
    }
  }
  const std::size_t first = subgroups_.size();
  std::vector<std::uint32_t> subgroup_of(column.distinct, kNoGroup);
  for (const Code cell : cell_of_[a]) {
    if (cell == kNoCode || subgroup_of[cell] != kNoGroup) continue;
    subgroup_of[cell] = static_cast<std::uint32_t>(subgroups_.size());
    singles_[pair_of(static_cast<Code>(a), cell)] = subgroup_of[cell];
    subgroups_.push_back({.records = records[cell], .of_value = {}});
  }
  count_values(first, [&](std::size_t row) { return subgroup_of[column.codes[row]]; });
}

void Subgroups::count(std::size_t a, std::size_t b) {
  const auto chosen = [&](std::size_t column) {
    std::vector<bool> is_chosen(table_.columns[column].distinct, false);
    for (const Code cell : cell_of_[column]) {
      if (cell != kNoCode) is_chosen[cell] = true;
    }
    return is_chosen;
  };
  const auto& first = table_.columns[a];
  const auto& second = table_.columns[b];
  const auto chosen_first = chosen(a);
  const auto chosen_second = chosen(b);
  const std::vector<CodedColumn> columns = {{first.codes, first.distinct},
                                            {second.codes, second.distinct}};
  const auto pairs = EquivalenceClasses::of(columns, values_.size());
  std::vector<double> records(pairs.count(), 0);
  for (std::size_t row = 0; row < values_.size(); ++row) {
    if (values_[row] != kNoCode) records[pairs.class_of(row)] += table_.counts[row];
  }
  auto& index = pairs_[{a, b}];
  const std::size_t before = subgroups_.size();
  std::vector<std::uint32_t> subgroup_of(pairs.count(), kNoGroup);
  for (ClassId pair = 0; pair < pairs.count(); ++pair) {
    const auto row = pairs.representative(pair);
    if (records[pair] < support_ || !chosen_first[first.codes[row]] ||
        !chosen_second[second.codes[row]])
      continue;
    subgroup_of[pair] = static_cast<std::uint32_t>(subgroups_.size());
    index[pair_of(first.codes[row], second.codes[row])] = subgroup_of[pair];
    subgroups_.push_back({.records = records[pair], .of_value = {}});
  }
  count_values(before, [&](std::size_t row) { return subgroup_of[pairs.class_of(row)]; });
}

}  // namespace pratique::tables::internal
