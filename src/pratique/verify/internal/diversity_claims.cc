// k-anonymity, l-diversity in three forms, and alpha: how many records and values a class has.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/engine/people.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/release_classes.h"
#include "pratique/verify/internal/spelling.h"

namespace pratique::verify {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

struct SensitiveClasses {
  ReleaseClasses classes;
  bool respelled = false;  // some values differ in spelling alone, and count as one
};

SensitiveClasses sensitive_classes(const ClaimContext& context) {
  SensitiveClasses sensitive{count_classes(context, {text_in(context.claim, "sensitive")})};
  std::map<std::string, Code> first;
  std::vector<Code> counts_as;
  for (const auto value : sensitive.classes.values(0).values()) {
    const auto code = static_cast<Code>(counts_as.size());
    counts_as.push_back(first.emplace(without_spelling(value), code).first->second);
    sensitive.respelled = sensitive.respelled || counts_as.back() != code;
  }
  if (!sensitive.respelled) return sensitive;
  for (auto& group : sensitive.classes.classes) {
    std::map<Code, double> joined;
    for (const auto& [value, count] : group.values[0]) joined[counts_as[value]] += count;
    group.values[0].assign(joined.begin(), joined.end());
  }
  return sensitive;
}

constexpr std::string_view kRespelled = "; values that differ in spelling alone count as one";

double entropy(const ReleaseClass& group) {
  double sum = 0;
  for (const auto& [value, count] : group.values[0]) {
    sum -= count / group.records * std::log(count / group.records);
  }
  return sum;
}

// r_1 / (r_l + ... + r_m), counts from the largest down.
double recursive_ratio(const ReleaseClass& group, double l) {
  std::vector<double> counts;
  for (const auto& [value, count] : group.values[0]) counts.push_back(-count);
  std::sort(counts.begin(), counts.end());
  double tail = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (static_cast<double>(i + 1) >= l) tail -= counts[i];
  }
  return tail == 0 ? kUnlimited : -counts.front() / tail;
}

double largest_share(const ReleaseClass& group) {
  double largest = 0;
  for (const auto& [value, count] : group.values[0]) largest = std::max(largest, count);
  return largest / group.records;
}

}  // namespace

ClaimResult check_k_anonymity(const ClaimContext& context) {
  ClaimResult result;
  result.required = count_in(context.claim, "k");
  const std::string person = person_in(context.claim);
  const GroupedTable grouped =
      group_people(context.engine, context.release, names_in(context.claim, "quasi_identifiers"),
                   person, context.progress);
  const auto smallest = std::min_element(grouped.counts.begin(), grouped.counts.end());
  std::uint64_t short_records = 0;
  for (const auto count : grouped.counts) {
    if (static_cast<double>(count) < result.required) short_records += count;
  }
  // A table without records shows nobody.
  result.achieved = smallest == grouped.counts.end() ? kUnlimited : static_cast<double>(*smallest);
  result.holds = result.achieved >= result.required;
  const char* who = person.empty() ? "records" : "people";
  result.explanation = result.holds
                           ? fmt::format("every one of {} classes holds at least {:.0f} {}",
                                         grouped.counts.size(), result.required, who)
                           : fmt::format("{} {} are in classes of fewer than {:.0f}", short_records,
                                         who, result.required);
  if (!result.holds || person.empty()) return result;
  // Rows of one person are joined by the column that names the person: who is known to be in two
  // classes is among those alone who are in both.
  const auto people =
      context.engine.group(context.release, {person}, context.progress).counts.size();
  const std::uint64_t twice = grouped.rows() - people;
  if (twice > 0) {
    result.holds = false;
    result.explanation = fmt::format("people are in several classes ({} times too often)", twice);
  }
  return result;
}

ClaimResult check_diversity(const ClaimContext& context) {
  const std::string model = text_in(context.claim, "model");
  const double l = count_in(context.claim, "l");
  ClaimResult result;
  result.attribute = text_in(context.claim, "sensitive");
  const auto [classes, respelled] = sensitive_classes(context);
  const std::string_view remark = respelled ? kRespelled : "";
  if (model == "recursive-l-diversity") {
    result.required = number_in(context.claim, "c");
    result.achieved =
        classes.largest(0, [&](const ReleaseClass& group) { return recursive_ratio(group, l); });
    // Both sides are one rounding of the true quotient, and the definition says less than.
    result.holds = result.achieved < result.required;
    result.explanation = fmt::format(
        "the most frequent value of '{}' has at most {:.4g} times the records of the {:.0f}th and "
        "rarer ones of its class, less than {:.4g} is required{}",
        result.attribute, result.achieved, l, result.required, remark);
    return result;
  }
  const bool distinct = model == "distinct-l-diversity";
  result.required = l;
  result.achieved = classes.smallest(kUnlimited, [&](const ReleaseClass& group) {
    return distinct ? static_cast<double>(group.values[0].size()) : std::exp(entropy(group));
  });
  result.holds = result.achieved >= result.required - kRounding;
  result.explanation =
      fmt::format("the least diverse class has {} {:.4g} of '{}', {:.4g} are required{}",
                  distinct ? "distinct values:" : "entropy for an l of", result.achieved,
                  result.attribute, result.required, remark);
  return result;
}

ClaimResult check_value_risk(const ClaimContext& context) {
  ClaimResult result;
  result.attribute = text_in(context.claim, "sensitive");
  result.required = number_in(context.claim, "share");
  const std::string value = without_spelling(text_in(context.claim, "value"));
  const ReleaseClasses classes = count_classes(context, {result.attribute});
  std::vector<bool> is_value;
  for (const auto present : classes.values(0).values())
    is_value.push_back(without_spelling(present) == value);
  result.achieved = classes.largest(0, [&](const ReleaseClass& group) {
    double having = 0;
    for (const auto& [present, count] : group.values[0]) {
      if (is_value[present]) having += count;
    }
    return having / group.records;
  });
  result.holds = result.achieved <= result.required + kRounding;
  result.explanation =
      fmt::format("the largest share of the value in a class is {:.4g}, {:.4g} is allowed",
                  result.achieved, result.required);
  return result;
}

ClaimResult check_alpha(const ClaimContext& context) {
  ClaimResult result;
  result.attribute = text_in(context.claim, "sensitive");
  result.required = number_in(context.claim, "alpha");
  const auto [classes, respelled] = sensitive_classes(context);
  result.achieved = classes.largest(0, largest_share);
  result.holds = result.achieved <= result.required + kRounding;
  result.explanation = fmt::format(
      "the largest share of one value of '{}' in a class is {:.4g}, {:.4g} is allowed{}",
      result.attribute, result.achieved, result.required, respelled ? kRespelled : "");
  return result;
}

}  // namespace pratique::verify
