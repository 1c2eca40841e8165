// All that is certain where neither side is reserved to the other (definitions 2 and 6, section
// 10.2.2).
//
// Two trails can be one person's unless one shows a 1 where the other shows a 0 (definition 6).
// Maximum matchings, which tell what is certain where one side is complete (theorem 1), tell
// nothing here: the truth need not be one of them, as a person who was only seen where samples are
// withheld and a sample that was only seen where names are withheld fit each other and are two
// people. What is known instead: a sample that was seen where all people are listed belongs to
// somebody listed, and a person who was seen where all samples are listed has one of them. Every
// matching that gives these a partner may be the truth, and no other.
//
// These matchings are the flows with lower bounds of a network: from a hub to groups of people, to
// groups of samples that fit, and back to the hub. One flow is found by augmenting; in its residual
// graph a pair of groups that is not used is used by another flow when both ends are in one
// strongly connected component, and one that is used is used by all when they are not. Theorem 2
// holds again: a deterministic algorithm can link no more than the pairs that are in every one.
#pragma once

#include "pratique/core/progress.h"
#include "pratique/trails/attack/internal/algorithms.h"
#include "pratique/trails/reserved.h"

namespace pratique::trails {

// `sub` are the de-identified trails. GroupLink::position is the super group itself.
[[nodiscard]] GroupAttack attack_possible_worlds(const DistinctTrails& sub,
                                                 const DistinctTrails& super, const World& world,
                                                 const Disclosure& disclosure,
                                                 std::uint64_t count_to, Progress& progress);

}  // namespace pratique::trails
