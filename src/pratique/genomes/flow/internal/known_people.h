// Who of a reference is in the pool, or among the targets, as an attack on membership knows them:
// by name, or by genotypes under another name. They are no people that members are told from.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pratique/genomes/attack/membership.h"
#include "pratique/genomes/flow/attack_membership.h"

namespace pratique::genomes::flow {

struct KnownPeople {
  // By person of the reference: neither counted nor part of the null. Where all of it are targets
  // these stay.
  std::vector<bool> left_out;
  std::uint64_t by_genotypes = 0;  // people of the pool, and targets, who have another name
};

// `truth` says of targets whether they are in the pool. Throws Error::input where everybody of the
// reference is in it.
[[nodiscard]] KnownPeople known_people(const MembershipRequest& request, bool pool_has_people,
                                       const FrequencyTable& pool,
                                       const std::map<std::string, bool>& truth, const Run& run);

}  // namespace pratique::genomes::flow
