#include "pratique/tables/attack/population_exposure.h"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/tables/attack/containment_index.h"

namespace pratique::tables {
namespace {

// The cells of a recoded column as a column of text, a row for each of `entries`.
Column cells_of(const RecodedColumn& recoded, const std::vector<std::uint32_t>& entries) {
  Column column;
  column.codes.reserve(entries.size());
  for (const auto entry : entries) {
    column.codes.push_back(column.dictionary.intern(recoded.values[recoded.codes[entry]]));
  }
  return column;
}

}  // namespace

void PopulationExposure::add(std::uint64_t more, std::uint64_t people) {
  records += more;
  if (more == 0) return;
  if (people == 0) {
    unmatched += more;
    return;
  }
  if (people == 1) unique += more;
  fewest_people = fewest_people == 0 ? people : std::min(fewest_people, people);
  risks += static_cast<double>(more) / static_cast<double>(people);
}

PopulationExposure population_exposure_before(const ProtectionInput& input) {
  std::vector<CodedColumn> coded;
  for (const auto& attribute : input.attributes) {
    coded.push_back(CodedColumn::of(*attribute.column));
  }
  const auto classes = EquivalenceClasses::of(coded, input.groups());
  std::vector<std::uint64_t> records(classes.count(), 0);
  std::vector<std::uint64_t> people(classes.count(), 0);
  for (std::size_t group = 0; group < input.groups(); ++group) {
    records[classes.class_of()[group]] += (*input.counts)[group];
    people[classes.class_of()[group]] += (*input.population)[group];
  }
  PopulationExposure exposure;
  for (std::size_t id = 0; id < classes.count(); ++id) exposure.add(records[id], people[id]);
  return exposure;
}

PopulationExposure population_exposure_after(const ProtectionInput& input,
                                             const Recoding& recoding) {
  std::vector<std::uint64_t> records(recoding.class_count, 0);
  std::vector<std::uint32_t> entry(recoding.class_count, 0);
  for (std::uint32_t i = 0; i < recoding.groups.size(); ++i) {
    records[recoding.class_of[i]] += recoding.counts[i];
    entry[recoding.class_of[i]] = i;
  }
  std::vector<std::uint32_t> people;  // the groups that stand for some
  for (std::uint32_t group = 0; group < input.groups(); ++group) {
    if ((*input.population)[group] > 0) people.push_back(group);
  }
  std::vector<Column> cells;
  cells.reserve(input.attributes.size());
  std::vector<ContainmentIndex::LinkedColumn> columns;
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const Attribute& attribute = input.attributes[a];
    cells.push_back(cells_of(recoding.columns[a], entry));
    columns.push_back({&cells.back(), attribute.column, attribute.hierarchy, CellsAre::ours});
  }
  std::vector<std::uint32_t> rows(recoding.class_count);
  std::iota(rows.begin(), rows.end(), 0U);
  std::vector<std::atomic<std::uint64_t>> fitting(recoding.class_count);
  const ContainmentIndex index(columns, rows, people);
  index.for_each_original([&](std::size_t original, std::span<const ClassId> classes) {
    for (const ClassId id : classes) fitting[id] += (*input.population)[people[original]];
  });
  // In an order that follows from the release alone, and so does the last digit of the sum.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> classes;
  for (std::size_t id = 0; id < records.size(); ++id)
    classes.emplace_back(fitting[id].load(), records[id]);
  std::sort(classes.begin(), classes.end());
  PopulationExposure exposure;
  for (const auto& [fits, in_class] : classes) exposure.add(in_class, fits);
  return exposure;
}

Json to_json(const PopulationExposure& exposure) {
  const auto of_records = [&](double part) {
    return exposure.records == 0 ? 0 : part / static_cast<double>(exposure.records);
  };
  return {{"fewest_people", exposure.fewest_people},
          {"linkage_risk_max",
           exposure.fewest_people == 0 ? 0 : 1 / static_cast<double>(exposure.fewest_people)},
          {"linkage_risk_mean", of_records(exposure.risks)},
          {"unique", exposure.unique},
          {"unique_share", of_records(static_cast<double>(exposure.unique))},
          {"unmatched", exposure.unmatched}};
}

}  // namespace pratique::tables
