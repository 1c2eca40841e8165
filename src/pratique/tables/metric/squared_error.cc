#include "pratique/tables/metric/squared_error.h"

#include <cmath>

#include "pratique/tables/metric/internal/cell_coverage.h"

namespace pratique::tables {

std::optional<double> squared_error(const ProtectionInput& input, const Recoding& recoding,
                                    std::size_t attribute) {
  if (input.attributes[attribute].kind == Attribute::Kind::category) return std::nullopt;
  const CellReader reader(input.attributes[attribute]);
  return squared_error(input, recoding, attribute,
                       reader.spans_of_all(recoding.columns[attribute].values));
}

std::optional<double> squared_error(const ProtectionInput& input, const Recoding& recoding,
                                    std::size_t attribute, const CellSpans& spans) {
  const Attribute& at = input.attributes[attribute];
  if (at.kind == Attribute::Kind::category) return std::nullopt;
  double records = 0;
  double sum = 0;
  for (std::size_t group = 0; group < input.groups(); ++group) {
    const double position = at.position[at.column->codes[group]];
    if (std::isnan(position)) continue;
    const auto count = static_cast<double>((*input.counts)[group]);
    records += count;
    sum += count * position;
  }
  if (records == 0) return std::nullopt;
  const double mean = sum / records;
  const auto from_mean = [&](std::uint32_t group) {
    const double position = at.position[at.column->codes[group]];
    return std::isnan(position) ? 0 : (position - mean) * (position - mean);
  };
  double spread = 0;
  for (std::uint32_t group = 0; group < input.groups(); ++group) {
    spread += static_cast<double>((*input.counts)[group]) * from_mean(group);
  }
  if (spread <= 0) return std::nullopt;

  const CellReader reader(at);
  const RecodedColumn& column = recoding.columns[attribute];
  std::vector<double> shown;  // by cell
  for (const auto& position : reader.positions_of_all(column.values, spans))
    shown.push_back(position.value_or(mean));
  // What all records would cost as the mean, and for those that left what they cost instead.
  double error = spread;
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    const double position = at.position[at.column->codes[recoding.groups[i]]];
    if (std::isnan(position)) continue;
    const double off = shown[column.codes[i]] - position;
    error += static_cast<double>(recoding.counts[i]) * (off * off - from_mean(recoding.groups[i]));
  }
  return std::max(0.0, error / spread);
}

}  // namespace pratique::tables
