// A probability for every link, where lists have errors and no link is certain.
//
// The posterior of a pair is the share of all one-to-one assignments of copies to originals that
// have the pair, each assignment weighted by its likelihood (error_model.h); before anything is
// seen, all assignments are equally likely. So what else a person could be, and who else could be
// that person, both count. The sum over assignments is a permanent, which nobody can compute for
// many people; here it is estimated by Markov chains over assignments (Metropolis-Hastings: a copy
// proposes an original in proportion to its likelihood, and exchanges with who holds it).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/trails/reserved.h"
#include "pratique/trails/world.h"

namespace pratique::trails {

struct ProbableLink {
  Element deidentified = 0;
  Element identified = 0;
  double posterior = 0;
};

struct ProbableLinkOptions {
  Reserved reserved = Reserved::deidentified;
  std::span<const double> error;  // per location
  double least = 0.01;            // links below this posterior are not listed
  std::uint64_t seed = 0;
  // Proposals per person in each chain; the first quarter is not counted.
  std::size_t sweeps = 400;
  std::size_t chains = 4;
};

struct ProbableLinks {
  // By de-identified element, the likeliest first.
  std::vector<ProbableLink> links;
  // How many of the likeliest links of all elements should be right: the sum of their posteriors.
  double expected_correct = 0;
  // Mean difference of the posterior of a likeliest link between halves of the chains: well below
  // 0.1 when they have run long enough.
  double disagreement = 0;
};

[[nodiscard]] ProbableLinks probable_links(const World& world, const ProbableLinkOptions& options,
                                           Progress& progress = Progress::silent());

}  // namespace pratique::trails
