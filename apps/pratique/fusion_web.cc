#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "fusion_people.h"
#include "fusion_verbs.h"
#include "pratique/core/file.h"
#include "pratique/fusion/fcl.h"
#include "pratique/kind/publish.h"

namespace pratique::app {
namespace {

struct WebOptions {
  std::string release;
  std::string auxiliary;
  NameOptions names;
  std::string target;
  std::string rules;
  std::string truth;
  std::string truth_key;
  std::string learn;
  std::string out;
  std::optional<double> fail_above;
};

// The private value of each row of the release, by a key that names one row of the truth; not a
// number where it does not.
std::vector<double> truth_of(const LoadedTable& release, const LoadedTable& truth,
                             const WebOptions& options) {
  const std::string& key = options.truth_key.empty() ? options.names.key : options.truth_key;
  const Column& keys = truth.column(key);
  const auto values = target_numbers(truth.column(options.target), truth.source.name);
  std::unordered_map<std::string_view, double> value_of;
  for (std::size_t row = 0; row < keys.codes.size(); ++row) {
    const auto [place, added] = value_of.emplace(keys.text(row), values[row]);
    if (!added) place->second = std::nan("");
  }
  std::vector<double> found;
  const Column& asked = release.column(key);
  for (std::size_t row = 0; row < asked.codes.size(); ++row) {
    const auto place = value_of.find(asked.text(row));
    found.push_back(place == value_of.end() ? std::nan("") : place->second);
  }
  return found;
}

bool has_column(const LoadedTable& loaded, const std::string& name) {
  const auto& columns = loaded.source.columns;
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

void write_estimates(Session& session, const WebOptions& options, const LoadedTable& release,
                     const fusion::WebAttack& attack, const fusion::NameMatches& found) {
  const Column& key = release.column(options.names.key);
  std::vector<std::string> names(key.dictionary.values().begin(), key.dictionary.values().end());
  std::vector<Code> rows(key.codes.size());
  std::vector<std::string> estimates;
  std::vector<Code> matched;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row] = static_cast<Code>(row);
    estimates.push_back(fmt::format("{:.6g}", attack.adversaries[attack.strongest].estimates[row]));
    matched.push_back(found.found[row] == fusion::kNotFound ? 0 : 1);
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
  session.engine().write(output, file.temporary_path(), session.progress);
  file.commit();
}

Json describe(const fusion::AdversaryOutcome& outcome, bool scored) {
  Json one = {{"adversary", outcome.name}};
  if (scored) {
    one["dissimilarity_before"] = outcome.before.dissimilarity;
    one["dissimilarity_after"] = outcome.after.dissimilarity;
    one["information_gain"] = outcome.before.dissimilarity - outcome.after.dissimilarity;
    one["within_5_percent"] = outcome.after.within_5_percent;
    one["within_10_percent"] = outcome.after.within_10_percent;
    one["rank_correlation"] = outcome.after.rank_correlation;
  }
  one["unexplained"] = outcome.unexplained;
  return one;
}

Json describe_inputs(const fusion::FuzzySystem& rules, const fusion::People& people) {
  Json inputs = Json::array();
  const auto seen = fusion::observe(rules, *people.release, people.auxiliary, people.found);
  for (const auto& input : seen.inputs) {
    inputs.push_back({{"input", input.name},
                      {"from", input.in_release && input.in_auxiliary ? "both"
                               : input.in_release                     ? "release"
                                                                      : "auxiliary"},
                      {"known", input.known()}});
  }
  return inputs;
}

int run(Session& session, const WebOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  RulesFor rules = read_rules(options.rules, options.target);
  const LoadedTable release = load_table(session, options.release);
  const LoadedTable auxiliary = load_table(session, options.auxiliary);
  require_inputs(rules.system, {&release.table, &auxiliary.table}, options.rules);
  std::vector<Source> sources = {release.source, auxiliary.source};

  std::vector<double> truth;
  const bool own_truth = options.truth.empty() && has_column(release, options.target);
  if (!options.truth.empty()) {
    const LoadedTable loaded = load_table(session, options.truth);
    sources.push_back(loaded.source);
    truth = truth_of(release, loaded, options);
  } else if (own_truth) {
    truth = target_numbers(release.column(options.target), release.source.name);
  } else {
    truth.assign(release.table.rows(), std::nan(""));
  }
  std::optional<LearningSample> sample;
  if (!options.learn.empty()) {
    sample.emplace(session, options.learn, options.names, options.target);
    sources.push_back(sample->loaded().source);
  }
  if (!options.out.empty()) {
    release::refuse_overwriting_inputs(options.out, sources, {options.rules});
  }

  const auto found = fusion::match_names(release.column(options.names.key),
                                         auxiliary.column(options.names.key_in_auxiliary()),
                                         options.names.matching, session.progress);
  const fusion::People people{&release.table, &auxiliary.table, found.found};
  fusion::WebAdversary adversary(
      rules.system, rules.output,
      {fusion::fcl_identifier(options.names.key),
       fusion::fcl_identifier(options.names.key_in_auxiliary()),
       fusion::fcl_identifier(options.target), fusion::fcl_identifier(options.truth_key)});
  std::optional<fusion::Sample> learned;
  if (sample) {
    sample->find_in(session, release.table, options.names);
    // What is known of these people needs no estimate.
    for (const auto row : sample->rows_in_release()) {
      if (row != fusion::kNotFound) truth[row] = std::nan("");
    }
    learned = sample->beside(release.table, auxiliary.table,
                             sample->find_facts(session, auxiliary, options.names));
    adversary.learn(*learned, session.progress);
  }
  const auto attack =
      adversary.attack(people, truth, learned ? &*learned : nullptr, session.progress);
  const std::size_t scored = attack.after().scored;
  if (!options.truth.empty() && scored == 0) {
    throw Error::input("no row of the release could be scored: no key is in the truth just once")
        .at(options.truth)
        .hint("Name a column that both have and that tells rows apart with --truth-key.");
  }

  Json result = {{"people", release.table.rows()},
                 {"matched", found.matched},
                 {"matched_exactly", found.exact},
                 {"ambiguous", found.ambiguous},
                 {"scored", scored}};
  if (sample) result["sample"] = sample->known();
  add_figures(result, attack, scored > 0);
  if (scored > 0) {
    result["variance_of_target"] = fusion::variance_of_known(truth);
    result["strongest"] = attack.adversaries[attack.strongest].name;
  }
  result["inputs"] = describe_inputs(rules.system, people);
  result["adversaries"] = Json::array();
  for (const auto& outcome : attack.adversaries) {
    result["adversaries"].push_back(describe(outcome, scored > 0));
  }
  if (!options.out.empty()) {
    write_estimates(session, options, release, attack, found);
    result["out"] = options.out;
  }
  result["seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  session.print(result);
  return options.fail_above && scored > 0 && attack.after().within_10_percent > *options.fail_above
             ? 1
             : 0;
}

}  // namespace

void add_fusion_web(CommandLine& program, Session& session) {
  auto options = std::make_shared<WebOptions>();
  Verb& verb = program.add("fusion", "web",
                           "Estimate what a release with names left out, with facts from the web",
                           [options, &session] { return run(session, *options); });
  verb.file_read("release", &options->release, "the release, which keeps names").require();
  verb.file_read("auxiliary", &options->auxiliary, "facts about people, by name").require();
  options->names.add(verb);
  verb.column("target", &options->target, "the number to estimate: an output of the rules")
      .require();
  verb.file_read("rules", &options->rules, "the adversary's rules, IEC 61131-7 FCL text").require();
  verb.file_read("truth", &options->truth,
                 "the private table, to score the estimates by; a release that still has the "
                 "target needs none");
  verb.column("truth-key", &options->truth_key, "the column that joins release and truth")
      .unless_given("--key");
  verb.file_read("learn", &options->learn,
                 "a sample with the key and the target of some people: tunes the rules and adds a "
                 "regression; these people are not scored");
  verb.file_written("out", &options->out, "writes the estimates, for your eyes only (mode 0600)");
  verb.share("fail-above", &options->fail_above,
             "exit 1 when a larger share than this is estimated within 10 %");
}

}  // namespace pratique::app
