#include "pratique/fusion/web_attack.h"

#include "pratique/fusion/regression.h"
#include "pratique/fusion/rule_tuning.h"

namespace pratique::fusion {
namespace {

Observations observe(const FuzzySystem& system, const People& people) {
  return fusion::observe(system, *people.release, people.auxiliary, people.fact_row);
}

AdversaryOutcome by_rules(const std::string& name, const FuzzySystem& system, std::size_t output,
                          const People& people, Reading reading) {
  AdversaryOutcome outcome;
  outcome.name = name;
  outcome.estimates_before =
      estimate_all(system, output, observe(system, people.without_facts()), reading).values;
  Estimates after = estimate_all(system, output, observe(system, people), reading);
  outcome.estimates = std::move(after.values);
  outcome.unexplained = after.unexplained;
  return outcome;
}

}  // namespace

WebAdversary::WebAdversary(FuzzySystem rules, std::size_t output, std::vector<std::string> ignored)
    : rules_(std::move(rules)), output_(output), ignored_(std::move(ignored)) {}

void WebAdversary::learn(const Sample& sample, Progress& progress) {
  const Observations seen = observe(rules_, sample.people);
  const auto error = [&](Reading reading) {
    return closeness(sample.targets, estimate_all(rules_, output_, seen, reading).values)
        .dissimilarity;
  };
  tuned_reading_ =
      error(Reading::possible) <= error(Reading::average) ? Reading::possible : Reading::average;
  tuned_ = tune(rules_, output_, seen, sample.targets, tuned_reading_, progress).system;
}

WebAttack WebAdversary::attack(const People& people, const std::vector<double>& truth,
                               const Sample* sample, Progress& progress) const {
  progress.begin("estimating", 0);
  WebAttack attack;
  attack.adversaries.push_back(by_rules("rules", rules_, output_, people, Reading::possible));
  progress.check();
  attack.adversaries.push_back(
      by_rules("rules-average", rules_, output_, people, Reading::average));
  progress.check();
  if (const auto usual = rules_.outputs[output_].default_value) {
    AdversaryOutcome guess;
    guess.name = "guess";
    guess.estimates.assign(people.rows(), *usual);
    guess.estimates_before = guess.estimates;
    attack.adversaries.push_back(std::move(guess));
  }
  if (tuned_) {
    attack.adversaries.push_back(by_rules("tuned-rules", *tuned_, output_, people, tuned_reading_));
  }
  if (sample != nullptr) {
    AdversaryOutcome outcome;
    outcome.name = "regression";
    const People alone = people.without_facts();
    const People sample_alone = sample->people.without_facts();
    outcome.estimates_before =
        RidgeRegression(sample_alone, sample->targets, ignored_).estimate(alone);
    outcome.estimates = RidgeRegression(sample->people, sample->targets, ignored_).estimate(people);
    attack.adversaries.push_back(std::move(outcome));
  }
  for (std::size_t a = 0; a < attack.adversaries.size(); ++a) {
    AdversaryOutcome& outcome = attack.adversaries[a];
    outcome.before = closeness(truth, outcome.estimates_before);
    outcome.after = closeness(truth, outcome.estimates);
    const auto& least_before = attack.adversaries[attack.strongest_before].before;
    const auto& least = attack.adversaries[attack.strongest].after;
    if (outcome.before.dissimilarity < least_before.dissimilarity) attack.strongest_before = a;
    if (outcome.after.dissimilarity < least.dissimilarity) attack.strongest = a;
  }
  return attack;
}

}  // namespace pratique::fusion
