#include "pratique/dp/release/kind.h"

#include <array>
#include <nlohmann/json.hpp>

namespace pratique::dp {
namespace {

constexpr std::array<Figure, 28> kDpFigures = {{
    {"epsilon", "epsilon"},
    {"spent", "epsilon spent"},
    {"left", "epsilon left"},
    {"epsilon_spent", "epsilon spent"},
    {"epsilon_left", "epsilon left"},
    {"epsilon_bound", "epsilon that the runs prove to be needed"},
    {"entries", "charges"},
    {"lines", "lines of the histogram"},
    {"rows", "rows of the synthetic table"},
    {"marginals", "marginals that were measured"},
    {"original_rows", "rows of the original"},
    {"two_way", "all pairs of columns"},
    {"three_way", "all sets of three columns"},
    {"mean_distance", "total variation distance, on average"},
    {"worst_distance", "total variation distance, at most"},
    {"trained_on_synthetic", "right, trained on synthetic rows", Unit::share},
    {"trained_on_original", "right, trained on original rows", Unit::share},
    {"most_frequent", "right, with the most frequent label", Unit::share},
    {"targets", "targets"},
    {"linked", "of these, a synthetic row is like them"},
    {"right", "of these, guessed right"},
    {"right_without", "of these, right without the release"},
    {"advantage", "advantage over a coin: 0 nothing, 1 all"},
    {"advantage_at_most", "advantage that epsilon and delta allow"},
    {"threshold", "least count that is listed"},
    {"answer", "answer"},
    {"error", "error, at most, with 95 % confidence"},
    {"error_of_noise", "of it, by noise alone"},
}};

constexpr std::array<release::ModelWords, 1> kDpModels = {{
    {"differential-privacy", "differential privacy",
     "Whatever anybody knows, what leaves is at most e^epsilon times as likely with a person in "
     "the "
     "data as without.",
     "It is attested by the program that added the noise: no file can show it. Budgets of the same "
     "people add up."},
}};

bool is_no_file(const std::string& domain) {
  const bool range =
      domain.find("..") != std::string::npos && domain.find('/') == std::string::npos;
  return range || domain.find('|') != std::string::npos;
}

constexpr std::array<release::FileOption, 1> kDpFileOptions = {{{"domain", is_no_file}}};

void describe_dp(release::PageContext& context) {
  const Json& parameters = *context.manifest.parameters;
  const auto is_private = parameters.find("private");
  const bool seeded = is_private != parameters.end() && *is_private == false;
  context.report.repeatable = seeded;
  if (context.report.standing == release::Standing::holds) {
    context.report.verdict =
        "Attested: the released file is the one described, and holds nothing but declared values "
        "and counts. That noise was added, the program says that made it; no file can show it.";
  }
  if (seeded) {
    // Shown in red.
    context.report.standing = release::Standing::fails;
    context.report.verdict =
        "NOT PRIVATE: the noise follows from a seed (--insecure-seed), and whoever knows it can "
        "take it off again. " +
        context.report.verdict;
  }
  release::add_facts(context, {"lines", "threshold", "rows"});
}

}  // namespace

release::Kind kind() {
  return {
      .noun = "dp",
      .verb = "histogram",
      .other_verb = "synthesize",
      .title = "a histogram or a synthetic table with noise",
      .adversary =
          "Somebody who knows everybody else in the data wants to know whether a person is in it.",
      .file_kind = "",
      .figures = kDpFigures,
      .models = kDpModels,
      .file_options = kDpFileOptions,
      .describe = describe_dp};
}

}  // namespace pratique::dp
