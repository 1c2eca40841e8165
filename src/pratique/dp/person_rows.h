// Bounding what one person adds: of everybody's rows at most so many count, drawn at random.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/table.h"
#include "pratique/dp/mechanism/noise.h"

namespace pratique::dp {

// Of a row that does not say whose it is. Such rows count nowhere: they may be anybody's, and as
// many of one person as there are.
inline constexpr Code kNobody = kNoCode;

// One text for all spellings of a person: " p1", "P1" and "p1", "007" and "7"; empty for nobody.
// Two people who are taken for one lose rows, and nobody's privacy; one who is taken for two loses
// that.
[[nodiscard]] std::string spelt_as_one(std::string_view person);
// Whose each row is, with one code for all spellings.
[[nodiscard]] std::vector<Code> people_of(const Column& person);

// How many of the rows that each row stands for are kept: of each person at most `max_rows`, and
// every set of so many of the person's rows is as likely as any other. `counts` says how many rows
// each row stands for; those of 0 are nobody's, and of nobody's rows none is kept. Spellings of a
// person (case, blanks, zeros in front) are one person.
[[nodiscard]] std::vector<std::uint64_t> rows_within(const std::vector<std::uint64_t>& counts,
                                                     const Column& person, std::uint64_t max_rows,
                                                     RandomBits& random);

}  // namespace pratique::dp
