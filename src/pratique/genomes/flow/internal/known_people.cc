#include "pratique/genomes/flow/internal/known_people.h"

#include <algorithm>
#include <set>

#include "pratique/core/error.h"
#include "pratique/genomes/attack/same_genotypes.h"

namespace pratique::genomes::flow {
namespace {

using Chosen = std::vector<bool>;

Chosen named_in(const std::vector<std::string>& people, const std::set<std::string>& names) {
  Chosen chosen;
  for (const auto& name : people) chosen.push_back(names.contains(name));
  return chosen;
}

// Those of either; how many are of the second alone.
std::uint64_t add_to(Chosen& chosen, const Chosen& more) {
  std::uint64_t added = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!more[i] || chosen[i]) continue;
    chosen[i] = true;
    ++added;
  }
  return added;
}

std::set<std::string> names_in(const std::string& path) {
  const auto names = GenotypeFile::open(path)->samples();
  return {names.begin(), names.end()};
}

bool leaves_somebody(const Chosen& left_out) {
  return std::find(left_out.begin(), left_out.end(), false) != left_out.end();
}

}  // namespace

KnownPeople known_people(const MembershipRequest& request, bool pool_has_people,
                         const FrequencyTable& pool, const std::map<std::string, bool>& truth,
                         const Run& run) {
  const auto calls_in = [&](const std::string& path) {
    return sample_calls(*GenotypeFile::open(path), pool, run.progress);
  };
  const auto people = GenotypeFile::open(request.reference)->samples();
  const auto target_names = GenotypeFile::open(request.targets)->samples();
  std::set<std::string> member_names;
  if (pool_has_people) member_names = names_in(request.pool);
  Chosen is_member;  // by target
  for (const auto& name : target_names) {
    const auto known = truth.find(name);
    is_member.push_back(known != truth.end() && known->second);
  }
  for (const auto& [name, member] : truth) {
    if (member) member_names.insert(name);
  }
  KnownPeople known;
  Chosen members = named_in(people, member_names);
  Chosen targets = named_in(people, {target_names.begin(), target_names.end()});
  if (leaves_somebody(members)) {
    const SampledCalls reference = calls_in(request.reference);
    const SampledCalls of_targets = calls_in(request.targets);
    const auto among = [&](const SampledCalls& others, const Chosen& wanted) {
      return who_is_among(reference, others, wanted, run.progress);
    };
    Chosen by_name = members;
    (void)add_to(by_name, targets);
    if (pool_has_people) (void)add_to(members, among(calls_in(request.pool), {}));
    if (!truth.empty()) (void)add_to(members, among(of_targets, is_member));
    (void)add_to(targets, among(of_targets, {}));
    known.by_genotypes = add_to(by_name, members) + add_to(by_name, targets);
  }
  known.left_out = members;
  (void)add_to(known.left_out, targets);
  if (leaves_somebody(known.left_out)) return known;
  known.left_out = members;
  if (leaves_somebody(known.left_out)) return known;
  throw Error::input("everybody of the reference is in the pool")
      .at(request.reference)
      .hint("Members are told from people like them who are none: give a reference with others.");
}

}  // namespace pratique::genomes::flow
