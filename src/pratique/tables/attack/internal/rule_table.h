// What rules are mined from (mined_rules.h): a release, or a public table.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "pratique/tables/recoding.h"

namespace pratique::tables::internal {

struct RuleTable {
  struct Cells {
    std::size_t attribute;
    std::vector<Code> codes;  // by row
    std::size_t distinct = 0;
    // Of a release: the cells, and their codes, the narrowest first.
    std::shared_ptr<const Dictionary> texts = {};
    std::vector<Code> by_width = {};
    std::vector<Code> same = {};  // else: by code of the attribute the code of the same value
  };
  std::vector<Cells> columns;
  std::vector<std::vector<Code>> sensitive;  // beside the input's; kNoCode where it lacks the value
  std::vector<double> counts;                // by row: records, or parts of one
};

[[nodiscard]] RuleTable released_table(const ProtectionInput& input, const Recoding& recoding);

// Of a release whose values stand apart: each record as often as its class has values, with their
// shares.
void put_values_apart(const ProtectionInput& input, const Recoding& recoding, RuleTable& table);

// Of a public table; its columns are those of the input with the same name.
[[nodiscard]] RuleTable known_table(const ProtectionInput& input, const GroupedTable& known);

}  // namespace pratique::tables::internal
