// Whether a manifest agrees with itself and with the files: what the verifier does not look at. The
// verifier derives the claims; a report also repeats who was protected by which columns, what was
// asked for, and what attacks found, and whoever changes those would have a verified report that is
// not true.
//
// Checked, where the manifest has it: the verb and the claims are those of its kind; every file
// that the options name is among the inputs; the options ask for what the parameters say; the
// claims are about the quasi-identifiers and the k and m of the parameters, and there is one for
// each k, l and t that was asked for. What else can be checked is the kind's to know (kind/kind.h).
#pragma once

#include <string>
#include <vector>

#include "pratique/kind/kind.h"

namespace pratique::release {

// In plain words, without values; none where all agrees.
[[nodiscard]] std::vector<std::string> contradictions(const Evidence& evidence);

}  // namespace pratique::release
