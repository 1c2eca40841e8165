// The attack on several releases of tables (kind/sequence.h), by composition.
#pragma once

#include "pratique/kind/sequence.h"

namespace pratique::release {

[[nodiscard]] SequenceRevealed attack_tables(Engine& engine, const SequenceRequest& request,
                                             Progress& progress);

}  // namespace pratique::release
