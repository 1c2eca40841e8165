// Mamdani inference: from what is known about the inputs to one number for an output.
//
//   1. Each input's terms hold to a degree (fuzzify).
//   2. A rule's condition is worked out with the block's AND, OR and NOT, times the rule's weight.
//   3. The rule's output set is cut off at that degree (MIN) or scaled by it (PROD).
//   4. The sets of all rules are accumulated, and the result becomes a number: the centroid, the
//      bisector of its area, or a mean, first or last of its maxima.
//
// A generalised input (`5..10`) means that the value is somewhere in there. Two readings:
//
//   possible  A term holds as far as some value in the interval makes it hold (Zadeh's possibility,
//             sup over the interval; NOT takes the least degree, so that "not high" is also judged
//             by the most favourable value). A rule counts that may apply. Nothing is ruled out
//             that the release leaves open: an unknown input makes every rule over it possible.
//   average   A term holds as much as it does on average over the interval, all values being
//             equally likely (the probability of a fuzzy event).
//
// With single values both are the same. AND, OR and NOT work on the least and the largest degree
// apart; where a rule asks twice about one input, the two questions may be answered by different
// values of the interval, so that the condition is judged true rather too much than too little.
//
// Step 4 is worked out on cells: the range of the output cut into 512 equal parts and at every
// corner of its sets. Within a cell every set without curves is a straight line, so the area is
// exact but for cells where two sets cross or one is cut off; there it is off by at most an eighth
// of the cell's width squared times the change of slope, which moves a centroid by some ten
// thousandths of the range. Maxima are found to a cell's width.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/fusion/fuzzy_system.h"

namespace pratique::fusion {

// What is known of a value: that it is in one of these intervals. Empty: nothing.
using Input = std::vector<Interval>;

enum class Reading { possible, average };

// By term of the variable.
[[nodiscard]] std::vector<Truth> fuzzify(const Variable& variable, const Input& input,
                                         Reading reading);

class Inference {
 public:
  // `system` must live as long.
  Inference(const FuzzySystem& system, std::size_t output);

  struct Estimate {
    double value = 0;
    bool fired = false;  // whether any rule did; else it is DEFAULT, or the middle of the range
  };
  // inputs[i]: the degrees of the terms of input variable i.
  [[nodiscard]] Estimate estimate(std::span<const Truth* const> inputs) const;

 private:
  struct Fired {
    std::uint32_t term;
    double degree;
    Activation activation;
  };
  void fire(std::span<const Truth* const> inputs, std::vector<Fired>& fired) const;
  [[nodiscard]] double defuzzify(const std::vector<Fired>& fired) const;
  [[nodiscard]] double of_singletons(const std::vector<Fired>& fired) const;
  void accumulate(const std::vector<Fired>& fired, std::vector<double>& heights) const;
  [[nodiscard]] double centroid(const std::vector<double>& heights) const;
  [[nodiscard]] double bisector(const std::vector<double>& heights) const;
  [[nodiscard]] double of_maxima(const std::vector<double>& heights) const;

  const FuzzySystem& system_;
  std::size_t output_;
  std::vector<double> edges_;                 // of cells, ascending
  std::vector<std::vector<double>> degrees_;  // by term: of each cell its left and right height
  // By term: outside these places of degrees_ it is 0.
  std::vector<std::pair<std::size_t, std::size_t>> reach_;
};

}  // namespace pratique::fusion
