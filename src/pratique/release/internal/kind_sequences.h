// The attack on a sequence (sequence.h), one function for each kind of release. Each fills in the
// figures, and names what it could not attack.
#pragma once

#include <string_view>

#include "pratique/release/sequence.h"

namespace pratique::release {

// Who is asked about: --people, or the original of the added release. Throws where neither is at
// hand; `who` and `known_by` say what to name ("patients", "codes").
[[nodiscard]] Source open_people(Engine& engine, const SequenceRequest& request,
                                 std::string_view who, std::string_view known_by, bool sets,
                                 Progress& progress);
// Throws where the file is not the one that its manifest describes.
[[nodiscard]] Source open_release(Engine& engine, const ReleaseFile& file, Progress& progress);

// Where a release of the sequence cannot be attacked together with the added one.
void leave_out(SequenceRevealed& revealed, const std::string& sha256, std::string why);

[[nodiscard]] SequenceRevealed attack_tables(Engine& engine, const SequenceRequest& request,
                                             Progress& progress);
[[nodiscard]] SequenceRevealed attack_codes(Engine& engine, const SequenceRequest& request,
                                            Progress& progress);
[[nodiscard]] SequenceRevealed attack_trails(Engine& engine, const SequenceRequest& request,
                                             Progress& progress);

}  // namespace pratique::release
