#include "pratique/fusion/release/agreement.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/kind/recorded_figures.h"
#include "pratique/kind/undeclared_columns.h"

namespace pratique::release {
namespace {

// The key names people, and is said to.
Names held_columns(const Manifest& manifest) {
  Names held;
  if (const Json key = manifest.parameters->value("key", Json()); key.is_string())
    held.push_back(key.get<std::string>());
  for (const auto& claim : *manifest.claims) {
    const Names columns = names_in(claim, "quasi_identifiers");
    held.insert(held.end(), columns.begin(), columns.end());
  }
  return held;
}

}  // namespace

void contradict_fusion(const Evidence& evidence, std::vector<std::string>& contradictions) {
  const Json& results = *evidence.manifest.results;
  for (const char* key : {"before", "after", "metrics"}) {
    if (!results.contains(key)) continue;
    contradictions.emplace_back("it has figures that no release of fusion has");
    break;
  }
  if (!recorded(results, "k_opt",
                [&](double k) { return k == static_cast<double>(evidence.manifest.k()); }))
    contradictions.emplace_back("the level chosen is not the k that is claimed");
  if (!evidence.release) return;
  const auto rows = evidence.engine.count_rows(*evidence.release, evidence.progress);
  if (!recorded(results, "people",
                [&](double people) { return people == static_cast<double>(rows); }))
    contradictions.emplace_back("the people it counts are not those of the released file");
  contradict_undeclared(evidence, held_columns(evidence.manifest), {}, contradictions);
}

}  // namespace pratique::release
