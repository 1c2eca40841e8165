#include "pratique/verify/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/core/error.h"

namespace pratique::verify {
namespace {

// Room for the rounding of sums of up to a million logarithms, far under any threshold in use.
constexpr double kRounding = 1e-9;

Error malformed(const std::string& what) {
  return Error::input("the manifest's claims cannot be read: " + what)
      .hint("The manifest was changed by hand or comes from another version of pratique.");
}

std::vector<std::string> names_in(const Json& claim, const std::string& key) {
  if (!claim.contains(key) || !claim[key].is_array()) throw malformed("no list '" + key + "'");
  std::vector<std::string> names;
  for (const auto& name : claim[key]) {
    if (!name.is_string()) throw malformed("'" + key + "' holds something other than names");
    names.push_back(name.get<std::string>());
  }
  if (names.empty()) throw malformed("'" + key + "' is empty");
  return names;
}

std::string text_in(const Json& claim, const std::string& key) {
  if (!claim.contains(key) || !claim[key].is_string()) throw malformed("no text '" + key + "'");
  return claim[key].get<std::string>();
}

double number_in(const Json& claim, const std::string& key) {
  if (!claim.contains(key) || !claim[key].is_number()) throw malformed("no number '" + key + "'");
  return claim[key].get<double>();
}

// Counts of the sensitive values in a class; a value appears once.
using Histogram = std::vector<std::pair<Code, double>>;

// The sensitive values of each class.
std::vector<Histogram> sensitive_by_class(Engine& engine, const Source& release, const Json& claim,
                                          Progress& progress) {
  std::vector<std::string> columns = names_in(claim, "quasi_identifiers");
  const std::size_t width = columns.size();
  columns.push_back(text_in(claim, "sensitive"));
  const GroupedTable grouped = engine.group(release, columns, progress);
  const auto& cells = grouped.groups.columns;
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t c = 0; c < width; ++c) {
      if (cells[c].codes[a] != cells[c].codes[b])
        return cells[c].codes[a] < cells[c].codes[b] ? -1 : 1;
    }
    return 0;
  };
  std::vector<std::uint32_t> order(grouped.counts.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return compare(a, b) < 0; });
  std::vector<Histogram> histograms;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || compare(order[i - 1], order[i]) != 0) histograms.emplace_back();
    histograms.back().emplace_back(cells[width].codes[order[i]],
                                   static_cast<double>(grouped.counts[order[i]]));
  }
  return histograms;
}

double total(const Histogram& histogram) {
  double sum = 0;
  for (const auto& [value, count] : histogram) sum += count;
  return sum;
}

double entropy(const Histogram& histogram) {
  const double n = total(histogram);
  double sum = 0;
  for (const auto& [value, count] : histogram) sum -= count / n * std::log(count / n);
  return sum;
}

double largest_share(const Histogram& histogram) {
  double largest = 0;
  for (const auto& [value, count] : histogram) largest = std::max(largest, count);
  return largest / total(histogram);
}

// Half the sum of absolute differences, values that the class lacks included.
double total_variation(const Histogram& part, const std::vector<double>& whole_shares) {
  const double n = total(part);
  double difference = 0;
  double share_of_present = 0;
  for (const auto& [value, count] : part) {
    difference += std::abs(count / n - whole_shares[value]);
    share_of_present += whole_shares[value];
  }
  return (difference + (1 - share_of_present)) / 2;
}

// The worst class by `measure`; for a table without rows, `without_rows`.
double worst(const std::vector<Histogram>& classes, double without_rows, bool smallest_is_worst,
             const std::function<double(const Histogram&)>& measure) {
  if (classes.empty()) return without_rows;
  double result = measure(classes.front());
  for (const auto& histogram : classes) {
    const double value = measure(histogram);
    result = smallest_is_worst ? std::min(result, value) : std::max(result, value);
  }
  return result;
}

ClaimResult k_anonymity(Engine& engine, const Source& release, const Json& claim,
                        Progress& progress) {
  ClaimResult result;
  result.required = number_in(claim, "k");
  const GroupedTable grouped =
      engine.group(release, names_in(claim, "quasi_identifiers"), progress);
  const auto smallest = std::min_element(grouped.counts.begin(), grouped.counts.end());
  std::uint64_t short_records = 0;
  for (const auto count : grouped.counts) {
    if (static_cast<double>(count) < result.required) short_records += count;
  }
  // A table without records shows nobody.
  result.achieved = smallest == grouped.counts.end() ? std::numeric_limits<double>::infinity()
                                                     : static_cast<double>(*smallest);
  result.holds = result.achieved >= result.required;
  result.explanation = result.holds
                           ? fmt::format("every one of {} classes holds at least {:.0f} records",
                                         grouped.counts.size(), result.required)
                           : fmt::format("{} records stand in classes of fewer than {:.0f}",
                                         short_records, result.required);
  return result;
}

ClaimResult sensitive_model(Engine& engine, const Source& release, const Json& claim,
                            Progress& progress) {
  const std::string model = text_in(claim, "model");
  ClaimResult result;
  result.attribute = text_in(claim, "sensitive");
  const auto read_classes = [&] { return sensitive_by_class(engine, release, claim, progress); };
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  if (model == "distinct-l-diversity" || model == "entropy-l-diversity") {
    result.required = number_in(claim, "l");
    const bool distinct = model == "distinct-l-diversity";
    result.achieved = worst(read_classes(), unlimited, true, [&](const Histogram& histogram) {
      return distinct ? static_cast<double>(histogram.size()) : std::exp(entropy(histogram));
    });
    result.holds = result.achieved >= result.required - kRounding;
    result.explanation =
        fmt::format("the least diverse class has {} {:.4g} of '{}', {:.4g} are required",
                    distinct ? "distinct values:" : "entropy for an l of", result.achieved,
                    result.attribute, result.required);
  } else if (model == "alpha") {
    result.required = number_in(claim, "alpha");
    result.achieved = worst(read_classes(), 0, false, largest_share);
    result.holds = result.achieved <= result.required + kRounding;
    result.explanation = fmt::format(
        "the largest share of one value of '{}' in a class is {:.4g}, {:.4g} is allowed",
        result.attribute, result.achieved, result.required);
  } else if (model == "t-closeness") {
    if (text_in(claim, "distance") != "equal") throw malformed("an unknown distance");
    result.required = number_in(claim, "t");
    const auto classes = read_classes();
    std::vector<double> whole;
    double records = 0;
    for (const auto& histogram : classes) {
      for (const auto& [value, count] : histogram) {
        if (whole.size() <= value) whole.resize(value + 1, 0);
        whole[value] += count;
        records += count;
      }
    }
    for (double& share : whole) share /= records;
    result.achieved = worst(classes, 0, false, [&](const Histogram& histogram) {
      return total_variation(histogram, whole);
    });
    result.holds = result.achieved <= result.required + kRounding;
    result.explanation = fmt::format(
        "the class farthest from the whole table in '{}' is at distance {:.4g}, {:.4g} is allowed",
        result.attribute, result.achieved, result.required);
  } else {
    throw malformed("an unknown model");
  }
  return result;
}

}  // namespace

ClaimResult verify_claim(Engine& engine, const Source& release, const Json& claim,
                         Progress& progress) {
  if (!claim.is_object()) throw malformed("a claim is not an object");
  const std::string model = text_in(claim, "model");
  ClaimResult result = model == "k-anonymity" ? k_anonymity(engine, release, claim, progress)
                                              : sensitive_model(engine, release, claim, progress);
  result.model = model;
  return result;
}

}  // namespace pratique::verify
