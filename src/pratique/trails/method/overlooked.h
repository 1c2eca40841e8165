// What Contributor-Clean overlooks (Malin 2006, appendix D).
//
// The third party sees encrypted lists and does not know which sample is which person's. Location j
// knows the people of its own samples; of the people that i and j both name it may know those whose
// sample i has not (region 4 of figure 8.8). How many these are the third party cannot tell: it
// takes the most that are possible,
//     most  = min(|w_j| - |w_i & w_j|, |g_i & g_j| - max(0, |w_i \ w_j| - |g_i \ g_j|) - |w_i &
//     w_j|),
// where there may be as few as
//     least = max(0, |w_j \ w_i| - |g_j \ g_i|)
// (g: people, w: samples of a location). Lemma 20: it overlooks at most most - least people who
// protect samples of i from j. Lemma 21: none where every location has a sample of everybody.
#pragma once

#include "pratique/trails/method/holdings.h"

namespace pratique::trails {

// Lemma 20, of locations i and j.
[[nodiscard]] std::size_t overlooked_people(const Holdings& holdings, std::size_t i, std::size_t j);

// Over all ordered pairs of locations that have samples and people in common.
struct Overlooked {
  std::size_t pairs = 0;
  std::size_t most = 0;
  double mean = 0;
};
[[nodiscard]] Overlooked overlooked_people(const Holdings& holdings);

}  // namespace pratique::trails
