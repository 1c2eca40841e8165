// The attack on several releases of codes (kind/sequence.h).
#pragma once

#include "pratique/kind/sequence.h"

namespace pratique::release {

[[nodiscard]] SequenceRevealed attack_codes(Engine& engine, const SequenceRequest& request,
                                            Progress& progress);

}  // namespace pratique::release
