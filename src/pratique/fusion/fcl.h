// Fuzzy Control Language, the text of IEC 61131-7, as jFuzzyLogic, fuzzylite and others read it.
//
//   FUNCTION_BLOCK name
//   VAR_INPUT   valuation : REAL; END_VAR
//   VAR_OUTPUT  income : REAL; END_VAR
//   FUZZIFY valuation
//     TERM low := (1, 1) (5, 0);          straight lines between points
//     TERM high := trian 4 10 16;         also: trape a b c d, gauss mean deviation
//     TERM best := 10;                    a singleton
//     RANGE := (1 .. 10);                 optional
//   END_FUZZIFY
//   DEFUZZIFY income
//     TERM ...
//     METHOD : COG;                       COG, COGS, COA (bisector), LM, RM, MM (or MOM)
//     DEFAULT := 40000;                   optional; NC says the same as leaving it out
//   END_DEFUZZIFY
//   RULEBLOCK first
//     AND : MIN;                          MIN, PROD, BDIF; OR: MAX, ASUM, BSUM
//     ACT : MIN;                          MIN, PROD
//     ACCU : MAX;                         MAX, BSUM, NSUM, PROBOR; also taken in DEFUZZIFY
//     RULE 1 : IF valuation IS high AND NOT (a IS b OR c IS NOT d) THEN income IS high WITH 0.8;
//   END_RULEBLOCK
//   END_FUNCTION_BLOCK
//
// Words know no case. Comments are (* ... *) and // to the end of the line. AND binds before OR.
// Where only AND or only OR is given, the other is its De Morgan dual, as the standard asks.
// What is not read: other set functions, structured text, hedges; the error says so.
#pragma once

#include <string>
#include <string_view>

#include "pratique/fusion/fuzzy_system.h"

namespace pratique::fusion {

// Throws Error::input placed at PLACE:LINE:COLUMN.
[[nodiscard]] FuzzySystem parse_fcl(std::string_view text, const std::string& place);
[[nodiscard]] FuzzySystem read_fcl(const std::string& path);

// parse_fcl(print_fcl(system)) == system for every system that parse_fcl gives. `comment` goes to
// the top.
[[nodiscard]] std::string print_fcl(const FuzzySystem& system, const std::string& comment = {});

// The identifier that a column or a value goes by: lower case, every run of other characters than
// letters and digits an underscore; never empty, a reserved word, or with a digit in front.
[[nodiscard]] std::string fcl_identifier(std::string_view text);

}  // namespace pratique::fusion
