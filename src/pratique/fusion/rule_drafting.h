// Drafts a rule base from data with known targets, for a person to read and edit.
//
// Sets: a number gets terms with their peaks at even quantiles (5 % to 95 %), triangles between
// them, flat outside. A column of words gets a singleton per word, numbered in the order of the
// words' mean target, and terms over these numbers in the same way; so a rule can speak of "high"
// employment, and of "physician". The range of the output is such that its outermost sets balance
// at their peaks.
//
// Rules after Wang and Mendel 1992: every row whose inputs are all known votes for the combination
// of terms that fits it best. A combination becomes a rule; its conclusion is the output term that
// fits the mean target of its rows best (the original takes the row that fits best, which one odd
// row decides), and its weight is the share of its rows that have this term or a neighbour of it.
// The combinations with most rows are kept.
#pragma once

#include <string>
#include <vector>

#include "pratique/fusion/people.h"

namespace pratique::fusion {

struct Drafting {
  std::size_t terms = 3;         // of a number or of words, 2 to 7
  std::size_t output_terms = 7;  // 2 to 7
  std::size_t most_rules = 100;
};

struct Draft {
  FuzzySystem system;
  std::size_t rows_used = 0;
  double rows_covered = 0;  // the share of these that a rule was made from
};

// `inputs` and `target` are columns of people. Throws Error::input when the target has no numbers,
// an input is neither numbers nor words that people share, or no row has all inputs.
[[nodiscard]] Draft draft_rules(const People& people, const std::vector<std::string>& inputs,
                                const std::string& target, const Drafting& options);

// The columns that draft_rules can use, but for the target and those in `excluded`.
[[nodiscard]] std::vector<std::string> usable_inputs(const People& people,
                                                     const std::vector<std::string>& excluded);

}  // namespace pratique::fusion
