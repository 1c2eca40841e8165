#include "pratique/release/internal/self_agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/kind/document.h"
#include "pratique/kind/recorded_figures.h"

namespace pratique::release {
namespace {

// Whether both have a number, and not the same.
bool differ(const Json& options, const Json& parameters, const char* key) {
  return options.contains(key) && parameters.contains(key) && options[key].is_number() &&
         parameters[key].is_number() && options[key].get<double>() != parameters[key].get<double>();
}

// 0 where it is not told.
double number_or_0(const Json& object, const char* key) {
  return object.contains(key) && object[key].is_number() ? object[key].get<double>() : 0;
}

// Noise can be found in no file: what is claimed of it is what the program was asked for.
std::optional<std::string> wrong_noise(const Manifest& manifest, const Json& claim) {
  const Json& parameters = *manifest.parameters;
  const auto seed = manifest.options->find("insecure-seed");
  const bool seeded = seed != manifest.options->end() && !seed->is_null();
  if (seeded || parameters.value("private", Json(true)) == false)
    return "noise that follows from a seed is claimed to be private";
  for (const char* key : {"epsilon", "delta", "max_rows"}) {
    if (number_or_0(claim, key) != number_or_0(parameters, key))
      return fmt::format("the claim of differential-privacy has a different {} than requested",
                         key);
  }
  if (differ(*manifest.options, parameters, "epsilon"))
    return "the recorded options ask for another epsilon";
  return std::nullopt;
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
    if (model == "differential-privacy") {
      if (const auto wrong = wrong_noise(manifest, claim)) add(*wrong);
    }
    for (const char* key : {"k", "m"}) {
      if (claim.contains(key) && parameters.contains(key) && parameters[key].is_number() &&
          claim[key] != parameters[key])
        add(fmt::format("the claim of {} has a different {} than requested", model, key));
    }
  }
  return disagreements;
}

}  // namespace pratique::release
