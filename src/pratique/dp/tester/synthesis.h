// The synthesiser as a whole, under the tester: what is compared is what leaves, the rows.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "pratique/dp/mechanism/noise.h"
#include "pratique/dp/synthesis/marginal.h"
#include "pratique/dp/synthesis/mst.h"
#include "pratique/dp/tester/tester.h"

namespace pratique::dp {

// From rows of these columns to synthetic rows: the cells of every column.
using Synthesiser = std::function<std::vector<std::vector<std::uint32_t>>(
    const EncodedRows& rows, const std::vector<SynthesisColumn>& columns, double rho,
    Noise& noise)>;

// Select, measure, generate, as dp synthesize does.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> synthesised(
    const EncodedRows& rows, const std::vector<SynthesisColumn>& columns, double rho, Noise& noise);

// Tables of two columns, from nobody to a few people, each with one more who is like the others,
// like nobody, or whose value was not declared.
[[nodiscard]] std::vector<NeighbourPair> pairs_of_tables(const Synthesiser& synthesiser,
                                                         Epsilon epsilon, double delta);

}  // namespace pratique::dp
