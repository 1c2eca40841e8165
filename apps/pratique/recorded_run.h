// A run that a manifest records: its options put back, and the run repeated.
#pragma once

#include "pratique/manifest/manifest.h"
#include "verb.h"

namespace pratique::app {

// Sets the options of the verb to what the manifest records. Throws Error where it records none, or
// others than this version has.
void restore_recorded(const Verb& verb, const Manifest& manifest);
// The same for how its input was read, which every verb may be told.
void restore_reading(const Verb& common, const Manifest& manifest);

}  // namespace pratique::app
