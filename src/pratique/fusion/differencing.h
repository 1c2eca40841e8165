// Differencing: what two versions of a table reveal about whoever is in one of them only (Kalaria
// 2010, section 2.1, third attack; Xiao and Tao 2007, section 1).
//
// Let U be classes of one release and V classes of the other, such that all people of U who are in
// the other release are in V. a and b count the people of U and V who have each sensitive value.
// People who are in both have the same value in both, so they cancel:
//
//   b - a  =  values of those in V but not in U  -  values of those in U but not in V.
//
// The positive part, `gained`, are values of people of V who are not in U; the negative part,
// `lost`, are values of people of U who are not in V. At most
//
//   s = min(people who were found in both U and V, sum over values of min(a, b))
//
// people are in both, so at least |V| - s are in V alone. These are hidden among each other, no
// longer in their class: that is a breach where `gained` is not empty and they are fewer than k, or
// where `gained` is all of their values and has fewer than l distinct ones. The same for `lost` and
// |U| - s. Two versions of 200 people and of the same with one more, at the same levels, differ in
// one class by one person, and `gained` is that person's value.
//
// What is left over is also looked at person by person (internal/leftover_values.h): five people
// who joined may have two values between them, and yet the only woman among them can have but one,
// because no woman of the later release has the other.
//
// Compared are, for every class c of either release:
//   inner    c, and the other release's classes that lie within c
//   outer    the other release's classes that share people with c, and all classes within these
//   whole    all classes that are connected with c by people whom they share
// Within c are classes all of whose people, as far as they are in c's release, are in c. Where
// recoding is global and one release's levels are as general as the other's, every two unions of
// classes that can be subtracted are unions of these. In general they are some of them, so what is
// found is a lower bound.
//
// Classes that somebody's values fit both of cannot be told apart by who is in them; they count as
// one. Values are compared as they are written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/fusion/composition.h"

namespace pratique::fusion {

// One release: who is in which class, and how often each value is there.
struct ClassValues {
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
  using Counts = std::vector<std::pair<std::uint32_t, std::uint64_t>>;  // value, people; ascending

  std::vector<Counts> classes = {};
  std::vector<std::uint32_t> class_of = {};  // by person; kNowhere: not found in it
  // By value: what it says, where several say the same (records with one sensitive value): distinct
  // values are counted by it. Empty: each says something else.
  std::vector<std::uint32_t> said_by = {};
};

struct ValueOfClass {
  tables::ClassId class_id = 0;
  std::uint32_t value = 0;
  std::uint64_t people = 0;
};
// Classes that fit one person are one.
[[nodiscard]] ClassValues place_values(const LocatedTargets& located,
                                       std::span<const ValueOfClass> values);

struct DifferencingLimits {
  std::uint64_t k = 2;
  std::uint64_t l = 2;
};

struct Differencing {
  std::uint64_t joined = 0;    // people of the later release who are in a breach
  std::uint64_t left = 0;      // of the earlier one
  std::uint64_t fewest = 0;    // people of the smallest breach; 0 where there is none
  std::uint64_t narrowed = 0;  // people left with fewer than l values, person by person
  std::uint64_t compared = 0;  // pairs of unions of classes
  std::uint64_t changed = 0;   // of these, those that do not have the same values

  [[nodiscard]] std::uint64_t people() const { return joined + left; }
  // By either way of counting: the same people may be in both.
  [[nodiscard]] std::uint64_t exposed() const { return std::max(people(), narrowed); }
};

// `earlier` and `later` say where the same people are. Of connected classes, only the pair that
// exposes most people counts.
[[nodiscard]] Differencing subtract(const ClassValues& earlier, const ClassValues& later,
                                    const DifferencingLimits& limits);

// Where `people` are found in both releases, as in the attack on compositions. Nothing is compared
// where either draws its sensitive column at random: then people do not cancel.
[[nodiscard]] Differencing subtract(const ComposedRelease& earlier, const ComposedRelease& later,
                                    const Table& people, const CompositionOptions& options,
                                    const DifferencingLimits& limits,
                                    Progress& progress = Progress::silent());

}  // namespace pratique::fusion
