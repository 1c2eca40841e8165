#include "pratique/kind/column_values.h"

#include <nlohmann/json.hpp>

#include "pratique/kind/among.h"
#include "pratique/kind/artefact.h"
#include "pratique/kind/recorded_figures.h"

namespace pratique::release {

std::vector<ColumnValues> column_values(Engine& engine, const ReleaseFile& file,
                                        Progress& progress) {
  std::vector<ColumnValues> all;
  const auto& outputs = file.manifest().outputs;
  const auto states = file.states();
  const auto sensitive = names_in(*file.manifest().parameters, "sensitive");
  for (std::size_t f = 0; f < outputs.size(); ++f) {
    if (states[f] != FileState::same || is_sets(outputs[f])) continue;
    // The names of the others begin with that of the first.
    const std::string place = file.path + outputs[f].path.substr(outputs[0].path.size());
    const Source source = open_output(engine, place, outputs[f], progress);
    engine.count_values(source, source.columns, progress, [&](const ValueCounts& counts) {
      ColumnValues column{counts.name, among(sensitive, counts.name)};
      for (const auto value : counts.values.values()) {
        if (!value.empty() && value != "*") column.values.emplace_back(value);
      }
      all.push_back(std::move(column));
    });
  }
  return all;
}

}  // namespace pratique::release
