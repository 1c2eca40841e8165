// What releases of allele frequencies tell together: each earlier one is taken off the added one,
// and who joined or left since is looked for in what remains (attack/frequency_difference.h).
// Statistics of an association are frequencies of cases, of controls, and of both; every group of
// one release is taken off every group of the other, whatever they are called. Who was counted
// is read from the originals. `differenced` are the people who are found.
#pragma once

#include "pratique/kind/sequence.h"

namespace pratique::release {

[[nodiscard]] bool shows_frequencies(const ReleaseFile& file);
[[nodiscard]] SequenceRevealed attack_frequencies(Engine& engine, const SequenceRequest& request,
                                                  Progress& progress);

}  // namespace pratique::release
