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
  const auto found = std::find_if(kind.models.begin(), kind.models.end(),
                                  [&](const ModelWords& one) { return one.model == model; });
  return found == kind.models.end() ? kUnknown : *found;
}

void add_facts(PageContext& context, std::initializer_list<std::string_view> keys) {
  const Json& results = *context.manifest.results;
  for (const auto key : keys) {
    const auto found = results.find(std::string(key));
    if (found == results.end()) continue;
    const std::string words = figure(context.kind.figures, key).words;
    if (found->is_number()) {
      context.report.facts.push_back({words, grouped_digits(found->get<double>())});
    } else if (found->is_boolean()) {
      context.report.facts.push_back({words, found->get<bool>() ? "yes" : "no"});
    } else if (found->is_string()) {
      context.report.facts.push_back({words, cleaned(found->get<std::string>())});
    }
  }
}

}  // namespace pratique::release
