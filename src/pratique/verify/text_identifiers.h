// What identifies people in a text and a shape gives away, found by rules of this folder's own: the
// text is taken apart into numbers, words and signs, and what stands beside each other is looked
// at. It knows no list of names: of names it finds those that a title announces.
//
//   email url ip ssn phone   by their signs and groups of digits
//   date                     day, month and year in numbers, a day or a year beside a month's name
//   zip                      five digits behind a state's two letters, or with four behind a hyphen
//   age                      90 and over; any other is an exact-age
//   id                       seven digits and more in one run; four and more behind MRN, SSN,
//   account name, clinician          a word with a capital behind Mr., Mrs., Ms., Miss; behind Dr.,
//   Prof.
//
// A tag (**NAME[AAA, BBB M], **DATE[2011], **AGE[over 89]) is none of these as long as there is
// nothing else in its brackets. Of surrogates, what nobody has is none either: numbers that begin
// with 000, telephone numbers 555-01xx, addresses at example.org and the networks that RFC 5737
// keeps for documents.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace pratique::verify {

struct TextIdentifier {
  std::size_t start = 0;  // in bytes
  std::size_t end = 0;
  std::string_view type;
};

// In order, apart from each other.
[[nodiscard]] std::vector<TextIdentifier> identifiers_in_note(std::string_view text,
                                                              bool surrogates_allowed);

}  // namespace pratique::verify
