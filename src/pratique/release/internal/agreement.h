// Whether a manifest agrees with itself and with the files: what the verifier does not look at. The
// verifier derives the claims; a report also repeats who was protected by which columns, what was
// asked for, and what attacks found, and whoever changes those would have a verified report that is
// not true.
//
// Checked, where the manifest has it: the claims are about the quasi-identifiers and the k and m of
// the parameters, and there is one for each k, l and t that was asked for. Of tables, where they
// are at hand: rows read and released; classes and what they disclose before, as the original has
// it; and after, as the released file has it, or no less where the method made more classes (of
// which some have the same cells). Of trails that verify: nobody was found after.
#pragma once

#include <string>
#include <vector>

#include "pratique/release/internal/kinds.h"

namespace pratique::release {

// In plain words, without values; none where all agrees.
[[nodiscard]] std::vector<std::string> contradictions(const KindContext& context);
// The manifest with itself alone.
[[nodiscard]] std::vector<std::string> contradictions(const Json& manifest);

}  // namespace pratique::release
