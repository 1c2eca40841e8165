#include "pratique/fusion/internal/candidate_sets.h"

#include <fmt/format.h>

#include <algorithm>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/tables/model/spelling.h"

namespace pratique::fusion::internal {
namespace {

bool has_column(const Table& table, const std::string& name) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [&](const Column& column) { return column.name == name; });
}

std::vector<std::string> shared_columns(const ComposedRelease& release,
                                        const std::vector<std::string>& wanted) {
  std::vector<std::string> shared;
  for (const auto& name : wanted) {
    if (has_column(release.table.table, name)) shared.push_back(name);
  }
  if (shared.empty()) {
    throw Error::input(
        "the release has none of the quasi-identifiers, so nobody can be located in it")
        .at(release.name)
        .hint("Name columns with --qi that both the targets and this release have.");
  }
  return shared;
}

Column sensitive_of(const ComposedRelease& release, const std::string& name,
                    const Hierarchy* hierarchy) {
  if (has_column(release.table.table, name)) {
    const Column& column = release.table.table.column(name);
    // An operator is about values as they are written.
    if (!release.randomised) return without_spelling(column, hierarchy);
    Column same{.name = column.name, .dictionary = {}, .codes = column.codes};
    for (const auto value : column.dictionary.values()) same.dictionary.intern(value);
    return same;
  }
  throw Error::input(fmt::format("the release has no column '{}'", name))
      .at(release.name)
      .hint("Every release needs the sensitive column, under this name.");
}

// Equal values together, ascending.
void merge(std::vector<ValueCount>& list) {
  std::sort(list.begin(), list.end(),
            [](const ValueCount& a, const ValueCount& b) { return a.value < b.value; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (kept > 0 && list[kept - 1].value == list[i].value) {
      list[kept - 1].rows += list[i].rows;
    } else {
      list[kept++] = list[i];
    }
  }
  list.resize(kept);
}

}  // namespace

Column without_spelling(const Column& column, const Hierarchy* hierarchy) {
  Column plain{.name = column.name, .dictionary = {}, .codes = {}};
  std::vector<Code> plain_code;
  for (const auto value : column.dictionary.values()) {
    const bool known = hierarchy != nullptr && hierarchy->find(value);
    plain_code.push_back(
        plain.dictionary.intern(known ? std::string(value) : tables::without_spelling(value)));
  }
  plain.codes.reserve(column.codes.size());
  for (const Code code : column.codes) plain.codes.push_back(plain_code[code]);
  return plain;
}

CandidateSets::CandidateSets(const ComposedRelease& release, const Table& targets,
                             const CompositionOptions& options, Progress& progress)
    : release_(release),
      sensitive_(sensitive_of(release, options.sensitive, options.sensitive_hierarchy)),
      columns_(shared_columns(release, options.quasi_identifiers)),
      classes_(tables::EquivalenceClasses::of(
          release.table.table, tables::column_indices(release.table.table, columns_))),
      located_(locate(release.table, classes_, targets, columns_, release.hierarchies,
                      release.locating, progress)),
      rows_(tables::records_per_class(classes_, release.table)) {}

std::vector<double> CandidateSets::shown(std::span<const std::vector<Value>> covered,
                                         std::size_t values) const {
  std::vector<double> rows(values, 0);
  const auto counts = release_.table.counts_of(sensitive_);
  for (std::size_t code = 0; code < counts.size(); ++code) {
    for (const Value value : covered[code])
      rows[value] += static_cast<double>(counts[code]) / static_cast<double>(covered[code].size());
  }
  return rows;
}

void CandidateSets::count(std::span<const std::vector<Value>> covered, std::span<const double> g) {
  constexpr std::size_t kGrain = 4096;
  const auto members = classes_.members();
  const auto add_class = [&](tables::ClassId id, std::vector<ValueCount>& list) {
    for (const std::uint32_t row : members.of(id)) {
      const auto rows = static_cast<double>(release_.table.count(row));
      const auto& values = covered[sensitive_.codes[row]];
      if (values.size() == 1) {
        list.push_back({values.front(), rows});
        continue;
      }
      double all = 0;
      for (const Value value : values) all += g[value];
      for (const Value value : values) {
        const double part = all > 0 ? g[value] / all : 1 / static_cast<double>(values.size());
        list.push_back({value, rows * part});
      }
    }
  };
  const std::size_t sets = located_.sets();
  std::vector<std::vector<ValueCount>> blocks((sets + kGrain - 1) / kGrain);
  begin_.assign(sets + 1, 0);
  rows_.resize(sets, 0);
  parallel_blocks(sets, kGrain, [&](std::size_t first, std::size_t last) {
    auto& block = blocks[first / kGrain];
    std::vector<ValueCount> list;
    for (std::size_t set = first; set < last; ++set) {
      list.clear();
      if (set < located_.class_count) {
        add_class(static_cast<tables::ClassId>(set), list);
      } else {
        for (const auto id : located_.joined[set - located_.class_count]) {
          add_class(id, list);
          rows_[set] += rows_[id];
        }
      }
      merge(list);
      begin_[set + 1] = list.size();
      block.insert(block.end(), list.begin(), list.end());
    }
  });
  for (std::size_t set = 0; set < sets; ++set) begin_[set + 1] += begin_[set];
  values_.clear();
  values_.reserve(begin_.back());
  for (auto& block : blocks) {
    values_.insert(values_.end(), block.begin(), block.end());
    block = {};
  }
}

void CandidateSets::see_through_chance(std::span<const double> g, double strength) {
  if (!is_drawn()) return;
  std::vector<ValueCount> all;
  std::vector<std::size_t> begin = {0};
  for (std::size_t set = 0; set + 1 < begin_.size(); ++set) {
    std::vector<double> shown_rows(g.size(), 0);
    for (const auto& entry : values(static_cast<std::uint32_t>(set)))
      shown_rows[entry.value] += entry.rows;
    const auto parts = parts_of(shown_rows, g, strength, *release_.randomised);
    for (Value value = 0; value < parts.size(); ++value) all.push_back({value, parts[value]});
    begin.push_back(all.size());
  }
  values_ = std::move(all);
  begin_ = std::move(begin);
}

}  // namespace pratique::fusion::internal
