// The declared verbs as the server's catalogue: every verb is a path of the API.
#pragma once

#include "pratique/server/catalogue.h"
#include "verb.h"

namespace pratique::app {

// Without the verbs that are no jobs.
[[nodiscard]] server::Catalogue catalogue_of(const CommandLine& program, const Verb& common);

}  // namespace pratique::app
