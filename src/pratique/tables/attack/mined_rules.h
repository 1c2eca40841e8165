// Inference by mined rules (Aggarwal et al. 2006; Li and Li 2008, "Injector: mining background
// knowledge"): what holds of a subgroup holds of its people in other classes, too. If no man of the
// release has ovarian cancer, the value belongs to the woman of a class that hides the sex.
//
// Rules are mined from the release itself and, where given, from a public table with values as they
// are. A subgroup is a cell of one quasi-identifier, or of two; what it says of a sensitive value
// is its confidence, the share of the value in it. Subgroups with fewer records than the support
// say nothing. Somebody is in many subgroups: what the most special one says counts, that is the
// smallest with enough support, in the public table before the release. In the release it is made
// of the narrowest cells with enough support that contain the person's values.
//
// A value that nobody of a subgroup has although at least kNotable were to be expected is ruled out
// there (a negative rule); other confidences are drawn towards the value's share of the whole by
// one record, so that what is only rare is not impossible.
//
// In a class, worlds (internal/possible_worlds.h) are as likely as the confidences of their values
// say. Where there are too many to count, a person's belief in a value is in proportion to the
// value's count times the person's part of all confidences in it (the Omega-estimate of Li, Li and
// Zhang 2009). People of a class who are in the same subgroups cannot be told apart: in a release
// with one level per column the release's own rules say nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

// How many people who are not there are no chance.
inline constexpr double kNotable = 3;

struct RuleOptions {
  std::uint64_t support = 50;           // records of a subgroup
  const GroupedTable* known = nullptr;  // a public table: columns by name
  // Values stand apart from the records (method/anatomy.h): rules can only be mined from what the
  // shares of a record's class say.
  bool values_apart = false;
  std::uint64_t steps_of_class = 50'000;  // of exact counting
};

struct RuleAttack {
  std::uint64_t records = 0;
  std::uint64_t believed = 0;  // whose own value is believed with kBelieved or more (exposure.h)
  std::uint64_t mistaken = 0;  // of whom another value is
  std::uint64_t positive_rules =
      0;  // of subgroups that count for somebody: confidence of kBelieved
  std::uint64_t negative_rules = 0;
};

// About all sensitive attributes of the input, each by itself; a record counts once.
[[nodiscard]] RuleAttack attack_by_rules(const ProtectionInput& input, const Recoding& recoding,
                                         const RuleOptions& options);

// believed, mistaken, each with its share (_share), positive_rules, negative_rules
[[nodiscard]] Json to_json(const RuleAttack& attack);

}  // namespace pratique::tables
