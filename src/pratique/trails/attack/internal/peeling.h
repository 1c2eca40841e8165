// Takes out, again and again, the trails that have one supertrail left, and supertrails that are
// used up.
//
// A trail watches two of its supertrails: nothing about it changes until one of the two leaves.
#pragma once

#include "pratique/trails/attack/internal/algorithms.h"

namespace pratique::trails {

class Peeling {
 public:
  enum class Rule {
    // REIDIT-I: only single elements pair. Equal trails have the same candidates, on truthful data
    // at least two, and a super group of two never loses one; so a trail with such a candidate is
    // out
    // of the game for good. With the flip (4.2.3) when both sides have equally many elements.
    elements,
    // A group with one supertrail group sends all its elements there, and that one has as many
    // fewer
    // to give. Every maximum matching does so.
    groups,
  };
  Peeling(const Subtrails& trails, Rule rule, Progress& progress);

  // Sub groups that were taken out, and where they went.
  [[nodiscard]] const std::vector<GroupLink>& taken() const { return taken_; }
  // Sub groups that have nowhere to go; the rest is not worth looking at then.
  [[nodiscard]] const std::vector<std::size_t>& impossible() const { return impossible_; }
  // What is left: sub groups not taken, and supertrails with elements to give.
  [[nodiscard]] bool left(std::size_t sub) const { return sub_left_[sub]; }
  [[nodiscard]] const PositionSet& left() const { return super_left_; }
  [[nodiscard]] std::size_t capacity(std::size_t position) const { return capacity_[position]; }

 private:
  void look_for_supertrails(std::size_t sub);
  void watch(std::size_t slot, std::size_t position);
  void watch_another(std::size_t slot);
  void count_subtrails();
  void look_for_subtrail(std::size_t position);
  void take(const GroupLink& link);
  void leave(std::size_t position);
  [[nodiscard]] bool blocks(std::size_t position) const {
    return rule_ == Rule::elements && trails_.super_capacity(position) > 1;
  }

  const Subtrails& trails_;
  Rule rule_;
  std::vector<bool> sub_left_;
  std::vector<bool> blocked_;
  PositionSet super_left_;
  std::vector<std::uint32_t> capacity_;      // by position
  std::vector<std::uint32_t> watchers_;      // by position: the first slot (2 * sub, or 1 more)
  std::vector<std::uint32_t> watched_;       // by slot: the position
  std::vector<std::uint32_t> next_watcher_;  // by slot: the next one that watches the same
  // For the flip, by position: how many elements are its subtrails, and the exclusive or of their
  // groups' numbers, which is the number itself once one is left. Empty without the flip.
  std::vector<std::uint64_t> subtrails_;
  std::vector<std::size_t> subtrail_;
  std::vector<GroupLink> pending_;
  std::vector<GroupLink> taken_;
  std::vector<std::size_t> impossible_;
};

}  // namespace pratique::trails
