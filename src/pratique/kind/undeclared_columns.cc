#include "pratique/kind/undeclared_columns.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/kind/among.h"
#include "pratique/kind/recorded_figures.h"
#include "pratique/kind/release_file.h"
#include "pratique/verify/identifying_columns.h"

namespace pratique::release {

void contradict_undeclared(const Evidence& evidence, const std::vector<std::string>& held,
                           const std::vector<std::string>& identifiers,
                           std::vector<std::string>& contradictions) {
  if (!evidence.release || evidence.manifest.format < 2) return;
  // The private manifest, where it is at hand, fills in what was cut out of the public one.
  std::optional<ReleaseFile> as_released;
  if (evidence.file.complete()) as_released = ReleaseFile::read_as_released(evidence.file.path);
  const Manifest& told = as_released ? as_released->manifest() : evidence.manifest;
  const auto allowed = names_in(*told.parameters, "allowed");
  std::vector<std::string> looked_at;
  std::vector<std::string> replaced;
  for (const auto& name : evidence.release->columns) {
    if (among(identifiers, name)) {
      replaced.push_back(name);
    } else if (!among(held, name) && !among(allowed, name)) {
      looked_at.push_back(name);
    }
  }
  if (!looked_at.empty()) {
    for (const auto& column : verify::identifying_columns(evidence.engine, *evidence.release,
                                                          looked_at, evidence.progress)) {
      contradictions.push_back(
          fmt::format("'{}' {}, no claim holds it, and it does not say that it was let go",
                      column.column, column.why));
    }
  }
  if (replaced.empty()) return;
  for (const auto& column : verify::columns_without_pseudonyms(evidence.engine, *evidence.release,
                                                               replaced, evidence.progress)) {
    contradictions.push_back(fmt::format(
        "'{}' is said to have left as a pseudonym or a number, and holds more", column));
  }
}

}  // namespace pratique::release
