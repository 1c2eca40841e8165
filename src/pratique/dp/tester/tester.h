// A tester that catches mechanisms that are not as private as they say.
//
// A mechanism is run many times on two neighbouring data sets D and D'. Whoever breaks
// (epsilon, delta) has a set S of outputs with P(M(D) in S) > e^epsilon P(M(D') in S) + delta. The
// best S holds the outputs that are more than e^epsilon times as likely under D (Neyman and
// Pearson), so
//   1. half of the runs learn S, from how often each output was seen under D and under D' (and
//      narrower sets, of what is far more likely under D);
//   2. the other half, which S knows nothing of, count how often the outputs are in S, and give a
//      lower bound for P(M(D) in S) and an upper bound for P(M(D') in S) (Clopper and Pearson 1934:
//      exact for every number of runs).
// A breach is reported only where these bounds prove it. The bounds are wrong with a probability of
// at most kDoubt in a whole test, all pairs and both directions together, so an honest mechanism
// passes for all practical purposes always; and one that is 20 % off is far outside them with the
// number of runs taken. That is a proof of a breach, never one of privacy: `holds` means that
// nothing was found.
//
// An output is whatever leaves: numbers, structure, a refusal. It is given as a label; what is
// rarely seen alike should be labelled by what could tell, such as the low bits of a floating-point
// number.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/dp/accounting/privacy_loss.h"

namespace pratique::dp {

inline constexpr double kDoubt = 1e-9;

// One run on a data set; `run` differs in every call, for mechanisms that are given a seed.
using Sampler = std::function<std::string(std::uint64_t run)>;

struct NeighbourPair {
  std::string name;  // what the two data sets are
  Sampler with;      // one person more
  Sampler without;
};

struct PairVerdict {
  std::string name;
  bool holds = true;
  // The largest epsilon that the runs prove to be needed, given delta; 0 where they prove none.
  double epsilon_bound = 0;
};

struct TestVerdict {
  bool holds = true;
  double epsilon_bound = 0;  // the largest of the pairs
  std::uint64_t runs = 0;    // in all
  std::vector<PairVerdict> pairs;
};

// `runs`: of each data set of each pair.
[[nodiscard]] TestVerdict test_privacy(const std::vector<NeighbourPair>& pairs, double epsilon,
                                       double delta, std::uint64_t runs,
                                       Progress& progress = Progress::silent());

// Bounds of a probability of which `hits` of `runs` were seen, each wrong with probability at most
// `doubt`.
[[nodiscard]] double lower_bound_of_share(std::uint64_t hits, std::uint64_t runs, double doubt);
[[nodiscard]] double upper_bound_of_share(std::uint64_t hits, std::uint64_t runs, double doubt);

// A label for a floating-point output: roughly where it lies, and how fine its last bit is.
[[nodiscard]] std::string label_of(double output);

}  // namespace pratique::dp
