// Ctrl-C and its like: the first asks the work to stop and clean up; a second, or five seconds
// without success, removes what is unfinished and ends the process. During a search that has
// something to show for its time, the first Ctrl-C makes it settle for that; the others as before.
#pragma once

#include "pratique/core/progress.h"

namespace pratique::app {

// Call before any other thread exists: the signals are blocked in all threads that follow.
void watch_for_signals(Progress& progress);

}  // namespace pratique::app
