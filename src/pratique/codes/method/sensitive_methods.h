// Methods that keep sensitive codes from being inferred (model/coherence.h, model/uncertainty.h).
// Public codes may be generalised, each to one label in all records that covers no sensitive code;
// a sensitive code is shown as it is, or in no record at all.
//
// Both models look at labels instead of codes: codes under one label match the same records.
#pragma once

#include "pratique/codes/method/protection.h"

namespace pratique::codes {

// Public codes that break it are generalised, and suppressed where that loses less.
[[nodiscard]] Recoding make_coherent(const Task& task, Progress& progress);
// They are suppressed in all records.
[[nodiscard]] Recoding make_coherent_by_suppression(const Task& task, Progress& progress);
// Public codes are generalised, sensitive ones suppressed, whichever loses less.
[[nodiscard]] Recoding make_uncertain(const Task& task, Progress& progress);

}  // namespace pratique::codes
