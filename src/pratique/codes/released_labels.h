// What the labels of a release stand for, as a claim of its manifest says it: a list of codes, or
// the hierarchy whose labels say it themselves (data/code_labels.h). Either way codes that the
// claim calls sensitive are under no label.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/data/dictionary.h"

namespace pratique::codes {

using ReleasedLabels = std::map<std::string, std::vector<std::string>, std::less<>>;

// A label that says it itself stands for those of `codes` that are under it, or for one code where
// none of them are. Empty where the claim has no labels.
[[nodiscard]] ReleasedLabels labels_in(const Json& claim,
                                       const std::vector<const Dictionary*>& codes);

// The items of a release that are no labels of its claim: codes as they were.
[[nodiscard]] Dictionary codes_shown(const Dictionary& items, const Json& claim);

// Whether the code is one of those that a list of a claim names: codes, or 250* for what begins so.
[[nodiscard]] bool is_listed(const std::vector<std::string>& entries, std::string_view code);

}  // namespace pratique::codes
