#include <fmt/format.h>

#include <map>

#include "pratique/synthetic/internal/census_model.h"

namespace pratique::synthetic {
namespace {

// For each value, the levels between it and the root.
using Groups = std::map<std::string_view, std::string_view>;

const Groups& marital_groups() {
  static const Groups groups = {
      {"Never-married", "Single"},      {"Married-civ-spouse", "Married"},
      {"Married-AF-spouse", "Married"}, {"Married-spouse-absent", "Married"},
      {"Divorced", "Formerly married"}, {"Separated", "Formerly married"},
      {"Widowed", "Formerly married"}};
  return groups;
}

const Groups& education_groups() {
  static const Groups groups = {{"Preschool", "Elementary;Without diploma"},
                                {"1st-4th", "Elementary;Without diploma"},
                                {"5th-6th", "Elementary;Without diploma"},
                                {"7th-8th", "Middle grades;Without diploma"},
                                {"9th", "Middle grades;Without diploma"},
                                {"10th", "Upper grades;Without diploma"},
                                {"11th", "Upper grades;Without diploma"},
                                {"12th", "Upper grades;Without diploma"},
                                {"HS-grad", "School diploma;Diploma but no degree"},
                                {"Some-college", "College courses;Diploma but no degree"},
                                {"Assoc-voc", "Two-year degree;With degree"},
                                {"Assoc-acdm", "Two-year degree;With degree"},
                                {"Bachelors", "Four-year degree;With degree"},
                                {"Masters", "Advanced degree;With degree"},
                                {"Prof-school", "Advanced degree;With degree"},
                                {"Doctorate", "Advanced degree;With degree"}};
  return groups;
}

const Groups& country_groups() {
  static const Groups groups = {{"United-States", "Northern America"},
                                {"Canada", "Northern America"},
                                {"Outlying-US(Guam-USVI-etc)", "Islands"},
                                {"Puerto-Rico", "Islands"},
                                {"Cuba", "Islands"},
                                {"Jamaica", "Islands"},
                                {"Haiti", "Islands"},
                                {"Dominican-Republic", "Islands"},
                                {"Trinadad&Tobago", "Islands"},
                                {"Mexico", "Middle and South America"},
                                {"El-Salvador", "Middle and South America"},
                                {"Guatemala", "Middle and South America"},
                                {"Honduras", "Middle and South America"},
                                {"Nicaragua", "Middle and South America"},
                                {"Columbia", "Middle and South America"},
                                {"Ecuador", "Middle and South America"},
                                {"Peru", "Middle and South America"},
                                {"England", "Western Europe"},
                                {"Scotland", "Western Europe"},
                                {"Ireland", "Western Europe"},
                                {"Germany", "Western Europe"},
                                {"France", "Western Europe"},
                                {"Holand-Netherlands", "Western Europe"},
                                {"Italy", "Southern and Eastern Europe"},
                                {"Portugal", "Southern and Eastern Europe"},
                                {"Greece", "Southern and Eastern Europe"},
                                {"Poland", "Southern and Eastern Europe"},
                                {"Hungary", "Southern and Eastern Europe"},
                                {"Yugoslavia", "Southern and Eastern Europe"},
                                {"China", "East Asia"},
                                {"Taiwan", "East Asia"},
                                {"Hong", "East Asia"},
                                {"Japan", "East Asia"},
                                {"South", "East Asia"},
                                {"Philippines", "South and West Asia"},
                                {"Vietnam", "South and West Asia"},
                                {"Cambodia", "South and West Asia"},
                                {"Laos", "South and West Asia"},
                                {"Thailand", "South and West Asia"},
                                {"India", "South and West Asia"},
                                {"Iran", "South and West Asia"}};
  return groups;
}

const Groups& workclass_groups() {
  static const Groups groups = {
      {"Private", "Employee of a firm"}, {"Self-emp-not-inc", "Own business"},
      {"Self-emp-inc", "Own business"},  {"Local-gov", "Public service"},
      {"State-gov", "Public service"},   {"Federal-gov", "Public service"},
      {"Without-pay", "Unpaid"}};
  return groups;
}

const Groups& occupation_groups() {
  static const Groups groups = {{"Adm-clerical", "Office and trade"},
                                {"Sales", "Office and trade"},
                                {"Exec-managerial", "Managers and specialists"},
                                {"Prof-specialty", "Managers and specialists"},
                                {"Tech-support", "Managers and specialists"},
                                {"Craft-repair", "Manual work"},
                                {"Handlers-cleaners", "Manual work"},
                                {"Machine-op-inspct", "Manual work"},
                                {"Transport-moving", "Manual work"},
                                {"Farming-fishing", "Manual work"},
                                {"Other-service", "Services"},
                                {"Priv-house-serv", "Services"},
                                {"Protective-serv", "Services"},
                                {"Armed-Forces", "Services"}};
  return groups;
}

std::vector<std::string> age_paths() {
  std::vector<std::string> paths;
  for (int age = kYoungest; age <= kOldest; ++age) {
    std::string path = std::to_string(age);
    for (const int width : {5, 10, 20}) {
      const int low = age / width * width;
      path += fmt::format(";{}..{}", low, low + width - 1);
    }
    paths.push_back(path + ";*");
  }
  return paths;
}

const Groups* groups_of(std::string_view column) {
  if (column == "marital-status") return &marital_groups();
  if (column == "education") return &education_groups();
  if (column == "native-country") return &country_groups();
  if (column == "workclass") return &workclass_groups();
  if (column == "occupation") return &occupation_groups();
  return nullptr;
}

}  // namespace

std::vector<std::string> census_hierarchy(std::string_view column) {
  if (column == "age") return age_paths();
  const Groups* groups = groups_of(column);
  std::vector<std::string> paths;
  for (const std::string_view value : census_values(column)) {
    paths.push_back(groups == nullptr ? fmt::format("{};*", value)
                                      : fmt::format("{};{};*", value, groups->at(value)));
  }
  return paths;
}

}  // namespace pratique::synthetic
