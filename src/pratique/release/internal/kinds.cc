#include "pratique/release/internal/kinds.h"

#include <array>
#include <nlohmann/json.hpp>

#include "pratique/core/bar_chart.h"
#include "pratique/release/internal/report_words.h"

namespace pratique::release {
namespace {

void describe_nothing(KindContext& /*context*/) {}

constexpr std::array<Kind, 4> kKinds = {
    {{"tables", "a table of records",
      "Somebody who knows the quasi-identifiers of people who are in the table looks for them, in "
      "the original and in the release.",
      describe_table},
     {"codes", "sets of codes",
      "Somebody who knows codes of patients who are in the data looks for them, in the original "
      "and in the release.",
      describe_codes},
     {"trails", "samples and where they were taken",
      "Somebody who has the lists with names links samples to people by where both were seen.",
      describe_trails},
     {"fusion", "a list with names, without a private number",
      "Somebody who has the list looks its people up on the web and estimates the number that "
      "was left out.",
      describe_fusion}}};
constexpr Kind kOther = {"", "a release", "The same adversary, on the original and on the release.",
                         describe_nothing};

}  // namespace

const Kind& kind_of(std::string_view noun) {
  for (const auto& kind : kKinds) {
    if (kind.noun == noun) return kind;
  }
  return kOther;
}

void add_facts(KindContext& context, std::initializer_list<std::string_view> keys) {
  const Json& results = *context.manifest.results;
  for (const auto key : keys) {
    const auto found = results.find(std::string(key));
    if (found == results.end()) continue;
    if (found->is_number()) {
      context.report.facts.push_back({words_of_figure(key), grouped_digits(found->get<double>())});
    } else if (found->is_boolean()) {
      context.report.facts.push_back({words_of_figure(key), found->get<bool>() ? "yes" : "no"});
    } else if (found->is_string()) {
      context.report.facts.push_back({words_of_figure(key), cleaned(found->get<std::string>())});
    }
  }
}

}  // namespace pratique::release
