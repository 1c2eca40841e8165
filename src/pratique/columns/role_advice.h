// Which role a column should have, by its name and by what its values look like. Only names of
// columns, counts and shapes are told, and no value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/columns/column_content.h"
#include "pratique/columns/safe_harbor.h"
#include "pratique/data/schema.h"

namespace pratique::columns {

struct RoleAdvice {
  Role role = Role::insensitive;
  std::string why;  // a sentence
};

// None where neither name nor values say anything. `findings` are those of the column.
[[nodiscard]] std::optional<RoleAdvice> advise(const std::string& column,
                                               const ColumnContent& content,
                                               const std::vector<SafeHarborFinding>& findings);

// Whether its values name people, so that rows with the same value are one person's.
[[nodiscard]] bool names_a_person(const std::string& column, const ColumnContent& content);

// Whether names are all that it is: of two people who are called the same nothing follows.
[[nodiscard]] bool is_called_a_name(const std::string& column, const ColumnContent& content);

// Whether by its name it numbers people (a record number, a patient's), and not their visits: where
// no value of it repeats, no two rows are one person's, however they are called.
[[nodiscard]] bool numbers_each_person(const std::string& column, const ColumnContent& content);

// Whether an identifier stands in several rows and may say whose they are: it names people, or is a
// number or code, by its name no cost or age, of which there are many: a third of 20 rows or more.
[[nodiscard]] bool may_say_whose_rows(const std::string& column, const ColumnContent& content);

// The same of a column that somebody says is an identifier, whatever it is called: any that repeats
// in 20 rows or more and whose values stand in 100 rows or fewer on average, words in 5 or fewer.
// Not amounts, decimals, dates, places, sentences, or people beside the patient.
[[nodiscard]] bool identifier_may_say_whose_rows(const std::string& column,
                                                 const ColumnContent& content);

// Whether it stays as it is for a person from one visit to the next: a name, a birth, the sex.
[[nodiscard]] bool lasts(const std::string& column, const ColumnContent& content);

// Whether the name says what a column of words holds (a diagnosis, a profession), and not that
// anything may stand there (a note, a complaint).
[[nodiscard]] bool says_what_it_holds(const std::string& column);

// Why a column must not leave as it is without being allowed to: it looks like one of the 18
// identifiers of Safe Harbor, most records have a value of their own, or anybody may be named
// there. None where it may.
[[nodiscard]] std::optional<std::string> why_not_as_it_is(const std::string& column,
                                                          const ColumnContent& content);

}  // namespace pratique::columns
