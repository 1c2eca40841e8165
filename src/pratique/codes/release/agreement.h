// What of a manifest of codes can be checked against the files. By the released file alone: its
// columns, how patients are numbered, how many there are, the classes, the wider items, the chunks,
// and who stands alone by the columns beside the codes. With the original: patients read and left
// out, codes that no record shows, what insiders find before and after, and the loss, where every
// code has one item at most. A figure that would need to know whose each record is, is not checked.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::release {

void contradict_codes(const Evidence& evidence, std::vector<std::string>& contradictions);

}  // namespace pratique::release
