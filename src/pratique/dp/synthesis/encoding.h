// Rows of a table as cells of declared columns.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/data/table.h"
#include "pratique/dp/synthesis/attribute.h"
#include "pratique/dp/synthesis/marginal.h"

namespace pratique::dp {

// Raw values; `table` has the columns in the order of the attributes.
[[nodiscard]] EncodedRows encoded(const std::vector<Attribute>& attributes, const Table& table,
                                  std::vector<std::uint64_t> counts);
// Released ones, which are labels. What is none is in the stray cell.
[[nodiscard]] EncodedRows encoded_labels(const std::vector<Attribute>& attributes,
                                         const Table& table, std::vector<std::uint64_t> counts);

}  // namespace pratique::dp
