// What sequences of the same people reveal over several releases.
//
// In one release everybody is among k entries that are equal. In another, grouped otherwise, a
// person is among other entries; letters of both that go together show which entries are the same
// person's, and what is left is only who is in both groups. Everybody of the original is given to
// an entry of each release that stands for them, so that all entries are taken; the people with the
// same entries in all releases are the joint cell that nobody can look into. k_across is the
// smallest of them.
#pragma once

#include "pratique/kind/sequence.h"

namespace pratique::release {

[[nodiscard]] SequenceRevealed attack_genomes(Engine& engine, const SequenceRequest& request,
                                              Progress& progress);

}  // namespace pratique::release
