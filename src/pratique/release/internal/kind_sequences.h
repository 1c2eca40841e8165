// The attack on a sequence (sequence.h), one function for each kind of release. Each fills in the
// figures, and names what it could not attack.
#pragma once

#include "pratique/release/sequence.h"

namespace pratique::release {

// Where a release of the sequence cannot be attacked together with the added one.
void leave_out(SequenceRevealed& revealed, const std::string& sha256, std::string why);

[[nodiscard]] SequenceRevealed attack_tables(Engine& engine, const SequenceRequest& request,
                                             Progress& progress);
[[nodiscard]] SequenceRevealed attack_codes(Engine& engine, const SequenceRequest& request,
                                            Progress& progress);
[[nodiscard]] SequenceRevealed attack_trails(Engine& engine, const SequenceRequest& request,
                                             Progress& progress);

}  // namespace pratique::release
