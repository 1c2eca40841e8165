// The words of a column's name: date_of_birth, DateOfBirth, "Date of birth" and DATE-OF-BIRTH are
// date, of, birth; versichertennr is also versicherten, number.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace pratique::columns::internal {

class ColumnName {
 public:
  explicit ColumnName(std::string_view name);

  // Whether the phrase (lower-case words) occurs: as consecutive words, or run together in one
  // (`dateofbirth`, `zipcode`).
  [[nodiscard]] bool has(std::string_view phrase) const;
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }
  // Whether it is called an age in years: age, years_old, alter.
  [[nodiscard]] bool says_age() const;
  // Whether it is called an age in months or less: age_mo, days_since_birth.
  [[nodiscard]] bool says_age_below_years() const;

 private:
  [[nodiscard]] bool has_word_of(std::initializer_list<std::string_view> words) const;

  std::vector<std::string> words_;
  std::vector<std::string> compound_;  // the same, where the last is a number in one German word
};

}  // namespace pratique::columns::internal
