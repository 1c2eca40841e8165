// What the values of a column look like: how many rows hold an e-mail address, a precise date, five
// digits. Every distinct value is looked at once, as it is read (digits of any script), and counts
// for its rows. Only counts leave here, never a value.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "pratique/data/table.h"

namespace pratique::columns {

// The narrowest of these that holds all values that are present. A number with leading zeros is a
// code: 02139 is no quantity.
enum class ColumnType { empty, boolean, integer, decimal, date, code, text };

[[nodiscard]] std::string_view to_string(ColumnType type);

enum class Shape {
  email,            // anywhere in the value
  web_address,      // anywhere
  social_security,  // 3-2-4 digits, anywhere
  phone,            // written with its separators, anywhere
  ip_address,       // the whole value, from here on
  mac_address,
  vehicle_number,     // 17 letters and digits
  zip_code,           // 5 digits or ZIP+4
  zip_prefix,         // 3 digits, the rest masked
  precise_date,       // month or day known
  year,               // 1800 to 2199, or up to one of them (<=1936)
  capitalised_words,  // two to four
  street_address,     // a number and a street
  over_89,            // a whole number from 90 to 130
  long_text,          // over 8 words
  phrase,             // 4 to 8 words
  zip_without_zero,   // 4 digits: 2138 is 02138 that was read as a number
  round_number,       // digits that end in 0
  day_and_month,      // 03/05
  month_or_weekday,   // its name
  letters,            // any
  person_name,        // two or three capitalised words, after a title or not
  titled_name,        // Dr. Lee
  long_number,        // five digits or more, and nothing else
  numbered,           // four digits or more, no blanks, and not more of other signs
  known_name,         // a given and a family name, by lists of names, anywhere in the value
  bank_account,       // an IBAN whose check digits are right
  licence_plate,      // of cars, in Germany, France, the United Kingdom or California
  record_number,      // MRN00012
  one_name,           // one word, a given or a family name by lists of names
  one_name_only,      // the same, and by no list another word
  short_weekday,      // Mo, Tu, lun: two or three letters, which may be something else, too
};
constexpr std::size_t kShapes = static_cast<std::size_t>(Shape::short_weekday) + 1;

struct ColumnContent {
  ColumnType type = ColumnType::empty;
  std::uint64_t rows = 0;
  std::uint64_t missing = 0;   // empty, '*', or a usual mark: NA N/A NULL null NaN nan ? .
  std::uint64_t distinct = 0;  // values present
  std::uint64_t unique = 0;    // values that one row has
  std::array<std::uint64_t, kShapes> shaped{};
  bool names_recombine = false;  // words of its person_names come together in many ways

  [[nodiscard]] std::uint64_t present() const { return rows - missing; }
  [[nodiscard]] std::uint64_t with(Shape shape) const {
    return shaped[static_cast<std::size_t>(shape)];
  }
  // Of the rows that are present.
  [[nodiscard]] double share(Shape shape) const {
    return present() == 0 ? 0 : static_cast<double>(with(shape)) / static_cast<double>(present());
  }
};

[[nodiscard]] ColumnContent read_content(const Column& column);
// Values and how many rows hold each.
[[nodiscard]] ColumnContent read_content(const Dictionary& values,
                                         std::span<const std::uint64_t> counts);

}  // namespace pratique::columns
