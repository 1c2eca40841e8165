// The attack on a sequence of releases (kind/sequence.h), by the kind of the one that is added.
#pragma once

#include "pratique/kind/sequence.h"

namespace pratique::release {

// Says what it could not attack, and why. Throws when there is nobody to ask about.
[[nodiscard]] SequenceRevealed attack_sequence(Engine& engine, const SequenceRequest& request,
                                               Progress& progress);

}  // namespace pratique::release
