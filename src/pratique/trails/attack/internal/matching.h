// One maximum matching between sub and super elements along the subtrail relation, as a flow
// between groups: a sub group sends its elements to supertrails, a super group takes as many as it
// has elements. Only what peeling left takes part.
#pragma once

#include "pratique/trails/attack/internal/peeling.h"

namespace pratique::trails {

class Matching {
 public:
  // Starts with equal trails, which some maximum matching pairs as far as they go: if g goes to h'
  // and g'' to h, where g and h are equal, then g'' is contained in g, and so in h'; they can
  // change places. Goes on with whatever supertrail is free, and then along alternating paths:
  // a search in breadth from all trails still unmatched at once, in which every supertrail belongs
  // to the one that reached it first; and again.
  Matching(const Subtrails& trails, const Peeling& peeling, Progress& progress);

  struct Flow {
    std::uint32_t sub = 0;  // group
    std::uint32_t elements = 0;
  };
  // Who goes to the super group at this position.
  [[nodiscard]] const std::vector<Flow>& into(std::size_t position) const {
    return flows_[position];
  }
  // Elements of the super group that nobody goes to.
  [[nodiscard]] std::size_t free(std::size_t position) const { return free_[position]; }
  [[nodiscard]] const PositionSet& free_positions() const { return free_positions_; }
  // Elements of the sub group that found no place: 0 for all, when the data is truthful.
  [[nodiscard]] std::size_t unmatched(std::size_t sub) const { return unmatched_[sub]; }

 private:
  void pair_equal_trails();
  void pair_with_free(std::size_t sub);
  bool augment_all(const std::vector<std::uint32_t>& roots, const PositionSet& positions,
                   Progress& progress);
  [[nodiscard]] std::size_t room(std::size_t last) const;
  void augment(std::size_t last, std::size_t open, std::size_t elements);
  void send(std::size_t sub, std::size_t position, std::size_t elements);
  void take_back(std::size_t sub, std::size_t position, std::size_t elements);
  [[nodiscard]] std::size_t sent(std::size_t sub, std::size_t position) const;

  const Subtrails& trails_;
  std::vector<std::vector<Flow>> flows_;
  std::vector<std::size_t> free_;
  std::vector<std::size_t> unmatched_;
  PositionSet free_positions_;
  // How the search came to a sub group: it would leave `position` to `before`.
  struct Step {
    std::uint32_t before = kNobody;
    std::uint32_t position = 0;
    std::uint32_t root = kNobody;  // kNobody: not reached
  };
  static constexpr std::uint32_t kNobody = 0xffffffffU;
  std::vector<Step> steps_;                 // by sub group
  std::vector<std::uint32_t> free_cursor_;  // by sub group, for Subtrails::next_supertrail
};

}  // namespace pratique::trails
