// Adds what each adversary can do to the verdict: the fewest partners of either side, how many have
// too few, and the worst of them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "pratique/verify/internal/link_graph.h"
#include "pratique/verify/internal/trail_lists.h"

namespace pratique::verify {

class PartnerTally {
 public:
  PartnerTally(const TrailLists& lists, Unlinkability& result) : lists_(lists), result_(result) {}

  // `group`: of lists.people or lists.samples.
  void add(bool identified, std::size_t group, std::uint64_t elements, std::uint64_t partners,
           const std::vector<std::string>& contributors) {
    auto& fewest = identified ? result_.k_identified : result_.k_deidentified;
    fewest = std::min(fewest.value_or(partners), partners);
    if (partners < result_.required) result_.violations += elements;
    auto& worst = result_.worst;
    if (worst.size() == kWorstShown && worst.back().partners <= partners) return;
    const auto& trail = (identified ? lists_.people : lists_.samples).trails[group];
    const auto place = std::upper_bound(
        worst.begin(), worst.end(), partners,
        [](std::uint64_t count, const FewPartners& few) { return count < few.partners; });
    worst.insert(place, {identified, elements, partners, lists_.names_of(trail), contributors});
    if (worst.size() > kWorstShown) worst.pop_back();
  }

  // `left_is_identified`: the reserved side has the names.
  void add(const LinkGraph& graph, const Partners& partners, bool left_is_identified) {
    const GroupGraph& groups = graph.groups;
    for (std::size_t l = 0; l < groups.left_size.size(); ++l) {
      if (partners.left[l]) add(left_is_identified, l, groups.left_size[l], *partners.left[l], {});
    }
    for (std::size_t r = 0; r < groups.right_size.size(); ++r) {
      if (partners.right[r])
        add(!left_is_identified, r, groups.right_size[r], *partners.right[r], {});
    }
    impossible(partners.impossible);
  }

  void impossible(std::uint64_t elements) {
    result_.impossible = std::max(result_.impossible, elements);
  }

  // Whether nothing changes by any number of elements that have `partners` or more.
  [[nodiscard]] bool is_settled_below(std::uint64_t partners) const {
    return partners >= result_.required && result_.worst.size() == kWorstShown &&
           result_.worst.back().partners <= partners && result_.k_identified &&
           *result_.k_identified <= partners && result_.k_deidentified &&
           *result_.k_deidentified <= partners;
  }

 private:
  static constexpr std::size_t kWorstShown = 10;
  const TrailLists& lists_;
  Unlinkability& result_;
};

}  // namespace pratique::verify
