// Records that stand alone by columns that no model holds to anything: whoever knows these of a
// person finds the one record, however large its class is by the quasi-identifiers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/data/dictionary.h"
#include "pratique/engine/people.h"

namespace pratique::release {

// The sensitive columns that these claims hold to a model. One that every table satisfies (l = 1),
// or that bounds a single value, holds no column.
[[nodiscard]] std::vector<std::string> held_secrets(const Json& claims);

// Of the sensitive columns of a file, those by which records are singled out: those that these
// claims hold to no model, and those that tell at least half of the people apart (engine/people.h).
[[nodiscard]] std::vector<std::string> secrets_singling_out(const PeopleAlike& people,
                                                            const std::vector<std::string>& secrets,
                                                            const Json& claims);

// The number of each row's cells in these columns: equal where all cells are.
[[nodiscard]] std::vector<std::uint32_t> number_cells(
    const std::vector<const std::vector<Code>*>& columns, std::size_t rows);

// How many records have cells in these columns that no other record has; 0 without columns. A row
// of the columns stands for `counts` records.
[[nodiscard]] std::uint64_t singled_out(const std::vector<const std::vector<Code>*>& columns,
                                        std::span<const std::uint64_t> counts);

}  // namespace pratique::release
