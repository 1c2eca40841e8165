// Reads the fields of a claim. What is not as it must be is an Error: a claim that cannot be read
// has not been checked.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/json.h"
#include "pratique/data/hierarchy.h"

namespace pratique::verify {

// Room for the rounding of sums of up to a million logarithms, far under any threshold in use.
inline constexpr double kRounding = 1e-9;

[[nodiscard]] Error malformed(const std::string& what);

[[nodiscard]] std::vector<std::string> names_in(const Json& claim, const std::string& key);
[[nodiscard]] std::string text_in(const Json& claim, const std::string& key);
// The column that says whose each row is, where claims are about people; empty where every row is
// somebody else's.
[[nodiscard]] std::string person_in(const Json& claim);
// A finite number that is not negative: no claim has another.
[[nodiscard]] double number_in(const Json& claim, const std::string& key);
// At least 1: less would be a claim that says nothing.
[[nodiscard]] double count_in(const Json& claim, const std::string& key);
// A whole number from 1 on: a file that has 2 of something does not satisfy a claim of 2.5.
[[nodiscard]] int whole_in(const Json& claim, const std::string& key);
// A list of texts, possibly empty.
[[nodiscard]] std::vector<std::string> texts_of(const Json& list, const std::string& key);
// A tree as a list of paths of labels, leaf first, root last.
[[nodiscard]] Hierarchy tree_of(const Json& paths, const std::string& key);

}  // namespace pratique::verify
