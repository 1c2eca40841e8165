#include "pratique/release/internal/self_agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/kind/document.h"
#include "pratique/kind/recorded_figures.h"

namespace pratique::release {
namespace {

// 3 of "3" and of "3@diagnosis".
std::optional<double> leading_number(const std::string& text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? std::optional(value) : std::nullopt;
}

// diagnosis of "3@diagnosis"; empty where it is about no column in particular.
std::string column_of(const std::string& text) {
  const auto at = text.find('@');
  return at == std::string::npos ? std::string() : text.substr(at + 1);
}

bool claimed(const Json& claims, const std::string& key, double value, const std::string& column) {
  return std::any_of(claims.begin(), claims.end(), [&](const Json& claim) {
    return claim.contains(key) && claim[key].is_number() && claim[key].get<double>() == value &&
           (column.empty() || claim.value("sensitive", Json()) == column);
  });
}

// Whether both have a number, and not the same.
bool differ(const Json& options, const Json& parameters, const char* key) {
  return options.contains(key) && parameters.contains(key) && options[key].is_number() &&
         parameters[key].is_number() && options[key].get<double>() != parameters[key].get<double>();
}

}  // namespace

std::vector<std::string> self_contradictions(const Manifest& manifest) {
  std::vector<std::string> disagreements;
  for (const char* key : {"k", "m"}) {
    if (differ(*manifest.options, *manifest.parameters, key))
      disagreements.push_back(fmt::format("the recorded options ask for another {}", key));
  }
  if (const auto seed = manifest.options->find("seed");
      seed != manifest.options->end() && seed->is_number() && *seed != manifest.seed)
    disagreements.emplace_back("the recorded options have another seed");
  const auto add = [&](std::string what) {
    if (std::find(disagreements.begin(), disagreements.end(), what) == disagreements.end())
      disagreements.push_back(std::move(what));
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
    if (claim.contains("quasi_identifiers") && claim.contains("sensitive") &&
        claim["sensitive"].is_string() && parameters.contains("sensitive")) {
      const Names sensitive = names_in(parameters, "sensitive");
      if (std::find(sensitive.begin(), sensitive.end(), claim["sensitive"].get<std::string>()) ==
          sensitive.end())
        add(fmt::format("the claim of {} is not about a sensitive column of the release", model));
    }
    for (const char* key : {"k", "m"}) {
      if (claim.contains(key) && parameters.contains(key) && parameters[key].is_number() &&
          claim[key] != parameters[key])
        add(fmt::format("the claim of {} has a different {} than requested", model, key));
    }
  }
  for (const char* key : {"k", "l", "t"}) {
    const Json models = parameters.value("models", Json::object());
    if (!models.contains(key)) continue;
    for (const auto& setting : models[key]) {
      const auto text = setting.get<std::string>();
      const auto value = leading_number(text);
      if (value && !claimed(claims, key, *value, column_of(text)))
        add(fmt::format("{} = {} was requested, but no claim covers it", key, *value));
    }
  }
  return disagreements;
}

}  // namespace pratique::release
