// What releases of notes reveal together: a note that left before in another form can be put beside
// itself. Two released notes are the same one when they have the same pseudonym under one key, or
// when most of their words are the same in the same order but for what was replaced; then what one
// of them shows in the place of a replacement of the other is disclosed.
//
//   disclosed   share of the added notes of which an earlier release shows a word that this one
//               replaced
//   singled_out 0: what a text tells by itself is attacked by `notes attack`, with a register
#pragma once

#include "pratique/kind/sequence.h"

namespace pratique::notes {

[[nodiscard]] release::SequenceRevealed attack_notes(Engine& engine,
                                                     const release::SequenceRequest& request,
                                                     Progress& progress);

}  // namespace pratique::notes
