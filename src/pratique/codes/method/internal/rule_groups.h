// Public codes in disjoint sets, and how far rules over them are from being protected.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/codes/method/protection.h"

namespace pratique::codes {

class RuleGroups {
 public:
  using Group = std::uint32_t;

  // Every public code by itself.
  explicit RuleGroups(const Task& task);

  [[nodiscard]] const std::vector<Code>& public_codes() const { return public_; }
  // Not of a suppressed code.
  [[nodiscard]] Group group_of(Code code) const { return group_of_[code]; }
  [[nodiscard]] const std::vector<Code>& members(Group group) const { return members_[group]; }
  // The members of each.
  [[nodiscard]] std::vector<std::vector<Code>> groups() const;
  [[nodiscard]] std::uint64_t support(Code code) const { return supports_[code]; }

  // 0 when all rules are protected.
  [[nodiscard]] double deficit() const;
  // The codes on the left of a rule that is not protected, as far as they are there; empty when all
  // are.
  [[nodiscard]] std::vector<Code> left_of_broken_rule() const;

  // Puts these codes into a set of their own, out of the sets they are in.
  void join(const std::vector<Code>& codes);
  void suppress(Code code);
  // The share of all codes that the set covers times the occurrences of its codes, as in NCP.
  [[nodiscard]] double loss(const std::vector<Code>& codes) const;

  [[nodiscard]] Recoding recoding() const;

 private:
  using Records = std::vector<std::uint32_t>;  // distinct sets of the task, ascending
  struct Rule {
    std::vector<Code> left;
    Records right;  // the records with all codes on the right
    double deficit = 0;
  };
  void change(const std::vector<Code>& codes, bool keep);
  [[nodiscard]] double deficit_of(const Rule& rule) const;

  const Task& task_;
  std::vector<std::uint64_t> supports_;
  std::vector<Code> public_;
  std::vector<Records> with_code_;
  std::vector<Group> group_of_;             // by code
  std::vector<std::vector<Code>> members_;  // by group, ascending
  std::vector<Records> with_group_;
  std::vector<Group> free_;  // groups without members
  std::vector<Rule> rules_;
  std::vector<std::vector<std::uint32_t>> rules_of_;  // by code
};

}  // namespace pratique::codes
