#include "pratique/tables/attack/population_exposure.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/data/generalised.h"
#include "pratique/tables/internal/cell_population.h"

namespace pratique::tables {
namespace {

// By code of the recoded column: which values of the attribute its cells contain.
std::vector<std::vector<char>> read_cells(const Attribute& attribute, const RecodedColumn& column) {
  std::vector<std::vector<char>> read;
  for (const auto& cell : column.values) {
    const auto value = GeneralisedValue::parse(cell);
    auto& in = read.emplace_back();
    for (const auto text : attribute.column->dictionary.values()) {
      in.push_back(value.contains(text, attribute.hierarchy) ? 1 : 0);
    }
  }
  return read;
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
  std::vector<std::vector<std::vector<char>>> read;  // by attribute
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    read.push_back(read_cells(input.attributes[a], recoding.columns[a]));
  }
  std::vector<std::uint64_t> records(recoding.class_count, 0);
  std::vector<std::size_t> entry(recoding.class_count, 0);
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    records[recoding.class_of[i]] += recoding.counts[i];
    entry[recoding.class_of[i]] = i;
  }
  const CellPopulation population(input, CellStyle::free);
  PopulationExposure exposure;
  CellPopulation::Cells cells(input.attributes.size());
  for (std::size_t id = 0; id < recoding.class_count; ++id) {
    for (std::size_t a = 0; a < cells.size(); ++a) {
      cells[a] = read[a][recoding.columns[a].codes[entry[id]]];
    }
    exposure.add(records[id], population.count(cells));
  }
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
