// The subgroups of a table with enough support, and what they say of one sensitive attribute
// (mined_rules.h).
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pratique/tables/attack/internal/rule_table.h"
#include "pratique/tables/attack/mined_rules.h"

namespace pratique::tables::internal {

inline constexpr std::uint32_t kNoGroup = std::numeric_limits<std::uint32_t>::max();

class Subgroups {
 public:
  // Both have to outlive it.
  Subgroups(const ProtectionInput& input, std::size_t sensitive, const RuleTable& table,
            std::uint64_t support);

  // The smallest that a group is in; kNoGroup where it is in none.
  [[nodiscard]] std::uint32_t of_group(std::uint32_t group) const;

  [[nodiscard]] bool rules_out(std::uint32_t subgroup, Code value) const;

  // How much more frequent the value is in the subgroup than in the whole table.
  [[nodiscard]] double lift(std::uint32_t subgroup, Code value, bool with_negative) const;

  [[nodiscard]] std::size_t size() const { return subgroups_.size(); }

  // `used`: by subgroup, whether it counts for somebody.
  void count_rules(const std::vector<char>& used, RuleAttack& attack) const;

 private:
  struct Subgroup {
    double records = 0;
    std::unordered_map<Code, double> of_value;
  };
  using Index = std::unordered_map<std::uint64_t, std::uint32_t>;

  [[nodiscard]] std::vector<double> records_of_cells(const RuleTable::Cells& column) const;
  // By value: the narrowest cell with enough records that contains it.
  void choose_cells(std::size_t a);
  // Pairs of the cells that were chosen, with enough records.
  void count(std::size_t a, std::size_t b);
  // What the subgroups from `first` on say of the values.
  template <class SubgroupOfRow>
  void count_values(std::size_t first, const SubgroupOfRow& subgroup_of_row);

  const ProtectionInput& input_;
  const RuleTable& table_;
  const std::vector<Code>& values_;  // by row
  double support_;
  std::vector<double> shares_;              // by value, of the whole table
  double known_ = 0;                        // records with a value that the input has
  std::vector<std::vector<Code>> cell_of_;  // by column and value
  std::vector<Subgroup> subgroups_;
  Index singles_;                                               // by column and cell
  std::map<std::pair<std::size_t, std::size_t>, Index> pairs_;  // by columns, and by cells
};

}  // namespace pratique::tables::internal
