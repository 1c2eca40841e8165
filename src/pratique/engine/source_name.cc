#include "pratique/engine/source_name.h"

#include <algorithm>
#include <filesystem>

#include "pratique/core/ascii.h"

namespace pratique {

SourceName parse_source_name(const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::exists(name, ignored)) return {name, {}};
  const std::string lowered = lower(name);
  std::size_t colon = std::string::npos;
  for (const std::string_view ending : {".duckdb:", ".ddb:", ".db:"}) {
    const auto at = lowered.find(ending);
    if (at != std::string::npos) colon = std::min(colon, at + ending.size() - 1);
  }
  if (colon == std::string::npos) return {name, {}};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

}  // namespace pratique
