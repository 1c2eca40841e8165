// The generative model of the census: a Bayesian network over nine columns.
//
//   sex -> age;  native-country;  (region, sex) -> race;
//   (age, low-schooling country) -> education;  (age, sex) -> marital-status;
//   (education, sex, under 25) -> occupation;  (occupation, age) -> workclass;
//   (education, age, married, occupation, sex, workclass) -> salary-class, a logistic model.
//
// The tables are frequencies of the public Adult extract for broad groups, rounded to about one in
// a thousand: enough for the shape (each marginal and each pair of columns close in total
// variation, as many distinct rows), far too coarse to hold a person.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/crypto/random.h"

namespace pratique::synthetic {

inline constexpr std::array<std::string_view, 9> kCensusColumns = {
    "sex",       "age",        "race",        "marital-status", "education", "native-country",
    "workclass", "occupation", "salary-class"};
inline constexpr int kYoungest = 17;
inline constexpr int kOldest = 90;

// The values of a column other than age.
[[nodiscard]] std::vector<std::string_view> census_values(std::string_view column);

class CensusModel {
 public:
  CensusModel();
  // Appends one CSV line.
  void append_row(SeededRandom& random, std::string& out) const;

 private:
  std::vector<AliasTable> age_;         // by sex
  std::vector<AliasTable> country_;     // one
  std::vector<AliasTable> race_;        // by region, sex
  std::vector<AliasTable> education_;   // by age group; the last is for low-schooling countries
  std::vector<AliasTable> marital_;     // by age group, sex
  std::vector<AliasTable> occupation_;  // by education group, sex, under 25
  std::vector<AliasTable> workclass_;   // by occupation, age group
  std::vector<double> high_salary_;     // by all that the logistic model looks at
};

// The paths of a column's hierarchy: levels joined with `;`, leaf first.
[[nodiscard]] std::vector<std::string> census_hierarchy(std::string_view column);

}  // namespace pratique::synthetic
