// Locations that pool what they know, and what they may know of an allocation.
//
// They know whose their own samples are. What they submitted does not bound that: as nobody can see
// what a location keeps to itself, it may hold a sample of everybody it names (Malin's terms 2 and
// 3 of Algorithm 13, line 3, believe the adversary instead). Where they submitted as many samples
// as they name people, nothing can be hidden, and link_graph tells exactly what they see.
// Elsewhere, of the n samples of a location that they did not submit they may know at most d more:
// no more than they name people beyond their samples, nor than people there are left to be theirs.
// The others are each other's alternatives; and of the m people there whom they do not name, at
// most q have a sample that leaves elsewhere. For every truth
//     partners >= max(n - d, m - q).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pratique/trails/method/dedup.h"
#include "pratique/trails/method/holdings.h"
#include "pratique/trails/method/internal/placement.h"

namespace pratique::trails {

// A bit per person.
using PersonBits = std::vector<std::uint64_t>;
// By location: whom it names.
using NamedBits = std::vector<PersonBits>;

class Insiders {
 public:
  Insiders(const Holdings& holdings, std::shared_ptr<const NamedBits> named_at,
           std::vector<Id> members);

  [[nodiscard]] const std::vector<Id>& members() const { return members_; }
  [[nodiscard]] bool submitted(Id sample) const { return submitted_[sample]; }
  // Samples of their people that they may have kept to themselves. 0: what they know is certain.
  [[nodiscard]] std::size_t hidden() const { return hidden_; }

  // The most that a location of which they submitted all but `unknown` samples can offer each of
  // these as alternatives, whatever leaves elsewhere.
  [[nodiscard]] std::size_t most_partners(std::size_t location) const;

  // The bound for every location that discloses samples which they did not submit.
  [[nodiscard]] bool faultless(const DedupRules& rules, const Allocation& allocation) const;
  // Gathers samples at locations that are below the bound, or withholds theirs.
  void mend(const DedupRules& rules, const Allocation& allocation, Placement& placement,
            bool may_move) const;
  // Whether every location discloses k samples or none that they surely do not know: then there is
  // no need to look further.
  [[nodiscard]] bool surely_faultless(const DedupRules& rules, const Allocation& allocation) const;

 private:
  // By location: the samples that leave and that they did not submit.
  [[nodiscard]] Allocation not_submitted(const Allocation& allocation) const;
  // Of these at `location`: how many they may know all the same.
  [[nodiscard]] std::size_t may_know(std::size_t location,
                                     std::size_t disclosed_and_submitted) const;
  [[nodiscard]] std::size_t missing(const DedupRules& rules, const Allocation& allocation,
                                    const Allocation& unknown, std::size_t location) const;

  [[nodiscard]] PersonBits people_not_named(std::size_t location) const;

  const Holdings& holdings_;
  std::shared_ptr<const NamedBits> named_at_;
  std::vector<Id> members_;
  std::vector<bool> submitted_;
  PersonBits named_;
  std::size_t hidden_ = 0;
};

// Nobody (the public), and where rules.coalition is not 0 every 1 to so many locations. Throws as
// require_few_coalitions does.
[[nodiscard]] std::vector<Insiders> insiders_of(const Holdings& holdings, const DedupRules& rules);

}  // namespace pratique::trails
