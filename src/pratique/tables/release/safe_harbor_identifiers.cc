#include "pratique/tables/release/safe_harbor_identifiers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/columns/safe_harbor.h"
#include "pratique/data/table.h"
#include "pratique/kind/among.h"
#include "pratique/kind/document.h"

namespace pratique::release {
namespace {

using columns::SafeHarborIdentifier;

constexpr const char* kByNameAndShape = "names of columns; the usual shapes in every cell";
constexpr const char* kByNameAndUniqueness =
    "names of columns; numbers that differ in most records";

// What verify/internal/safe_harbor_claims.cc looks for.
struct Checked {
  SafeHarborIdentifier identifier;
  const char* by;
};
constexpr auto kChecked = std::to_array<Checked>({
    {SafeHarborIdentifier::names,
     "names of columns. Names of people inside texts are not recognised"},
    {SafeHarborIdentifier::geography,
     "names of columns; ZIP codes are three digits of areas with more than 20,000 people, or 000"},
    {SafeHarborIdentifier::dates, "every cell: no date tells more than a year"},
    {SafeHarborIdentifier::ages_over_89,
     "columns of ages and years: over 89 is one class; no age in months, weeks or days"},
    {SafeHarborIdentifier::telephone_numbers, kByNameAndShape},
    {SafeHarborIdentifier::fax_numbers, kByNameAndShape},
    {SafeHarborIdentifier::email_addresses, kByNameAndShape},
    {SafeHarborIdentifier::social_security_numbers, kByNameAndShape},
    {SafeHarborIdentifier::medical_record_numbers, kByNameAndUniqueness},
    {SafeHarborIdentifier::health_plan_numbers, kByNameAndUniqueness},
    {SafeHarborIdentifier::account_numbers, kByNameAndUniqueness},
    {SafeHarborIdentifier::license_numbers, kByNameAndUniqueness},
    {SafeHarborIdentifier::vehicle_identifiers, kByNameAndUniqueness},
    {SafeHarborIdentifier::device_identifiers, kByNameAndUniqueness},
    {SafeHarborIdentifier::web_addresses, kByNameAndShape},
    {SafeHarborIdentifier::ip_addresses, kByNameAndShape},
    {SafeHarborIdentifier::biometric_identifiers, "names of columns"},
    {SafeHarborIdentifier::photographs, "a table of texts holds no pictures"},
    {SafeHarborIdentifier::other_unique_identifiers, kByNameAndUniqueness},
});

// What a column of the release became under the rule, by the figures of the manifest.
std::string treatment_of(const std::string& column, const Json& figures) {
  const auto listed = [&](const char* key) {
    return figures.contains(key) && among(figures[key].get<std::vector<std::string>>(), column);
  };
  if (listed("years_alone")) return "years alone";
  if (listed("ages_to_89")) return "90 and over as one class";
  if (listed("zips_to_three_digits")) return "three digits, 000 for small areas";
  if (listed("changed")) return "cells with an identifier emptied";
  return "left as it is";
}

}  // namespace

void add_safe_harbor_identifiers(PageContext& context) {
  const Json& claims = *context.manifest.claims;
  const bool claimed = std::any_of(claims.begin(), claims.end(), [](const Json& claim) {
    return claim.value("model", "") == "safe-harbor";
  });
  if (!claimed) return;
  const Json figures = context.manifest.results->value("safe_harbor", Json::object());
  std::map<SafeHarborIdentifier, std::vector<std::string>> fates;
  if (context.original) {
    for (const auto& name : context.original->columns) {
      const auto grouped = context.engine.group(*context.original, {name}, context.progress);
      const Column& column = grouped.groups.columns.front();
      const auto findings = columns::safe_harbor_findings(
          name, columns::read_content(column.dictionary, CountedTable(grouped).counts_of(column)));
      if (findings.empty()) continue;
      const bool left = context.release && among(context.release->columns, name);
      fates[findings.front().identifier].push_back(
          fmt::format("{}: {}", cleaned(name), left ? treatment_of(name, figures) : "left out"));
    }
  }
  for (const auto& [identifier, by] : kChecked) {
    const auto fate = fates.find(identifier);
    context.report.safe_harbor.push_back(
        {columns::paragraph(identifier), std::string(columns::to_string(identifier)),
         fate != fates.end() ? fmt::format("{}", fmt::join(fate->second, "; "))
         : context.original  ? "no column of the original looks like it"
                             : "not told: the original is not at hand",
         by});
  }
}

}  // namespace pratique::release
