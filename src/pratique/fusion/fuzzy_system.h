// A fuzzy rule base: what an expert knows about how some columns go with another, in words that
// overlap. `valuation` is low, medium or high to a degree; IF valuation IS high AND property IS
// large THEN income IS high.
//
// This is the model alone, as IEC 61131-7 describes it (fcl.h reads and prints its text,
// inference.h runs it). Names are lower case, as identifiers of FCL know no case.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pratique::fusion {

// Both ends belong to it.
struct Interval {
  double low = 0;
  double high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

struct MembershipPoint {
  double x = 0;
  double degree = 0;
  friend bool operator==(const MembershipPoint&, const MembershipPoint&) = default;
};

// Straight lines between points; constant before the first and after the last. Triangles and
// trapezoids are such sets. Two points of one x are a step; the step itself has the larger degree.
struct LinearSet {
  std::vector<MembershipPoint> points;  // x never falls; at least one
  friend bool operator==(const LinearSet&, const LinearSet&) = default;
};
// exp(-(x - mean)^2 / (2 deviation^2))
struct GaussianSet {
  double mean = 0;
  double deviation = 1;  // above 0
  friend bool operator==(const GaussianSet&, const GaussianSet&) = default;
};
// One value and no other: a number that a word stands for.
struct Singleton {
  double at = 0;
  friend bool operator==(const Singleton&, const Singleton&) = default;
};
using FuzzySet = std::variant<LinearSet, GaussianSet, Singleton>;

[[nodiscard]] double membership(const FuzzySet& set, double x);
// The least and the largest degree of any value in the interval.
struct Truth {
  double least = 0;
  double most = 0;
  friend bool operator==(const Truth&, const Truth&) = default;
};
[[nodiscard]] Truth membership_over(const FuzzySet& set, const Interval& interval);
// The mean degree of the values in the interval, all equally likely. Of a singleton, whether it is
// in it: the mean of one value among so many would be 0.
[[nodiscard]] double mean_membership(const FuzzySet& set, const Interval& interval);
// Where the degree is largest, from the first such value to the last, cut off where the points end.
[[nodiscard]] Interval core_of(const FuzzySet& set);
// Where the set is not flat; of a Gaussian three deviations to either side.
[[nodiscard]] Interval span_of(const FuzzySet& set);

struct Term {
  std::string name;
  FuzzySet set;
  friend bool operator==(const Term&, const Term&) = default;
};

struct Variable {
  std::string name;
  std::vector<Term> terms;
  std::optional<Interval> range = {};  // as declared

  // As declared, or over all terms.
  [[nodiscard]] Interval domain() const;
  [[nodiscard]] std::optional<std::size_t> find_term(std::string_view term) const;
  friend bool operator==(const Variable&, const Variable&) = default;
};

enum class Defuzzification { centroid, singletons, bisector, leftmost, rightmost, mean_of_maxima };
enum class Conjunction { minimum, product, bounded };  // a + b - 1 where that is above 0
enum class Disjunction { maximum, probabilistic, bounded };
enum class Activation { minimum, product };
enum class Accumulation { maximum, bounded_sum, normalised_sum, probabilistic };

struct OutputVariable : Variable {
  Defuzzification method = Defuzzification::centroid;
  std::optional<double> default_value = {};  // where no rule fires
  friend bool operator==(const OutputVariable&, const OutputVariable&) = default;
};

// A condition as a tree; parts stand before the whole, which stands last.
struct ConditionNode {
  enum class Kind { is, negation, conjunction, disjunction };
  Kind kind = Kind::is;
  std::uint32_t left = 0;   // of is: the input variable; else a node
  std::uint32_t right = 0;  // of is: its term; of a negation: nothing
  friend bool operator==(const ConditionNode&, const ConditionNode&) = default;
};

struct Conclusion {
  std::uint32_t output = 0;
  std::uint32_t term = 0;
  friend bool operator==(const Conclusion&, const Conclusion&) = default;
};

struct Rule {
  std::string label;
  std::vector<ConditionNode> condition;
  std::vector<Conclusion> conclusions;
  double weight = 1;  // 0 to 1
  friend bool operator==(const Rule&, const Rule&) = default;
};

struct RuleBlock {
  std::string name;
  Conjunction conjunction = Conjunction::minimum;
  Disjunction disjunction = Disjunction::maximum;
  Activation activation = Activation::minimum;
  std::vector<Rule> rules;
  friend bool operator==(const RuleBlock&, const RuleBlock&) = default;
};

struct FuzzySystem {
  std::string name;
  std::vector<Variable> inputs;
  std::vector<OutputVariable> outputs;
  std::vector<RuleBlock> blocks;
  Accumulation accumulation = Accumulation::maximum;  // one for all blocks

  [[nodiscard]] std::optional<std::size_t> find_input(std::string_view input) const;
  [[nodiscard]] std::optional<std::size_t> find_output(std::string_view output) const;
  friend bool operator==(const FuzzySystem&, const FuzzySystem&) = default;
};

}  // namespace pratique::fusion
