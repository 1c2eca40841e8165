// The web-based information fusion attack (Ganta and Acharya 2008; Ganta 2009, chapter 4): a
// release keeps names and removes the target; the adversary finds the people on the web and fuses
// what both say into an estimate of the target.
//
// Several adversaries try, and the strongest counts:
//
//   guess          where the rules have a DEFAULT: the same number for everybody, fused with
//   nothing rules          the rule base as it is, intervals read as possible values (inference.h)
//   rules-average  the same, intervals read as averages
//   tuned-rules    with a sample of known targets: the rule base with its sets tuned to it, in the
//                  reading that fits the sample better
//   regression     with a sample: ridge regression on all columns of both
//
// Before fusion each has the release alone: the facts are not known, and regression learns from
// the release's columns alone.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/fusion/closeness.h"
#include "pratique/fusion/people.h"

namespace pratique::fusion {

// People whose target the adversary knows.
struct Sample {
  People people;
  std::vector<double> targets;  // not a number: not known
};

struct AdversaryOutcome {
  std::string name;
  std::vector<double> estimates_before;
  std::vector<double> estimates;
  Closeness before;
  Closeness after;
  std::size_t unexplained = 0;  // people for whom no rule fired
};

struct WebAttack {
  std::vector<AdversaryOutcome> adversaries;
  std::size_t strongest_before = 0;  // by the least dissimilarity; the first without truth
  std::size_t strongest = 0;

  [[nodiscard]] const Closeness& before() const { return adversaries[strongest_before].before; }
  [[nodiscard]] const Closeness& after() const { return adversaries[strongest].after; }
  [[nodiscard]] double information_gain() const {
    return before().dissimilarity - after().dissimilarity;
  }
};

class WebAdversary {
 public:
  // `ignored`: columns that regression must not see (the key, the target), as fcl_identifier writes
  // them.
  WebAdversary(FuzzySystem rules, std::size_t output, std::vector<std::string> ignored);

  // Tunes the rules. The sample is used once more by attack(), for regression.
  void learn(const Sample& sample, Progress& progress);

  // `truth` by row of people, not a number where it is not known. `sample` as the adversary sees it
  // in this release; without one only rules try.
  [[nodiscard]] WebAttack attack(const People& people, const std::vector<double>& truth,
                                 const Sample* sample, Progress& progress) const;

  [[nodiscard]] const FuzzySystem& rules() const { return rules_; }

 private:
  FuzzySystem rules_;
  std::size_t output_;
  std::vector<std::string> ignored_;
  std::optional<FuzzySystem> tuned_;
  Reading tuned_reading_ = Reading::possible;
};

}  // namespace pratique::fusion
