// What is written takes the place of what pratique wrote there before, and of nothing else unless
// --force says so: a slip in a name must not cost patient data. What is read, a key and a ledger
// nothing replaces.
#pragma once

#include "verb.h"

namespace pratique::app {

// Throws where a file that is to be written has the name of one that is neither empty, nor, for
// what makes releases, a release as its manifest describes it, nor has one of the option's signs
// near its beginning; with `force`, only of what nothing replaces.
void require_replaceable(const Verb& verb, bool force);

}  // namespace pratique::app
