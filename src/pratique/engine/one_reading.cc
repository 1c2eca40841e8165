#include "pratique/engine/one_reading.h"

#include <algorithm>

#include "pratique/engine/internal/group_order.h"

namespace pratique {
namespace {

Column copy_of(const Column& column) {
  Column copy{column.name, {}, column.codes};
  for (const auto value : column.dictionary.values()) (void)copy.dictionary.intern(value);
  return copy;
}

}  // namespace

GroupedTable OneReading::group(const Source& source, const std::vector<std::string>& columns,
                               Progress& progress) {
  const auto is_announced = [&](const std::string& name) {
    return std::find(columns_.begin(), columns_.end(), name) != columns_.end();
  };
  if (source.handle != source_.handle || columns.empty() ||
      !std::all_of(columns.begin(), columns.end(), is_announced))
    return engine_.group(source, columns, progress);
  if (!read_) read_ = engine_.group(source_, columns_, progress);
  GroupedTable grouped;
  for (const auto& name : columns)
    grouped.groups.columns.push_back(copy_of(read_->groups.column(name)));
  grouped.counts = read_->counts;
  order_by_values(grouped);
  return grouped;
}

}  // namespace pratique
