// The words of FCL that name a way of computing.
#pragma once

#include <map>
#include <string_view>

#include "pratique/fusion/fuzzy_system.h"

namespace pratique::fusion {

template <class Value>
using Words = std::map<std::string_view, Value>;

inline const Words<Defuzzification> kMethods = {
    {"COG", Defuzzification::centroid},      {"COGS", Defuzzification::singletons},
    {"COA", Defuzzification::bisector},      {"LM", Defuzzification::leftmost},
    {"RM", Defuzzification::rightmost},      {"MM", Defuzzification::mean_of_maxima},
    {"MOM", Defuzzification::mean_of_maxima}};
inline const Words<Conjunction> kConjunctions = {
    {"MIN", Conjunction::minimum}, {"PROD", Conjunction::product}, {"BDIF", Conjunction::bounded}};
inline const Words<Disjunction> kDisjunctions = {{"MAX", Disjunction::maximum},
                                                 {"ASUM", Disjunction::probabilistic},
                                                 {"BSUM", Disjunction::bounded}};
inline const Words<Activation> kActivations = {{"MIN", Activation::minimum},
                                               {"PROD", Activation::product}};
inline const Words<Accumulation> kAccumulations = {{"MAX", Accumulation::maximum},
                                                   {"BSUM", Accumulation::bounded_sum},
                                                   {"NSUM", Accumulation::normalised_sum},
                                                   {"PROBOR", Accumulation::probabilistic}};

template <class Value>
std::string_view word_of(const Words<Value>& words, Value value) {
  for (const auto& [word, meaning] : words) {
    if (meaning == value) return word;
  }
  return {};
}

}  // namespace pratique::fusion
