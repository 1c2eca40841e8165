// (e,m)-anonymity and range diversity: how near the numbers of a class are to each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/data/number.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/release_classes.h"

namespace pratique::verify {
namespace {

// By code of the released column; nothing for a missing value. Anything else is no number, and the
// claim cannot hold: an empty optional.
using Numbers = std::vector<std::optional<double>>;
std::optional<Numbers> numbers_of(const Dictionary& values) {
  Numbers numbers;
  for (const auto text : values.values()) {
    if (!text.empty() && !is_number(text)) return std::nullopt;
    numbers.push_back(text.empty() ? std::nullopt : std::optional(to_double(text)));
  }
  return numbers;
}

ClaimResult not_numbers(ClaimResult result, double worst) {
  result.achieved = worst;
  result.explanation = fmt::format("'{}' has values that are not numbers", result.attribute);
  return result;
}

// The largest share of a class's records that lies within e of one of its records.
double densest(const ReleaseClass& group, const Numbers& numbers, double e) {
  const double reach = e + kRounding / 10 * std::max(1.0, e);
  // Counts up to each number, in their order.
  std::vector<std::pair<double, double>> sorted;
  double most = 0;
  for (const auto& [value, count] : group.values[0]) {
    if (numbers[value]) {
      sorted.emplace_back(*numbers[value], count);
    } else {
      most = std::max(most, count);
    }
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> up_to{0};
  for (const auto& [number, count] : sorted) up_to.push_back(up_to.back() + count);
  for (const auto& [number, count] : sorted) {
    const double centre = number;
    const auto low = std::partition_point(sorted.begin(), sorted.end(), [&](const auto& other) {
      return centre - other.first > reach;
    });
    const auto high = std::partition_point(sorted.begin(), sorted.end(), [&](const auto& other) {
      return other.first - centre <= reach;
    });
    most = std::max(most, up_to[static_cast<std::size_t>(high - sorted.begin())] -
                              up_to[static_cast<std::size_t>(low - sorted.begin())]);
  }
  return most / group.records;
}

double range(const ReleaseClass& group, const Numbers& numbers) {
  std::vector<double> present;
  for (const auto& [value, count] : group.values[0]) {
    if (numbers[value]) present.push_back(*numbers[value]);
  }
  if (present.empty()) return 0;
  const auto [low, high] = std::minmax_element(present.begin(), present.end());
  return *high - *low;
}

ReleaseClasses classes_of(const ClaimContext& context, const std::string& attribute) {
  return count_classes(context, {attribute});
}

}  // namespace

ClaimResult check_em_anonymity(const ClaimContext& context) {
  ClaimResult result;
  result.attribute = text_in(context.claim, "sensitive");
  const double e = number_in(context.claim, "e");
  const double m = count_in(context.claim, "m");
  result.required = 1 / m;
  const ReleaseClasses classes = classes_of(context, result.attribute);
  const auto numbers = numbers_of(classes.values(0));
  if (!numbers) return not_numbers(std::move(result), 1);
  result.achieved =
      classes.largest(0, [&](const ReleaseClass& group) { return densest(group, *numbers, e); });
  result.holds = result.achieved <= result.required + kRounding;
  result.explanation = fmt::format(
      "the largest share of a class within {:.6g} of one of its values of '{}' is {:.4g}, {:.4g} "
      "is allowed",
      e, result.attribute, result.achieved, result.required);
  return result;
}

ClaimResult check_range(const ClaimContext& context) {
  ClaimResult result;
  result.attribute = text_in(context.claim, "sensitive");
  result.required = number_in(context.claim, "e");
  const ReleaseClasses classes = classes_of(context, result.attribute);
  const auto numbers = numbers_of(classes.values(0));
  if (!numbers) return not_numbers(std::move(result), 0);
  result.achieved =
      classes.smallest(std::numeric_limits<double>::infinity(),
                       [&](const ReleaseClass& group) { return range(group, *numbers); });
  result.holds = result.achieved >= result.required - kRounding;
  result.explanation = fmt::format("the narrowest class spans {:.6g} of '{}', {:.6g} are required",
                                   result.achieved, result.attribute, result.required);
  return result;
}

}  // namespace pratique::verify
