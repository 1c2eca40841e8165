// What the adversary knows about each person: the cells of the release and the facts from the web,
// as inputs of the rules.
//
// A rule input is the column of the same name (as fcl_identifier writes it) of the release, of the
// auxiliary file, or of both: then the fact wins where the person was found and it is known, since
// nobody generalised it. A cell is read as
//   12.5                 a number
//   5..10, [5, 10[, 5-9  an interval
//   >=90                 an interval as far as the variable's sets reach
//   {3|7}                one of several
//   Physician            a word: the term of that name, there where it holds most; a singleton
//                        gives a word its number
//   *, empty, any other  not known
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/table.h"
#include "pratique/fusion/inference.h"

namespace pratique::fusion {

[[nodiscard]] Input read_input(std::string_view cell, const Variable& variable);

inline constexpr std::uint32_t kNotFound = 0xffffffffU;

struct Observations {
  struct OfInput {
    std::string name;
    std::vector<Input> values;          // each once; the first is: not known
    std::vector<std::uint32_t> of_row;  // into values
    bool in_release = false;
    bool in_auxiliary = false;

    // The share of rows of which anything is known.
    [[nodiscard]] double known() const;
  };
  std::size_t rows = 0;
  std::vector<OfInput> inputs;  // beside the system's inputs
};

// fact_row[i] is the auxiliary row of the person in row i of the release, or kNotFound; `auxiliary`
// may be null. An input that is a column of neither is not known of anybody.
[[nodiscard]] Observations observe(const FuzzySystem& system, const Table& release,
                                   const Table* auxiliary,
                                   const std::vector<std::uint32_t>& fact_row);

struct Estimates {
  std::vector<double> values;   // by row
  std::size_t unexplained = 0;  // rows of which no rule fired
};
[[nodiscard]] Estimates estimate_all(const FuzzySystem& system, std::size_t output,
                                     const Observations& observations, Reading reading);

}  // namespace pratique::fusion
