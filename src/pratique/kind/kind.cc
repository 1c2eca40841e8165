#include "pratique/kind/kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/bar_chart.h"
#include "pratique/kind/document.h"

namespace pratique::release {

const ModelWords& words_of_model(const Kind& kind, std::string_view model) {
  static constexpr ModelWords kUnknown = {
      "", "a model that this version cannot explain",
      "See the documentation of the version that made the release.",
      "This version of the report knows no more about it."};
  const auto words = std::find_if(kind.models.begin(), kind.models.end(),
                                  [&](const ModelWords& entry) { return entry.model == model; });
  return words == kind.models.end() ? kUnknown : *words;
}

std::string not_held_against(const Kind& kind, const Manifest& manifest) {
  const ModelWords* weakest = nullptr;
  for (const auto& claim : *manifest.claims) {
    const ModelWords& words = words_of_model(kind, claim.value("model", ""));
    if (words.not_against.empty()) return {};
    if (weakest == nullptr) weakest = &words;
  }
  if (weakest == nullptr) return {};
  std::string sentence =
      fmt::format("{} does not hold against {}", weakest->name, weakest->not_against);
  const Json after = manifest.results->value("after", Json::object());
  const Json attack =
      after.is_object() ? after.value(std::string(weakest->not_against_attack), Json()) : Json();
  const Json named = attack.is_object() ? attack.value("named", Json()) : Json();
  const Json targets = attack.is_object() ? attack.value("targets", Json()) : Json();
  if (named.is_number() && targets.is_number()) {
    const auto count = named.get<double>();
    const auto k = manifest.k();
    sentence += fmt::format(
        ", who names {} of {} patients",
        count > 0 && count < static_cast<double>(k) ? hidden_count(k) : grouped_digits(count),
        grouped_digits(targets.get<double>()));
  }
  return sentence + ".";
}

void add_facts(PageContext& context, std::initializer_list<std::string_view> keys) {
  const Json& results = *context.manifest.results;
  for (const auto key : keys) {
    const auto value = results.find(std::string(key));
    if (value == results.end()) continue;
    const std::string words = figure(context.kind.figures, key).words;
    if (value->is_number()) {
      context.report.facts.push_back({words, grouped_digits(value->get<double>())});
    } else if (value->is_boolean()) {
      context.report.facts.push_back({words, value->get<bool>() ? "yes" : "no"});
    } else if (value->is_string()) {
      context.report.facts.push_back({words, cleaned(value->get<std::string>())});
    }
  }
}

}  // namespace pratique::release
