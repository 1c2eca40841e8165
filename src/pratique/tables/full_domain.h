// Full-domain generalisation: every value of a quasi-identifier is replaced by its ancestor at one
// level of the column's hierarchy, the same level in all rows (Samarati 2001), and the rows of
// classes that are still smaller than k are suppressed: they do not leave at all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"
#include "pratique/tables/equivalence_classes.h"

namespace pratique::tables {

struct GeneralisedAttribute {
  const Column* column = nullptr;
  const Hierarchy* hierarchy = nullptr;
  std::vector<Hierarchy::Node> leaves;  // of each code of the column (Hierarchy::bind)
  int level = 0;
};

// A column on its way out: row i holds values[codes[i]].
struct RecodedColumn {
  std::vector<Code> codes;
  std::vector<std::string> values;
};

// A value at level 0 keeps its text, escaped where it would read as a generalised one.
[[nodiscard]] RecodedColumn generalise(const GeneralisedAttribute& attribute);

struct FullDomainRelease {
  std::vector<RecodedColumn> columns;  // beside the quasi-identifiers
  std::vector<std::uint32_t> groups;   // whose rows leave
  std::uint64_t suppressed = 0;
  std::uint64_t classes = 0;   // among the rows that leave
  std::uint64_t smallest = 0;  // of these classes; 0 when nothing leaves
  // Mean over all quasi-identifier cells of (leaves under the value - 1) / (leaves - 1), a
  // suppressed record counting 1 in each cell (Iyengar 2002, LM).
  double loss = 0;
};

// counts[i]: how many rows row i of the columns stands for.
[[nodiscard]] FullDomainRelease apply_levels(const std::vector<GeneralisedAttribute>& attributes,
                                             const std::vector<std::uint64_t>& counts,
                                             std::uint64_t k);

}  // namespace pratique::tables
