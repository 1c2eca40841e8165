// Columns that undo what a class hides. An age follows from a date of birth, a weekday from an
// admission, a district from a postcode: who knows the quasi-identifier knows them, and finds the
// record in its class by them. And a ward tells the hospital that a class of several hides.
//
// One column follows from another where
//   - both are numbers or dates, and their ranks nearly agree (Spearman's correlation of at least
//     0.98 either way, over 20 rows), or
//   - rows with the same value of the other nearly always share its value, or
//   - it changes hardly more often than it has values when rows stand in the order of the other (an
//     age group by birth, a region by postcode).
// Of a date its year, month, day, weekday and week are looked at, too. "Nearly" is: at most a
// twentieth of the differences that chance would make, where chance would make at least a dozen.
//
// From two dates follows a number that nearly always is the days between them (a length of stay),
// one less or one more, or the whole years (an age at admission).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/data/table.h"

namespace pratique::columns {

// A column as cells that are equal or not, by row; kNone where one is missing.
struct Reading {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> cells;
  std::uint32_t values = 0;
};

// What may be read from a column.
struct Readings {
  std::vector<Reading> all;  // its own cells first, then the parts of its dates
  // By row, where its values are days or numbers; not a number where one is missing.
  std::optional<std::vector<double>> quantities;
  std::vector<std::vector<double>> days;  // by row, in each form that its dates may have
  std::vector<double> ranks;              // of the quantities, where none is missing
  std::vector<std::uint32_t> order;       // of the rows: by quantity, else by text
  std::vector<std::uint32_t> no_order;    // of the rows, the same for all columns
};
[[nodiscard]] Readings readings_of(const Column& column);

enum class Undoing { follows, tells };

// Whether a column follows from a quasi-identifier of the same rows, or else tells it.
[[nodiscard]] std::optional<Undoing> undoes(const Readings& column,
                                            const Readings& quasi_identifier);
// By the ranks of numbers and days and by parts of dates alone: what everybody can work out.
[[nodiscard]] std::optional<Undoing> undoes_in_order(const Readings& column,
                                                     const Readings& quasi_identifier);
// Whether a column of numbers follows from two quasi-identifiers that are dates, in this order.
[[nodiscard]] bool follows_from_days_between(const Readings& column, const Readings& from,
                                             const Readings& to);
// By rows that share a value alone, whatever the values are called.
[[nodiscard]] bool shared_by_value(const Readings& column, const Readings& quasi_identifier);

}  // namespace pratique::columns
