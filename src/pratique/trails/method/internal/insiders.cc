#include "pratique/trails/method/internal/insiders.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "pratique/core/error.h"

namespace pratique::trails {
namespace {

constexpr double kMostInsiders = 200'000;

std::size_t count_bits(const PersonBits& bits) {
  std::size_t count = 0;
  for (const auto word : bits) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

std::size_t count_common(const PersonBits& a, const PersonBits& b) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < a.size(); ++w) {
    count += static_cast<std::size_t>(std::popcount(a[w] & b[w]));
  }
  return count;
}

std::shared_ptr<const NamedBits> named_bits(const Holdings& holdings) {
  auto bits =
      std::make_shared<NamedBits>(holdings.locations(), PersonBits((holdings.people + 63) / 64, 0));
  for (std::size_t c = 0; c < holdings.locations(); ++c) {
    for (const Id person : holdings.people_at[c]) {
      (*bits)[c][person / 64] |= std::uint64_t{1} << (person % 64);
    }
  }
  return bits;
}

void add_insiders(const Holdings& holdings, const std::shared_ptr<const NamedBits>& named_at,
                  std::size_t size, Id next, std::vector<Id>& members, std::vector<Insiders>& all) {
  if (members.size() == size) {
    all.emplace_back(holdings, named_at, members);
    return;
  }
  for (Id c = next; c < holdings.locations(); ++c) {
    if (holdings.people_at[c].empty()) continue;
    members.push_back(c);
    add_insiders(holdings, named_at, size, c + 1, members, all);
    members.pop_back();
  }
}

}  // namespace

Insiders::Insiders(const Holdings& holdings, std::shared_ptr<const NamedBits> named_at,
                   std::vector<Id> members)
    : holdings_(holdings),
      named_at_(std::move(named_at)),
      members_(std::move(members)),
      submitted_(holdings.samples),
      named_((holdings.people + 63) / 64, 0) {
  std::size_t samples = 0;
  for (const Id member : members_) {
    for (std::size_t w = 0; w < named_.size(); ++w) named_[w] |= (*named_at_)[member][w];
    for (const Id sample : holdings.samples_at[member]) {
      samples += submitted_[sample] ? 0 : 1;
      submitted_[sample] = true;
    }
  }
  const std::size_t people = count_bits(named_);
  hidden_ = people > samples ? people - samples : 0;
}

PersonBits Insiders::people_not_named(std::size_t location) const {
  PersonBits people = (*named_at_)[location];
  for (std::size_t w = 0; w < people.size(); ++w) people[w] &= ~named_[w];
  return people;
}

std::size_t Insiders::may_know(std::size_t location, std::size_t disclosed_and_submitted) const {
  const std::size_t named = count_common((*named_at_)[location], named_);
  return std::min(hidden_, named > disclosed_and_submitted ? named - disclosed_and_submitted : 0);
}

std::size_t Insiders::most_partners(std::size_t location) const {
  const auto& samples = holdings_.samples_at[location];
  const std::size_t outside = count_bits(people_not_named(location));
  const auto unknown = static_cast<std::size_t>(std::count_if(
      samples.begin(), samples.end(), [&](Id sample) { return !submitted_[sample]; }));
  const std::size_t known = may_know(location, samples.size() - unknown);
  return std::max(outside, unknown > known ? unknown - known : 0);
}

Allocation Insiders::not_submitted(const Allocation& allocation) const {
  Allocation unknown = allocation;
  for (auto& samples : unknown) {
    std::erase_if(samples, [&](Id sample) { return submitted_[sample]; });
  }
  return unknown;
}

std::size_t Insiders::missing(const DedupRules& rules, const Allocation& allocation,
                              const Allocation& unknown, std::size_t location) const {
  const std::size_t count = unknown[location].size();
  if (count == 0) return 0;
  const std::size_t known = may_know(location, allocation[location].size() - count);
  const std::size_t alike = count > known ? count - known : 0;
  if (alike >= rules.k) return 0;
  const PersonBits outside = people_not_named(location);
  std::size_t free = count_bits(outside);
  for (std::size_t c = 0; c < unknown.size() && free > 0; ++c) {
    if (c == location || unknown[c].empty()) continue;
    free -= std::min({free, count_common(outside, (*named_at_)[c]), unknown[c].size()});
  }
  const std::size_t partners = std::max(alike, free);
  return partners < rules.k ? rules.k - alike : 0;
}

bool Insiders::faultless(const DedupRules& rules, const Allocation& allocation) const {
  const Allocation unknown = not_submitted(allocation);
  for (std::size_t c = 0; c < unknown.size(); ++c) {
    if (missing(rules, allocation, unknown, c) > 0) return false;
  }
  return true;
}

bool Insiders::surely_faultless(const DedupRules& rules, const Allocation& allocation) const {
  return std::all_of(allocation.begin(), allocation.end(), [&](const auto& samples) {
    const auto unknown = static_cast<std::size_t>(std::count_if(
        samples.begin(), samples.end(), [&](Id sample) { return !submitted_[sample]; }));
    return unknown == 0 || unknown >= rules.k + hidden_;
  });
}

void Insiders::mend(const DedupRules& rules, const Allocation& allocation, Placement& placement,
                    bool may_move) const {
  const Allocation unknown = not_submitted(allocation);
  const auto gather = [&](Id location, std::size_t needed) {
    for (const Id sample : placement.permitted(location)) {
      if (needed == 0) break;
      const Id home = placement.home(sample);
      if (submitted_[sample] || home == location || home == Placement::kNowhere ||
          placement.size(home) <= rules.least) {
        continue;
      }
      placement.place(sample, location);
      --needed;
    }
    return needed == 0;
  };
  for (Id c = 0; c < holdings_.locations(); ++c) {
    const std::size_t needed = missing(rules, allocation, unknown, c);
    if (needed == 0 || (may_move && gather(c, needed))) continue;
    for (const Id sample : unknown[c]) {
      if (placement.home(sample) == c) placement.place(sample, Placement::kNowhere);
    }
    if (placement.size(c) >= rules.least) continue;
    for (const Id sample : placement.close(c)) {
      if (may_move) (void)placement.place_lightly(sample, rules.k);
    }
  }
}

void require_few_coalitions(std::size_t locations, std::size_t coalition) {
  double all = 1;  // the public
  double of_size = 1;
  for (std::size_t size = 1; size <= std::min(coalition, locations); ++size) {
    of_size *= static_cast<double>(locations - size + 1) / static_cast<double>(size);
    all += of_size;
  }
  if (all <= kMostInsiders) return;
  throw Error::input(
      fmt::format("{} locations have too many coalitions of up to {}", locations, coalition))
      .hint("Ask for smaller coalitions.");
}

std::vector<Insiders> insiders_of(const Holdings& holdings, const DedupRules& rules) {
  require_few_coalitions(
      static_cast<std::size_t>(std::ranges::count_if(
          holdings.people_at, [](const auto& people) { return !people.empty(); })),
      rules.coalition);
  std::vector<Insiders> all;
  const auto named_at = named_bits(holdings);
  all.emplace_back(holdings, named_at, std::vector<Id>());
  for (std::size_t size = 1; size <= std::min(rules.coalition, holdings.locations()); ++size) {
    std::vector<Id> members;
    add_insiders(holdings, named_at, size, 0, members, all);
  }
  return all;
}

}  // namespace pratique::trails
