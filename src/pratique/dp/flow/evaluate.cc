#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/dp/flow/released.h"
#include "pratique/dp/flow/synthesize.h"
#include "pratique/dp/synthesis/encoding.h"
#include "pratique/dp/synthesis/evaluation.h"

namespace pratique::dp::flow {
namespace {

constexpr std::string_view kStewardOnly =
    "STEWARD ONLY: these figures come from the original without noise. They must not leave.";

std::vector<std::string> names_of(const std::vector<Attribute>& attributes) {
  std::vector<std::string> names;
  for (const auto& attribute : attributes) names.push_back(attribute.column());
  return names;
}

// Raw rows, as the synthesiser would read them.
EncodedRows raw_rows(const std::string& path, const std::vector<Attribute>& attributes,
                     const Run& run) {
  const GroupedTable table = run.engine.group(run.open(path), names_of(attributes), run.progress);
  return encoded(attributes, table.groups, table.counts);
}

Json errors_json(const MarginalErrors& errors, const std::vector<std::string>& names) {
  Json each = Json::array();
  std::string worst;
  for (std::size_t i = 0; i < errors.columns.size(); ++i) {
    std::vector<std::string> of;
    for (const auto column : errors.columns[i]) of.push_back(names[column]);
    const std::string together = fmt::format("{}", fmt::join(of, "+"));
    if (errors.distances[i] == errors.worst) worst = together;
    each.push_back({{"columns", together}, {"distance", errors.distances[i]}});
  }
  return {{"mean_distance", errors.mean},
          {"worst_distance", errors.worst},
          {"worst_columns", worst},
          {"each", each}};
}

// What (epsilon, delta) allows anybody who wants to tell a member from somebody else, with even
// odds.
double most_advantage(const Manifest& manifest) {
  double most = 1;
  for (const auto& claim : *manifest.claims) {
    const double gain = std::expm1(claim.value("epsilon", 1e3));
    most = std::min(most, (gain + 2 * claim.value("delta", 0.0)) / (gain + 2));
  }
  return most;
}

}  // namespace

Outcome evaluate(const EvaluateRequest& request, const Run& run) {
  const Manifest manifest = released_by(request.synthetic, "synthesize",
                                        "Name a table that pratique dp synthesize wrote.");
  const auto attributes = released_attributes(request.synthetic, manifest);
  const auto names = names_of(attributes);
  std::vector<std::size_t> sizes;
  for (const auto& attribute : attributes) sizes.push_back(attribute.cells());
  const std::size_t label = request.label.empty()
                                ? names.size() - 1
                                : column_index(names, request.label, request.synthetic);
  const GroupedTable released = run.engine.group(run.open(request.synthetic), names, run.progress);
  const EncodedRows synthetic = encoded_labels(attributes, released.groups, released.counts);
  const EncodedRows original = raw_rows(request.original, attributes, run);

  Json result = {{"steward_only", kStewardOnly},
                 {"rows", synthetic.rows()},
                 {"original_rows", original.rows()}};
  if (names.size() >= 2) {
    result["two_way"] =
        errors_json(marginal_errors(original, synthetic, sizes, 2, run.progress), names);
    const auto accuracy = classifier_accuracy(original, synthetic, sizes, label);
    result["classifier"] = {{"learner", "naive Bayes"},
                            {"label", names[label]},
                            {"trained_on_synthetic", accuracy.synthetic},
                            {"trained_on_original", accuracy.original},
                            {"most_frequent", accuracy.most_frequent}};
    const auto linkage = linkage_attack(original, synthetic, sizes, label);
    result["linkage"] = {{"guessed", names[label]},
                         {"targets", linkage.targets},
                         {"linked", linkage.linked},
                         {"right", linkage.right},
                         {"right_without", linkage.right_without}};
  }
  if (names.size() >= 3) {
    result["three_way"] =
        errors_json(marginal_errors(original, synthetic, sizes, 3, run.progress), names);
  }
  // Definition 9 of the study, of this one release: how far any question of a class is off at most.
  for (const char* ways : {"two_way", "three_way"}) {
    if (!result.contains(ways)) continue;
    result["usefulness"].push_back(
        {{"questions", fmt::format("any share of rows, by {} columns",
                                   ways == std::string_view("two_way") ? "two" : "three")},
         {"epsilon", result[ways]["worst_distance"]}});
  }
  if (request.others.empty()) {
    result["membership"] = "not tried: name people who are not in the data with --others";
  } else {
    const auto attack =
        membership_attack(original, raw_rows(request.others, attributes, run), synthetic);
    result["membership"] = {{"members", attack.members},
                            {"others", attack.others},
                            {"advantage", attack.advantage},
                            {"advantage_at_most", most_advantage(manifest)}};
  }
  if (!request.out.empty()) {
    AtomicFile file(request.out, 0600);
    file.write(result.dump(2) + "\n");
    file.commit();
  }
  Json shown = result;
  for (const char* ways : {"two_way", "three_way"}) {
    if (shown.contains(ways)) shown[ways].erase("each");
  }
  return {.result = result, .passed = true, .for_a_person = shown};
}

}  // namespace pratique::dp::flow
