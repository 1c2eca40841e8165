// Figures of trails by themselves, before anything is linked.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/trails/distinct_trails.h"
#include "pratique/trails/world.h"

namespace pratique::trails {

// Locations per element seen (tables 5.1 and 5.2). The deviation is that of a sample.
struct VisitFigures {
  std::size_t elements = 0;
  std::size_t fewest = 0;
  std::size_t most = 0;
  double mean = 0;
  double deviation = 0;
  double median = 0;
};
[[nodiscard]] VisitFigures visit_figures(const Side& side);

// Section 4.3: over C locations there are 2^C - 1 trails, and a trail can re-identify one element;
// one for each value of a shared attribute.
[[nodiscard]] std::uint64_t most_reidentifiable(std::size_t elements, std::size_t locations,
                                                std::size_t values = 1);

// How probable a trail is when locations are visited independently, each by the share f_c of
// elements seen there (section 5.5): the product over locations of f_c where it has the location
// and 1 - f_c where not. (The thesis prints a sum.) An element with trail t is the only one of n
// with probability (1 - Pr(t))^(n - 1).
struct TrailProbability {
  std::size_t visited = 0;   // locations
  std::size_t elements = 0;  // that have it
  double log10_probability = 0;
  double alone = 0;  // the probability that nobody else has it
};

// Of every distinct trail, the most probable first.
[[nodiscard]] std::vector<TrailProbability> trail_probabilities(const Side& side,
                                                                std::size_t locations);

}  // namespace pratique::trails
