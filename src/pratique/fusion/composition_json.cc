#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/fusion/composition.h"

namespace pratique::fusion {
namespace {

Json levels(const std::array<double, 4>& shares) {
  Json object = Json::object();
  for (std::size_t c = 0; c < shares.size(); ++c) {
    object[fmt::format("{}", kConfidences[c])] = shares[c];
  }
  return object;
}

template <class Number>
Json or_null(const std::optional<Number>& number) {
  return number ? Json(*number) : Json(nullptr);
}

}  // namespace

std::string_view to_text(Locating how) {
  switch (how) {
    case Locating::automatic:
      return "automatic";
    case Locating::containing:
      return "containing";
    case Locating::nearest:
      return "nearest";
  }
  return "";
}

Json to_json(const Composition& composition) {
  Json prior = Json::array();
  Json by_release = Json::array();
  for (const auto& release : composition.releases) {
    prior.push_back(release.prior);
    by_release.push_back({{"release", release.name},
                          {"rows", release.rows},
                          {"classes", release.classes},
                          {"k", release.k},
                          {"columns", release.columns},
                          {"located_by", to_text(release.by)},
                          {"located", release.located},
                          {"candidates", release.candidates},
                          {"perfect_breach", release.perfect_breach}});
  }
  Json result = {{"releases", composition.releases.size()},
                 {"targets", composition.targets},
                 {"located", composition.located},
                 {"contradicted", composition.contradicted},
                 {"perfect_breach", composition.perfect_breach},
                 {"vulnerable", composition.vulnerable},
                 {"breach_at", levels(composition.breach_at)},
                 {"effective_anonymity", {{"prior", prior}, {"posterior", composition.posterior}}},
                 {"mean_drop", composition.mean_drop},
                 {"ideal_drop", composition.ideal_drop},
                 {"entropy_of_sensitive", composition.entropy_of_sensitive}};
  if (composition.judged) result["correct"] = or_null(composition.correct);
  const auto& bayes = composition.bayes;
  Json by_frequency = {{"prior_strength", bayes.strength},
                       {"believed", bayes.believed},
                       {"breach_at", levels(bayes.breach_at)},
                       {"confidence", bayes.confidence}};
  if (composition.judged) {
    by_frequency["correct"] = or_null(bayes.correct);
    Json bins = Json::array();
    for (const auto& bin : bayes.calibration) {
      if (bin.targets == 0) continue;
      bins.push_back({{"from", bin.from},
                      {"targets", bin.targets},
                      {"confidence", bin.confidence},
                      {"correct", bin.correct}});
    }
    by_frequency["calibration"] = bins;
  }
  result["bayes"] = by_frequency;
  result["by_release"] = by_release;
  return result;
}

}  // namespace pratique::fusion
