// What Safe Harbor (45 CFR 164.514(b)(2)(i)) asks of a column, and what it leaves of a cell.
//
//   year    dates: the year alone. Years that tell an age over 89 are one class, <=1936: those at
//           least 90 years before the year that ages are counted for.
//   age     years. From 90 on one class, 90+; a range that reaches beyond 89 is open: 80..99 is
//           80+. What is neither a number nor a range is left empty.
//   zip     three digits, 000 where the area has too few people (zip_areas.h)
//   remove  everything else among the 18 identifiers, ages in months or less, free text, and texts
//           of more than 20 kinds or 20 numbers of five digits or more, for a tenth of the rows,
//           where the column's name does not say what they are
//   keep    the rest. A cell that holds an identifier in its text (an address of e-mail, a date, a
//           telephone number, ...) is left empty.
// A name of a column that holds an identifier in its text must be changed, whatever the column is.
#pragma once

#include <string>
#include <string_view>

#include "pratique/columns/column_content.h"

namespace pratique::columns {

enum class SafeHarborTreatment { keep, remove, year, age, zip };

// "year alone"
[[nodiscard]] std::string_view to_string(SafeHarborTreatment treatment);

class SafeHarborRule {
 public:
  // By the column's name and what its values look like. `as_of` is the year that ages are counted
  // for.
  SafeHarborRule(const std::string& column, const ColumnContent& content, int as_of);

  // For a column of which the treatment is known.
  explicit SafeHarborRule(SafeHarborTreatment treatment, int as_of = 0)
      : treatment_(treatment), as_of_(as_of) {}

  [[nodiscard]] SafeHarborTreatment treatment() const { return treatment_; }
  // Whether the column's name itself holds an identifier, which no permission lets leave.
  [[nodiscard]] bool name_identifies() const { return name_identifies_; }
  // Why it is removed.
  [[nodiscard]] const std::string& why() const { return why_; }
  // For a column that may leave although it looks like one to remove.
  void keep() { treatment_ = SafeHarborTreatment::keep; }
  // For a column that may leave with names, and numbers of nine, ten or thirteen digits or more.
  void permit() { permitted_ = true; }

  // A cell of ZIP codes as it was before it was read as a number: 501 is 00501 among codes of four
  // and five digits, and three digits of one where all have three. Any other cell is as it is.
  [[nodiscard]] std::string with_zeros(std::string_view value) const;
  // What leaves in place of a cell; empty where nothing may. What leaves is left as it is when it
  // comes again.
  [[nodiscard]] std::string cell(std::string_view value) const;
  // Whether a cell of dates names a year after `as_of`, so that ages would be more than they seem.
  [[nodiscard]] bool is_later(std::string_view value) const;

 private:
  [[nodiscard]] std::string year_cell(std::string_view value) const;
  [[nodiscard]] static std::string age_cell(std::string_view value);
  [[nodiscard]] std::string set_cell(std::string_view value) const;
  void remove(std::string why);

  SafeHarborTreatment treatment_ = SafeHarborTreatment::keep;
  std::string why_;
  bool texts_ = false;  // its values are words, not numbers or codes
  int as_of_ = 0;
  bool name_identifies_ = false;
  bool permitted_ = false;
  bool lost_zeros_ = false;
};

}  // namespace pratique::columns
