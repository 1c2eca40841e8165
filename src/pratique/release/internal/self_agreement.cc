#include "pratique/release/internal/self_agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/release/document.h"
#include "pratique/release/internal/recorded_command.h"
#include "pratique/release/internal/recorded_figures.h"

namespace pratique::release {
namespace {

// 3 of "3" and of "3@diagnosis".
std::optional<double> leading_number(const std::string& text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? std::optional(value) : std::nullopt;
}

bool claimed(const Json& claims, const std::string& key, double value) {
  return std::any_of(claims.begin(), claims.end(), [&](const Json& claim) {
    return claim.contains(key) && claim[key].is_number() && claim[key].get<double>() == value;
  });
}

// Whether a recorded share is that of the two recorded counts.
bool divides(const Json& figures, const char* share, const char* part, const char* whole) {
  if (!figures.contains(share) || !figures.contains(part) || !figures.contains(whole)) return true;
  if (!figures[part].is_number() || !figures[whole].is_number()) return false;
  const auto count = figures[whole].get<double>();
  const double expected = count == 0 ? 0 : figures[part].get<double>() / count;
  return recorded(figures, share, [&](double said) { return std::abs(said - expected) < 1e-9; });
}

// Shares of what an attack found, against the counts beside them.
bool shares_agree(const Json& found) {
  const auto largest = [&](double said) {
    const double k = found.value("k", 0.0);
    return std::abs(said - (k == 0 ? 0 : 1 / k)) < 1e-9;
  };
  return (!found.contains("k") || recorded(found, "linkage_risk_max", largest)) &&
         divides(found, "linkage_risk_mean", "classes", "records") &&
         divides(found, "unique_share", "unique", "records") &&
         divides(found, "sensitive_disclosed_share", "sensitive_disclosed", "records");
}

bool equal_where_both(const Json& a, const Json& b, const char* key) {
  return !a.contains(key) || !b.contains(key) || a[key] == b[key];
}

// A table's results with each other.
void compare_results(const Manifest& manifest, std::vector<std::string>& found) {
  const Json& results = *manifest.results;
  const Json before = results.value("before", Json::object());
  const Json after = results.value("after", Json::object());
  if (!shares_agree(before) || !shares_agree(after))
    found.emplace_back("its shares and risks do not follow from its counts");
  const auto number = [&](const char* key) { return results.value(key, 0.0); };
  if (results.contains("rows_in") && results.contains("rows_out") &&
      !recorded(results, "suppressed",
                [&](double said) { return said == number("rows_in") - number("rows_out"); }))
    found.emplace_back("records read, released and left out do not add up");
  if (!equal_where_both(results, after, "classes"))
    found.emplace_back("it has two numbers of classes");
  if (!equal_where_both(results, *manifest.parameters, "method"))
    found.emplace_back("it has two methods");
}

}  // namespace

std::vector<std::string> self_contradictions(const Manifest& manifest) {
  std::vector<std::string> found = command_contradictions(manifest);
  if (manifest.kind == "tables") compare_results(manifest, found);
  const auto add = [&](std::string what) {
    if (std::find(found.begin(), found.end(), what) == found.end())
      found.push_back(std::move(what));
  };
  const Json& parameters = *manifest.parameters;
  const Json& claims = *manifest.claims;
  const Names asked = names_in(parameters, "quasi_identifiers");
  for (const auto& claim : claims) {
    const std::string model = cleaned(claim.at("model").get<std::string>());
    if (claim.contains("quasi_identifiers") && parameters.contains("quasi_identifiers") &&
        !same_names(names_in(claim, "quasi_identifiers"), asked)) {
      add(fmt::format("the claim of {} is not about the quasi-identifiers of the release", model));
    }
    for (const char* key : {"k", "m"}) {
      if (claim.contains(key) && parameters.contains(key) && parameters[key].is_number() &&
          claim[key] != parameters[key])
        add(fmt::format("the claim of {} has another {} than was asked for", model, key));
    }
  }
  for (const char* key : {"k", "l", "t"}) {
    const Json models = parameters.value("models", Json::object());
    if (!models.contains(key)) continue;
    for (const auto& setting : models[key]) {
      const auto value = leading_number(setting.get<std::string>());
      if (value && !claimed(claims, key, *value))
        add(fmt::format("{} = {} was asked for, and no claim is about it", key, *value));
    }
  }
  return found;
}

}  // namespace pratique::release
