#include "pratique/tables/release/risks.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

namespace pratique::release {
namespace {

// 1 / size for the smallest group, and its mean over people: groups / people.
std::pair<double, double> highest_and_average(const std::vector<std::uint64_t>& sizes) {
  const auto people = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  return {1 / static_cast<double>(*std::min_element(sizes.begin(), sizes.end())),
          static_cast<double>(sizes.size()) / static_cast<double>(people)};
}

}  // namespace

void add_risks_of_classes(const std::vector<std::uint64_t>& class_sizes, const Json& population,
                          ReleaseReport& report) {
  if (class_sizes.empty()) return;
  const auto [highest, average] = highest_and_average(class_sizes);
  report.risks.push_back({"prosecutor",
                          "that somebody is in the table, and all their quasi-identifiers", highest,
                          average, "sizes of the classes in the released file"});
  const bool known = population.is_object() && population.contains("linkage_risk_max") &&
                     population.contains("linkage_risk_mean");
  const double journalist = known ? population["linkage_risk_max"].get<double>() : highest;
  const double marketer = known ? population["linkage_risk_mean"].get<double>() : average;
  const std::string basis =
      known ? "people of the population who fit a record, when the release was made"
            : "no population was given, so the table is taken for all of it: the true risk is not "
              "higher";
  report.risks.push_back({"journalist",
                          "all quasi-identifiers of everybody, and not who is in the table",
                          journalist, marketer, basis});
  report.risks.push_back({"marketer",
                          "the same, and tries to link everybody: the share that is right",
                          marketer, marketer, basis});
}

void add_risks_of_unheld_columns(const std::string& columns,
                                 const std::vector<std::uint64_t>& by_columns,
                                 const std::vector<std::uint64_t>& by_all, ReleaseReport& report) {
  if (by_columns.empty() || by_all.empty()) return;
  const auto add = [&](const char* adversary, std::string knows,
                       const std::vector<std::uint64_t>& sizes) {
    const auto [highest, average] = highest_and_average(sizes);
    report.risks.push_back({adversary, std::move(knows), highest, average,
                            "groups of equal values in the released file"});
  };
  add("acquaintance", fmt::format("what no model holds: {}", columns), by_columns);
  add("insider", fmt::format("all quasi-identifiers, and what no model holds: {}", columns),
      by_all);
}

}  // namespace pratique::release
