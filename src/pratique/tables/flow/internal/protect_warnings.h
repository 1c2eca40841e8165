// What tables protect takes as it stands and its user may not have meant. Counts alone, no values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/tables/flow/prepared_table.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables::flow {

// Quasi-identifiers of which nothing is left: all of their cells are *.
[[nodiscard]] std::vector<std::string> hidden_columns(const PreparedTable& prepared,
                                                      const Recoding& recoding);

// A list of sentences. `alone_by_rows` is as People::alone_by_rows has it.
[[nodiscard]] Json warnings_about(const PreparedTable& prepared, const Recoding& recoding,
                                  std::uint64_t alone_by_rows, const Json& claims);

}  // namespace pratique::tables::flow
