#include "pratique/trails/attack/attack.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "pratique/core/parallel.h"
#include "pratique/trails/attack/internal/algorithms.h"
#include "pratique/trails/attack/internal/possible_worlds.h"

namespace pratique::trails {
namespace {

// `complete` needs no order of trails: it has no function on Subtrails.
struct AlgorithmKind {
  Algorithm algorithm;
  std::string_view name;
  GroupAttack (*run)(const Subtrails& trails, std::uint64_t count_to, Progress& progress);
};

constexpr AlgorithmKind kAlgorithms[] = {
    {Algorithm::complete, "complete", nullptr},
    {Algorithm::incomplete, "incomplete", attack_incomplete},
    {Algorithm::multiple, "multiple", attack_multiple},
    {Algorithm::exact, "exact", attack_exactly},
};

const AlgorithmKind& kind_of(Algorithm algorithm) {
  return *std::ranges::find(kAlgorithms, algorithm, &AlgorithmKind::algorithm);
}

GroupAttack attack_groups(const DistinctTrails& sub, const DistinctTrails& super,
                          const World& world, const Disclosure& disclosure,
                          const AttackOptions& options, Progress& progress) {
  const std::uint64_t count_to = options.count_partners_to;
  if (disclosure.reserved == Reserved::both) {
    if (options.algorithm != Algorithm::exact) {
      throw Error::input("where either side may be incomplete, only --algorithm exact is sound")
          .hint("The others may link wrongly there (section 10.2.2).");
    }
    return attack_possible_worlds(sub, super, world, disclosure, count_to, progress);
  }
  const AlgorithmKind& kind = kind_of(options.algorithm);
  if (kind.run == nullptr) return attack_complete(sub, super, disclosure.complete, count_to);
  progress.begin("ordering trails", 0);
  const Subtrails trails(sub, super, disclosure.complete);
  GroupAttack linkage = kind.run(trails, count_to, progress);
  for (auto& link : linkage.links) link.position = trails.super_group(link.position);
  return linkage;
}

}  // namespace

std::string_view to_text(Algorithm algorithm) { return kind_of(algorithm).name; }

std::optional<Algorithm> algorithm_from_text(std::string_view text) {
  const auto* kind = std::ranges::find(kAlgorithms, text, &AlgorithmKind::name);
  if (kind == std::end(kAlgorithms)) return std::nullopt;
  return kind->algorithm;
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const auto& kind : kAlgorithms) names.emplace_back(kind.name);
  return names;
}

std::size_t Attack::reidentified() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    count += i == 0 || links[i].deidentified != links[i - 1].deidentified ? 1 : 0;
  }
  return count;
}

std::size_t Attack::fewer_partners_than(std::uint64_t k) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(partners, [&](auto count) { return 0 < count && count < k; }));
}

ImpossibleTrails::ImpossibleTrails(bool identified, std::vector<Element> elements, std::size_t all)
    : Error(Error::input(
          fmt::format("{} of {} {} trails fit no {} trail: somebody's table is not truthful",
                      elements.size(), all, identified ? "identified" : "de-identified",
                      identified ? "de-identified" : "identified"))),
      identified_(identified),
      elements_(std::move(elements)) {
  hint(
      "Correct the tables; or say with --reserved which side is incomplete; or allow for errors "
      "with --errors.");
}

Attack attack(const World& world, const Disclosure& disclosure, const AttackOptions& options,
              Progress& progress) {
  const bool identified_is_sub = disclosure.identified_is_sub();
  const Side& sub_side = identified_is_sub ? world.identified : world.deidentified;
  const Side& super_side = identified_is_sub ? world.deidentified : world.identified;
  progress.begin("grouping trails", 0);
  DistinctTrails sub;
  DistinctTrails super;
  parallel_blocks(2, 1, [&](std::size_t side, std::size_t) {
    (side == 0 ? sub : super) = DistinctTrails(side == 0 ? sub_side : super_side);
  });
  const GroupAttack linkage = attack_groups(sub, super, world, disclosure, options, progress);
  if (!linkage.impossible.empty()) {
    std::vector<Element> elements;
    for (const auto g : linkage.impossible) {
      elements.insert(elements.end(), sub.members(g).begin(), sub.members(g).end());
    }
    std::ranges::sort(elements);
    throw ImpossibleTrails(identified_is_sub, std::move(elements), sub.elements());
  }

  Attack result;
  result.distinct_trails = super.size();
  for (const auto& link : linkage.links) {
    const Element other = super.members(link.position).front();
    for (const Element element : sub.members(link.sub)) {
      result.links.push_back(identified_is_sub ? Link{other, element} : Link{element, other});
    }
  }
  std::ranges::sort(result.links, {},
                    [](const Link& link) { return std::pair(link.deidentified, link.identified); });
  if (!linkage.partners.empty()) {
    result.partners.assign(sub_side.elements(), 0);
    for (std::size_t g = 0; g < sub.size(); ++g) {
      for (const Element element : sub.members(g)) result.partners[element] = linkage.partners[g];
    }
  }
  return result;
}

}  // namespace pratique::trails
