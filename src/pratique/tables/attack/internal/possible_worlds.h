// The worlds that a class leaves possible: the release shows how often each value is in the class,
// the adversary knows who is in it, in parts of people she cannot tell apart. A world deals the
// values to the people, and without further knowledge every deal is as likely as any other. What
// she knows beside rules worlds out (a condition on the parts) or makes some of them more likely
// (weights).
//
// Exact, by dynamic programming over the parts: a state is how many of each value are left. That is
// feasible for few values or few people; steps are counted, and beyond the limit there is no
// answer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace pratique::tables::internal {

// Both add up to the number of people.
struct Deal {
  std::vector<std::uint64_t> parts;   // how many people each has
  std::vector<std::uint64_t> values;  // how many people have each
};

struct WorldsKnown {
  // Worlds in which some part breaks, or in which every part does.
  enum class Condition { some, every };
  Condition condition = Condition::every;
  // Whether a part that was dealt so many of each value breaks.
  std::function<bool(std::size_t part, std::span<const std::uint64_t> dealt)> breaks;
  // With `every` alone. By part and value: how likely the value is for a person of the part, up to
  // a factor of the part. Empty: all the same.
  std::vector<std::vector<double>> weights = {};
};

struct Worlds {
  // Of the worlds that meet the condition, among all; with weights, their weight alone.
  long double chance = 0;
  // By part and value: of those in which somebody of the part has the value.
  std::vector<std::vector<long double>> having;

  // How far the value is believed of somebody of the part. Only where chance > 0.
  [[nodiscard]] double belief(std::size_t part, std::size_t value) const {
    return static_cast<double>(having[part][value] / chance);
  }
};

// Nothing where it takes more than `steps`; takes off what it took.
[[nodiscard]] std::optional<Worlds> count_worlds(const Deal& deal, const WorldsKnown& known,
                                                 std::uint64_t& steps);

}  // namespace pratique::tables::internal
