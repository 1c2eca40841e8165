// Anatomy (Xiao and Tao 2006, "Anatomy: simple and effective privacy preservation"): nothing is
// generalised. Records are put into groups, and quasi-identifiers and sensitive values leave in two
// tables that only the group's number joins, so that whoever finds a person finds the group, and of
// the person's value only that it is one of the group's.
//
// Every group has at least l records, all with different values: none is believed with more than
// 1/l. Groups are made by taking a record each from the l values that have most records left, again
// and again; what remains (a record each of fewer than l values) joins groups that lack its value.
// That works wherever no value has more than 1/l of the records. Of values with equally many, the
// first by its text is taken first: nothing may depend on which rows have them.
//
// Which record of a value is taken, and which group one joins, is drawn from `below`. Where that is
// chance that nobody can repeat, all ways to deal a group's values to its records are equally
// likely, also to who knows the method: were two records of a group to change their values, the
// same draws with the two in each other's place would make the same group, and each draw is as
// likely as the other. A seed that the manifest tells would undo that.
//
// It hides no identity and no membership: every record shows its quasi-identifiers as they are.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "pratique/tables/recoding.h"

namespace pratique::tables {

inline constexpr std::string_view kAnatomy = "anatomy";

// Uniform on 0 to bound - 1.
using DrawBelow = std::function<std::uint64_t(std::uint64_t bound)>;

// Classes are the groups, numbered at random; cells are the values. Of the input's one sensitive
// attribute. Throws Error::check where a value has more than 1/l of the records.
[[nodiscard]] Recoding anatomy(const ProtectionInput& input, std::uint64_t l,
                               const DrawBelow& below);

}  // namespace pratique::tables
