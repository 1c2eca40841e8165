#include "pratique/genomes/attack/family_structure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "pratique/core/parallel.h"

namespace pratique::genomes {
namespace {

using Colour = std::uint64_t;

Colour mixed(Colour a, Colour b) {
  // SplitMix64's finalizer over both.
  Colour x = a * 0x9E3779B97F4A7C15ULL + b + 0xD1B54A32D192ED03ULL;
  x = (x ^ x >> 30U) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ x >> 27U) * 0x94D049BB133111EBULL;
  return x ^ x >> 31U;
}

constexpr std::size_t kMostToTellApart = 2'000;

class FamilyWalk {
 public:
  FamilyWalk(const Pedigree& pedigree, const FamilyKnowledge& knowledge,
             const std::vector<std::uint64_t>& marks)
      : people_(pedigree.people), knowledge_(knowledge), marks_(marks), children_(people_.size()) {
    for (std::size_t p = 0; p < people_.size(); ++p) {
      for (const std::int32_t parent : {people_[p].father, people_[p].mother}) {
        if (parent != kNoParent) children_[static_cast<std::size_t>(parent)].push_back(p);
      }
    }
    std::vector<std::size_t> everybody(people_.size());
    std::iota(everybody.begin(), everybody.end(), 0U);
    colours_.resize(people_.size());
    for (const std::size_t p : everybody) colours_[p] = mixed(1, label(p));
    refine_colours(everybody);
    if (!knowledge_.birth_order) {
      break_ties();
      for (auto& children : children_)
        std::stable_sort(children.begin(), children.end(),
                         [&](std::size_t a, std::size_t b) { return colours_[a] < colours_[b]; });
    }
  }

  std::string canonical() {
    std::vector<std::string> components;
    std::vector<bool> done(people_.size(), false);
    for (std::size_t p = 0; p < people_.size(); ++p) {
      if (done[p]) continue;
      const auto members = walk_from(p);
      for (const std::size_t member : members) done[member] = true;
      components.push_back(least_text(members));
    }
    std::sort(components.begin(), components.end());
    return fmt::format("{}", fmt::join(components, "/"));
  }

 private:
  [[nodiscard]] std::uint64_t label(std::size_t person) const {
    constexpr std::uint64_t kLabels = 9;
    const std::uint64_t sex = knowledge_.sex ? static_cast<std::uint64_t>(people_[person].sex) : 0;
    const Affection affection = people_[person].affection;
    std::uint64_t status = knowledge_.status ? static_cast<std::uint64_t>(affection) : 0;
    if (knowledge_.status && knowledge_.affected_alone)
      status = affection == Affection::affected ? 1 : 0;
    return (marks_.empty() ? 0 : kLabels * marks_[person]) + 3 * sex + status;
  }

  // Of people who are all relatives of each other: what each can see, until nothing changes.
  void refine_colours(const std::vector<std::size_t>& relatives) {
    std::size_t classes = 0;
    while (true) {
      std::vector<Colour> sorted;
      for (const std::size_t p : relatives) sorted.push_back(colours_[p]);
      std::sort(sorted.begin(), sorted.end());
      const auto now =
          static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
      if (now == classes) return;
      classes = now;
      std::vector<Colour> next;
      for (const std::size_t p : relatives) next.push_back(next_colour(p));
      for (std::size_t i = 0; i < relatives.size(); ++i) colours_[relatives[i]] = next[i];
    }
  }

  [[nodiscard]] Colour next_colour(std::size_t person) const {
    const auto of = [&](std::int32_t parent) {
      return parent == kNoParent ? Colour{7} : colours_[static_cast<std::size_t>(parent)];
    };
    Colour colour = mixed(colours_[person], of(people_[person].father));
    colour = mixed(colour, of(people_[person].mother));
    Colour among = 0;
    Colour place = 11;
    for (const std::size_t child : children_[person]) {
      // With their place where it is known, else as a sum that no order changes.
      if (knowledge_.birth_order) place = mixed(place, colours_[child]);
      among += mixed(13, colours_[child]);
    }
    return mixed(mixed(colour, among), place);
  }

  // Relatives who are alike are told apart one by one, and each time those who are seen from them:
  // the half-brothers of one mother belong together, though all half-brothers are alike.
  void break_ties() {
    std::vector<bool> done(people_.size(), false);
    for (std::size_t p = 0; p < people_.size(); ++p) {
      if (done[p]) continue;
      const auto relatives = walk_from(p);
      for (const std::size_t relative : relatives) done[relative] = true;
      // Each of them costs a look at all of them.
      if (relatives.size() > kMostToTellApart) continue;
      while (const auto alike = one_of_the_least_class(relatives)) {
        constexpr Colour kChosen = 17;
        colours_[*alike] = mixed(colours_[*alike], kChosen);
        refine_colours(relatives);
      }
    }
  }

  // Of the class with the least colour that has several members; nobody where all differ.
  [[nodiscard]] std::optional<std::size_t> one_of_the_least_class(
      const std::vector<std::size_t>& relatives) const {
    std::vector<std::pair<Colour, std::size_t>> sorted;
    for (const std::size_t p : relatives) sorted.emplace_back(colours_[p], p);
    std::sort(sorted.begin(), sorted.end());
    const auto same =
        std::adjacent_find(sorted.begin(), sorted.end(),
                           [](const auto& a, const auto& b) { return a.first == b.first; });
    return same == sorted.end() ? std::nullopt : std::optional(same->second);
  }

  [[nodiscard]] std::vector<std::size_t> walk_from(std::size_t start) const {
    std::vector<std::size_t> order = {start};
    std::vector<bool> seen(people_.size(), false);
    seen[start] = true;
    for (std::size_t next = 0; next < order.size(); ++next) {
      const std::size_t person = order[next];
      const auto visit = [&](std::size_t other) {
        if (seen[other]) return;
        seen[other] = true;
        order.push_back(other);
      };
      for (const std::int32_t parent : {people_[person].father, people_[person].mother}) {
        if (parent != kNoParent) visit(static_cast<std::size_t>(parent));
      }
      for (const std::size_t child : children_[person]) visit(child);
    }
    return order;
  }

  [[nodiscard]] std::string text_of(const std::vector<std::size_t>& order) const {
    std::vector<std::size_t> number(people_.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = i + 1;
    const auto number_of = [&](std::int32_t parent) {
      return parent == kNoParent ? 0 : number[static_cast<std::size_t>(parent)];
    };
    std::string text;
    for (const std::size_t person : order) {
      text += fmt::format("{},{},{}", label(person), number_of(people_[person].father),
                          number_of(people_[person].mother));
      std::vector<std::size_t> children;
      for (const std::size_t child : children_[person]) children.push_back(number[child]);
      if (!knowledge_.birth_order) std::sort(children.begin(), children.end());
      text += fmt::format("[{}];", fmt::join(children, ","));
    }
    return text;
  }

  // From everybody of the rarest colour: the same people in every pedigree of this structure.
  [[nodiscard]] std::string least_text(const std::vector<std::size_t>& members) const {
    std::map<Colour, std::vector<std::size_t>> by_colour;
    for (const std::size_t member : members) by_colour[colours_[member]].push_back(member);
    const auto rarest = std::min_element(
        by_colour.begin(), by_colour.end(),
        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    std::string least;
    for (const std::size_t start : rarest->second) {
      std::string text = text_of(walk_from(start));
      if (least.empty() || text < least) least = std::move(text);
    }
    return least;
  }

  const std::vector<Relative>& people_;
  FamilyKnowledge knowledge_;
  const std::vector<std::uint64_t>& marks_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<Colour> colours_;
};

std::vector<std::string> structures_of(const std::vector<Pedigree>& pedigrees,
                                       const FamilyKnowledge& knowledge, Progress& progress) {
  std::vector<std::string> structures(pedigrees.size());
  constexpr std::size_t kFamiliesPerBlock = 32;
  parallel_blocks(pedigrees.size(), kFamiliesPerBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) {
      structures[f] = canonical_structure(pedigrees[f], knowledge);
      progress.advance(1);
    }
  });
  return structures;
}

std::map<std::string, std::vector<std::size_t>> by_structure(
    const std::vector<std::string>& structures) {
  std::map<std::string, std::vector<std::size_t>> families;
  for (std::size_t f = 0; f < structures.size(); ++f) families[structures[f]].push_back(f);
  return families;
}

bool anybody_is(const std::vector<Pedigree>& pedigrees, Affection affection) {
  return std::any_of(pedigrees.begin(), pedigrees.end(), [&](const Pedigree& pedigree) {
    return std::any_of(pedigree.people.begin(), pedigree.people.end(),
                       [&](const Relative& person) { return person.affection == affection; });
  });
}

// Of everybody, of the affected alone, or of nobody in a way that could be compared.
enum class ToldStatus { none, affected, all };
ToldStatus told_status(const std::vector<Pedigree>& pedigrees) {
  const bool unknown = anybody_is(pedigrees, Affection::unknown);
  if (!unknown) return ToldStatus::all;
  const bool affected = anybody_is(pedigrees, Affection::affected);
  return affected && !anybody_is(pedigrees, Affection::unaffected) ? ToldStatus::affected
                                                                   : ToldStatus::none;
}

bool tells_sex(const std::vector<Pedigree>& pedigrees) {
  return std::any_of(pedigrees.begin(), pedigrees.end(), [](const Pedigree& pedigree) {
    return std::any_of(pedigree.people.begin(), pedigree.people.end(),
                       [](const Relative& person) { return person.sex != Sex::unknown; });
  });
}

// By what `finding` says that both tell.
void compare_families(const std::vector<Pedigree>& pedigrees, const std::vector<Pedigree>& named,
                      FamilyFinding& finding, Progress& progress) {
  const auto here = by_structure(structures_of(pedigrees, finding.compared_by, progress));
  const auto there = by_structure(structures_of(named, finding.compared_by, progress));
  double candidates = 0;
  for (const auto& [structure, members] : here) {
    const auto match = there.find(structure);
    if (match == there.end()) continue;
    finding.matched += members.size();
    candidates += static_cast<double>(members.size() * match->second.size());
    if (members.size() != 1 || match->second.size() != 1) continue;
    ++finding.reidentified;
    finding.links.emplace_back(members.front(), match->second.front());
  }
  if (finding.matched > 0)
    finding.mean_candidates = candidates / static_cast<double>(finding.matched);
}

}  // namespace

std::string canonical_structure(const Pedigree& pedigree, const FamilyKnowledge& knowledge,
                                const std::vector<std::uint64_t>& marks) {
  return FamilyWalk(pedigree, knowledge, marks).canonical();
}

FamilyKnowledge told_by_both(const std::vector<Pedigree>& pedigrees,
                             const std::vector<Pedigree>& named, const FamilyKnowledge& knowledge) {
  FamilyKnowledge both = knowledge;
  const auto told = std::min(told_status(named), told_status(pedigrees));
  both.status = knowledge.status && told != ToldStatus::none;
  both.affected_alone = told == ToldStatus::affected;
  both.sex = knowledge.sex && tells_sex(named) && tells_sex(pedigrees);
  return both;
}

FamilyFinding attack_families(const std::vector<Pedigree>& pedigrees,
                              const std::vector<Pedigree>& named, const FamilyKnowledge& knowledge,
                              Progress& progress) {
  progress.begin("writing down structures", 2 * pedigrees.size() + named.size());
  FamilyFinding finding;
  finding.structures = pedigrees.size();
  finding.registered = named.size();
  const auto families = by_structure(structures_of(pedigrees, knowledge, progress));
  finding.distinct = families.size();
  for (const auto& pedigree : pedigrees) finding.people += pedigree.people.size();
  for (const auto& [structure, members] : families) {
    if (members.size() != 1) continue;
    ++finding.unique;
    finding.people_unique += pedigrees[members.front()].people.size();
  }
  finding.compared_by = knowledge;
  if (named.empty()) return finding;
  finding.compared_by = told_by_both(pedigrees, named, knowledge);
  compare_families(pedigrees, named, finding, progress);
  if (!finding.compared_by.status) return finding;
  // A register may not know of everybody who is affected: the adversary takes what tells more.
  FamilyFinding without = finding;
  without.links.clear();
  without.matched = without.reidentified = 0;
  without.mean_candidates = 0;
  without.compared_by.status = false;
  compare_families(pedigrees, named, without, progress);
  return without.reidentified > finding.reidentified ? without : finding;
}

}  // namespace pratique::genomes
