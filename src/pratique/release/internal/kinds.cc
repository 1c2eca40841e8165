#include "pratique/release/internal/kinds.h"

#include <array>
#include <nlohmann/json.hpp>

#include "pratique/core/bar_chart.h"
#include "pratique/release/internal/report_words.h"

namespace pratique::release {
namespace {

void describe_nothing(KindContext& /*context*/) {}

constexpr std::array<Kind, 3> kKinds = {{{"tables", "a table of records", describe_table},
                                         {"codes", "sets of codes", describe_codes},
                                         {"trails", "who was seen where", describe_trails}}};
constexpr Kind kOther = {"", "a release", describe_nothing};

}  // namespace

const Kind& kind_of(std::string_view noun) {
  for (const auto& kind : kKinds) {
    if (kind.noun == noun) return kind;
  }
  return kOther;
}

void add_facts(KindContext& context, std::initializer_list<std::string_view> keys) {
  const Json& results = context.manifest.at("results");
  for (const auto key : keys) {
    const auto found = results.find(std::string(key));
    if (found == results.end()) continue;
    if (found->is_number()) {
      context.report.facts.push_back({words_of_figure(key), grouped_digits(found->get<double>())});
    } else if (found->is_string()) {
      context.report.facts.push_back({words_of_figure(key), cleaned(found->get<std::string>())});
    }
  }
}

}  // namespace pratique::release
