#include "pratique/genomes/flow/internal/named_columns.h"

#include <algorithm>

#include "pratique/core/ascii.h"
#include "pratique/data/table.h"

namespace pratique::genomes::flow {

std::string column_called(const Source& source, const std::string& name) {
  if (std::find(source.columns.begin(), source.columns.end(), name) != source.columns.end())
    return name;
  const std::string* fits = nullptr;
  for (const auto& column : source.columns) {
    if (lower(column) != lower(name)) continue;
    if (fits != nullptr) {
      fits = nullptr;
      break;
    }
    fits = &column;
  }
  if (fits != nullptr) return *fits;
  return source.columns[column_index(source.columns, name, source.name)];
}

std::optional<std::string> likely_column(const Source& source,
                                         std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    for (const auto& column : source.columns) {
      if (lower(column) == name) return column;
    }
  }
  for (const auto name : names) {
    for (const auto& column : source.columns) {
      if (lower(column).find(name) != std::string::npos) return column;
    }
  }
  return std::nullopt;
}

}  // namespace pratique::genomes::flow
