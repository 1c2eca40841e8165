#include "pratique/kind/kind.h"

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
