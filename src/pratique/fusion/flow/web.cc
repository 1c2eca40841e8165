#include "pratique/fusion/flow/web.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/fusion/fcl.h"
#include "pratique/fusion/flow/number_reading.h"
#include "pratique/kind/publish.h"

namespace pratique::fusion::flow {
namespace {

// The private value of each row of the release, by a key that names one row of the truth; not a
// number where it does not.
std::vector<double> truth_of(const LoadedTable& release, const LoadedTable& truth,
                             const WebRequest& options) {
  const std::string& key = options.truth_key.empty() ? options.names.key : options.truth_key;
  const Column& keys = truth.column(key);
  const auto values = target_numbers(truth.column(options.target), truth.source.name);
  std::unordered_map<std::string_view, double> value_of;
  for (std::size_t row = 0; row < keys.codes.size(); ++row) {
    const auto [place, added] = value_of.emplace(keys.text(row), values[row]);
    if (!added) place->second = std::nan("");
  }
  std::vector<double> private_values;
  const Column& asked = release.column(key);
  for (std::size_t row = 0; row < asked.codes.size(); ++row) {
    const auto place = value_of.find(asked.text(row));
    private_values.push_back(place == value_of.end() ? std::nan("") : place->second);
  }
  return private_values;
}

bool has_column(const LoadedTable& loaded, const std::string& name) {
  const auto& columns = loaded.source.columns;
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

void write_estimates(const Run& run, const WebRequest& options, const LoadedTable& release,
                     const fusion::WebAttack& attack, const fusion::NameMatches& matches) {
  const Column& key = release.column(options.names.key);
  std::vector<std::string> names(key.dictionary.values().begin(), key.dictionary.values().end());
  std::vector<Code> rows(key.codes.size());
  std::vector<std::string> estimates;
  std::vector<Code> matched;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row] = static_cast<Code>(row);
    estimates.push_back(fmt::format("{:.6g}", attack.adversaries[attack.strongest].estimates[row]));
    matched.push_back(matches.row_of[row] == fusion::kNotFound ? 0 : 1);
  }
  const std::vector<std::string> answers = {"no", "yes"};
  Output output;
  output.columns = {{options.names.key, &key.codes, &names},
                    {"estimate", &rows, &estimates},
                    {"found", &matched, &answers}};
  output.row_count = rows.size();
  output.delimiter = release.source.delimiter;
  AtomicFile file(options.out);
  file.set_mode(0600);  // it says what somebody may earn
  run.engine.write(output, file.temporary_path(), run.progress);
  file.commit();
}

Json describe(const fusion::AdversaryOutcome& outcome, bool scored) {
  Json description = {{"adversary", outcome.name}};
  if (scored) {
    description["dissimilarity_before"] = outcome.before.dissimilarity;
    description["dissimilarity_after"] = outcome.after.dissimilarity;
    description["information_gain"] = outcome.before.dissimilarity - outcome.after.dissimilarity;
    description["within_5_percent"] = outcome.after.within_5_percent;
    description["within_10_percent"] = outcome.after.within_10_percent;
    description["rank_correlation"] = outcome.after.rank_correlation;
  }
  description["unexplained"] = outcome.unexplained;
  return description;
}

Json describe_inputs(const fusion::FuzzySystem& rules, const fusion::People& people) {
  Json inputs = Json::array();
  const auto seen = fusion::observe(rules, *people.release, people.auxiliary, people.fact_row);
  for (const auto& input : seen.inputs) {
    inputs.push_back({{"input", input.name},
                      {"from", input.in_release && input.in_auxiliary ? "both"
                               : input.in_release                     ? "release"
                                                                      : "auxiliary"},
                      {"known", input.known()}});
  }
  return inputs;
}

// Empty where estimates were fused with facts and held against private values.
std::string why_untried(std::size_t matched, std::size_t scored, const Json& inputs) {
  if (scored == 0) {
    return "no private value is known, so nothing was measured; give them with --truth";
  }
  if (matched == 0) {
    return "nobody in the release is in the auxiliary file, so no facts were tried; check --key "
           "and "
           "--auxiliary-key";
  }
  if (std::all_of(inputs.begin(), inputs.end(),
                  [](const Json& input) { return input.at("known") == 0.0; })) {
    return "no value that the rules ask for could be read of anybody, so nothing was tried";
  }
  return {};
}

}  // namespace

Outcome web(const WebRequest& options, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  RulesFor rules = read_rules(options.rules, options.target);
  NumberReading numbers(options.number_forms, &rules.system, options.target, options.names,
                        !options.learn.empty());
  const LoadedTable release = numbers.load(run, options.release);
  const LoadedTable auxiliary = numbers.load(run, options.auxiliary);
  require_inputs(rules.system, {&release.table, &auxiliary.table}, options.rules);
  std::vector<Source> sources = {release.source, auxiliary.source};

  std::vector<double> truth;
  const bool own_truth = options.truth.empty() && has_column(release, options.target);
  if (!options.truth.empty()) {
    const LoadedTable loaded = numbers.load(run, options.truth);
    sources.push_back(loaded.source);
    truth = truth_of(release, loaded, options);
  } else if (own_truth) {
    truth = target_numbers(release.column(options.target), release.source.name);
  } else {
    truth.assign(release.table.rows(), std::nan(""));
  }
  std::optional<LearningSample> sample;
  if (!options.learn.empty()) {
    sample.emplace(numbers.load(run, options.learn), options.names, options.target);
    sources.push_back(sample->loaded().source);
  }
  numbers.refuse_unheard();
  if (!options.out.empty()) {
    release::refuse_overwriting_inputs(options.out, sources, {options.rules});
  }

  const auto matches = fusion::match_names(release.column(options.names.key),
                                           auxiliary.column(options.names.key_in_auxiliary()),
                                           options.names.matching, run.progress);
  const fusion::People people{&release.table, &auxiliary.table, matches.row_of};
  fusion::WebAdversary adversary(
      rules.system, rules.output,
      {fusion::fcl_identifier(options.names.key),
       fusion::fcl_identifier(options.names.key_in_auxiliary()),
       fusion::fcl_identifier(options.target), fusion::fcl_identifier(options.truth_key)});
  std::optional<fusion::Sample> learned;
  if (sample) {
    sample->find_in(run, release.table, options.names);
    // What is known of these people needs no estimate.
    for (const auto row : sample->rows_in_release()) {
      if (row != fusion::kNotFound) truth[row] = std::nan("");
    }
    learned = sample->beside(release.table, auxiliary.table,
                             sample->find_facts(run, auxiliary, options.names));
    adversary.learn(*learned, run.progress);
  }
  const auto attack = adversary.attack(people, truth, learned ? &*learned : nullptr, run.progress);
  const std::size_t scored = attack.after().scored;
  if (!options.truth.empty() && scored == 0) {
    throw Error::input(
        "no row of the release could be scored: no key occurs exactly once in the truth")
        .at(options.truth)
        .hint("Use --truth-key to name a column that both have and that distinguishes rows.");
  }

  Json result = {{"people", release.table.rows()},
                 {"matched", matches.matched},
                 {"matched_exactly", matches.exact},
                 {"ambiguous", matches.ambiguous},
                 {"scored", scored}};
  if (sample) result["sample"] = sample->known();
  add_figures(result, attack, scored > 0);
  if (scored > 0) {
    result["variance_of_target"] = fusion::variance_of_known(truth);
    result["strongest"] = attack.adversaries[attack.strongest].name;
  }
  result["inputs"] = describe_inputs(rules.system, people);
  numbers.add_to(result);
  result["adversaries"] = Json::array();
  for (const auto& outcome : attack.adversaries) {
    result["adversaries"].push_back(describe(outcome, scored > 0));
  }
  if (!options.out.empty()) {
    write_estimates(run, options, release, attack, matches);
    result["out"] = options.out;
  }
  result["seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const std::string untried = why_untried(matches.matched, scored, result["inputs"]);
  if (!untried.empty()) result["note"] = untried;
  return {result, !options.fail_above ||
                      (untried.empty() && attack.after().within_10_percent <= *options.fail_above)};
}

}  // namespace pratique::fusion::flow
