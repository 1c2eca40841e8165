// Codes put together in groups, and the records that have a code of each: what changes while a
// policy is enforced.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/data/code_sets.h"

namespace pratique::codes {

class CodeGroups {
 public:
  // A group goes by one of its codes.
  using Group = Code;
  static constexpr Group kSuppressed = 0xffffffffU;

  // Only codes of one class may come together.
  CodeGroups(const CodeSets& sets, std::vector<std::uint32_t> class_of);

  [[nodiscard]] Group group_of(Code code) const { return group_of_[code]; }
  [[nodiscard]] const std::vector<Code>& codes(Group group) const { return codes_[group]; }
  [[nodiscard]] std::uint64_t patients(Group group) const { return patients_[group]; }
  [[nodiscard]] std::uint32_t class_of(Code code) const { return class_of_[code]; }
  // Of the group's class, the groups that are left.
  [[nodiscard]] const std::vector<Group>& mates(Group group) const {
    return groups_of_class_[class_of_[group]];
  }
  // The place of the group's first code among all, by text: ties do not depend on the input's
  // order.
  [[nodiscard]] std::uint32_t rank(Group group) const { return rank_[group]; }
  // With a code of either; quick for one `a` after the other with many `b`.
  [[nodiscard]] std::uint64_t patients_of_both(Group a, Group b);

  // The groups of codes that are left, each once.
  [[nodiscard]] std::vector<Group> shown(std::span<const Code> codes) const;
  // Patients with all of the groups, 0 for none; counting ends at `enough`.
  [[nodiscard]] std::uint64_t support(std::span<const Group> groups,
                                      std::uint64_t enough = ~std::uint64_t{0}) const;
  // The same if each were put together with all of its class: more cannot be had.
  [[nodiscard]] std::uint64_t support_at_most(std::span<const Group> groups, std::uint64_t enough);

  // The group that they become.
  Group merge(Group a, Group b);
  void suppress(Group group);
  void restore(Group group);
  // The group is no more; its codes must be of new ones, which go by their first code.
  void dissolve(Group group);
  Group gather(std::vector<Code> codes);

 private:
  // Ascending; once more as a bit per record where these take no more room than twice the list.
  struct Records {
    std::vector<std::uint32_t> list;
    std::vector<std::uint64_t> bits;

    [[nodiscard]] bool has(std::uint32_t record) const;
  };
  void set_bits(Records& records) const;
  [[nodiscard]] std::uint64_t weigh(const Records& records) const;
  [[nodiscard]] std::uint64_t weigh_common(std::vector<const Records*> all,
                                           std::uint64_t enough) const;

  const CodeSets& sets_;
  std::vector<std::uint32_t> class_of_;
  std::vector<Group> group_of_;
  std::vector<std::vector<Code>> codes_;
  std::vector<Records> records_;
  std::vector<std::vector<std::uint32_t>> with_code_;  // records, by code
  std::vector<std::uint64_t> patients_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::vector<Group>> groups_of_class_;
  Group marked_ = kSuppressed;  // whose records have a mark
  std::vector<bool> marks_;
  std::vector<Records> records_of_class_;  // empty: to be found again
};

}  // namespace pratique::codes
