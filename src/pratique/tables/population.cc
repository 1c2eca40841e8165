#include "pratique/tables/population.h"

#include <algorithm>

namespace pratique::tables {

std::vector<std::uint64_t> add_population(GroupedTable& table, const GroupedTable& people,
                                          const std::vector<std::string>& quasi_identifiers) {
  std::vector<std::uint64_t> population(table.counts.size(), 0);
  population.insert(population.end(), people.counts.begin(), people.counts.end());
  table.counts.resize(population.size(), 0);
  for (Column& column : table.groups.columns) {
    const bool known = std::find(quasi_identifiers.begin(), quasi_identifiers.end(), column.name) !=
                       quasi_identifiers.end();
    if (!known) {
      column.codes.resize(population.size(), column.dictionary.intern(""));
      continue;
    }
    const Column& theirs = people.groups.column(column.name);
    std::vector<Code> ours;
    for (const auto value : theirs.dictionary.values()) {
      ours.push_back(column.dictionary.intern(value));
    }
    for (const Code code : theirs.codes) column.codes.push_back(ours[code]);
  }
  return population;
}

}  // namespace pratique::tables
