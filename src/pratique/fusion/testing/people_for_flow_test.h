// A list with names, facts from the web and rules that fuse them, for tests of the flows.
#pragma once

#include <array>

#include "pratique/kind/testing/table_flow_fixture.h"

namespace pratique::fusion::flow {

// Singletons weighed by their degrees, so that estimates are worked out by hand.
inline constexpr const char* kIncomeRules =
    "FUNCTION_BLOCK income\n"
    "VAR_INPUT valuation : REAL; holdings : REAL; END_VAR\n"
    "VAR_OUTPUT debt : REAL; income : REAL; END_VAR\n"
    "FUZZIFY valuation TERM low := (1, 1) (10, 0); TERM high := (1, 0) (10, 1); END_FUZZIFY\n"
    "FUZZIFY holdings TERM small := (500, 1) (5500, 0); TERM large := (500, 0) (5500, 1); "
    "END_FUZZIFY\n"
    "DEFUZZIFY debt TERM some := 7; METHOD : COGS; END_DEFUZZIFY\n"
    "DEFUZZIFY income\n"
    "  TERM low := 40000; TERM medium := 70000; TERM high := 100000; METHOD : COGS;\n"
    "END_DEFUZZIFY\n"
    "RULEBLOCK all\n"
    "  RULE 1 : IF valuation IS low AND holdings IS small THEN income IS low;\n"
    "  RULE 2 : IF valuation IS low AND holdings IS large THEN income IS medium;\n"
    "  RULE 3 : IF valuation IS high AND holdings IS small THEN income IS medium;\n"
    "  RULE 4 : IF valuation IS high AND holdings IS large THEN income IS high;\n"
    "END_RULEBLOCK\n"
    "END_FUNCTION_BLOCK\n";

// By the rules above: a valuation that is low and high to these degrees, and a fact.
inline double income_by_hand(double low, double high, double holdings) {
  const double large = (holdings - 500) / 5000;
  const std::array<double, 3> degrees = {std::min(low, 1 - large),
                                         std::max(std::min(low, large), std::min(high, 1 - large)),
                                         std::min(high, large)};
  return (40000 * degrees[0] + 70000 * degrees[1] + 100000 * degrees[2]) /
         (degrees[0] + degrees[1] + degrees[2]);
}

class NamedPeopleFlow : public TableFlowFixture {
 protected:
  std::string rules = file("rules.fcl", kIncomeRules);

  struct Person {
    std::string name;
    int valuation;
    int visits;
    int holdings;

    [[nodiscard]] int income() const { return 30000 + 2500 * valuation + 9 * holdings; }
  };
  // No two names are alike; income goes with valuation and, more, with holdings.
  const std::vector<Person> persons = {
      {"Alice", 1, 4, 600},   {"Boris", 9, 2, 4000},     {"Christine", 3, 9, 2500},
      {"Dmitri", 7, 1, 900},  {"Edward", 2, 8, 5200},    {"Fiona", 10, 3, 1500},
      {"Gustav", 5, 5, 3300}, {"Helena", 4, 7, 700},     {"Igor", 8, 6, 4700},
      {"Julia", 6, 10, 2100}, {"Kunigunde", 2, 2, 5400}, {"Leopold", 9, 9, 1200}};

  // The columns that are asked for, of every person or of every n-th.
  [[nodiscard]] std::string table_of_persons(const std::string& name,
                                             const std::vector<std::string>& columns,
                                             std::size_t every = 1) const {
    std::string text;
    for (const auto& column : columns) text += (text.empty() ? "" : ",") + column;
    text += "\n";
    for (std::size_t i = 0; i < persons.size(); i += every) {
      std::string line;
      for (const auto& column : columns) {
        const Person& person = persons[i];
        line += line.empty() ? "" : ",";
        line += column == "name"        ? person.name
                : column == "ssn"       ? "00" + std::to_string(i)
                : column == "valuation" ? std::to_string(person.valuation)
                : column == "visits"    ? std::to_string(person.visits)
                : column == "holdings"  ? std::to_string(person.holdings)
                                        : std::to_string(person.income());
      }
      text += line + "\n";
    }
    return file(name, text);
  }
};

}  // namespace pratique::fusion::flow
