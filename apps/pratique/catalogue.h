// The program's commands as the workbench's API shows them, from the program's own options.
#pragma once

#include <CLI/CLI.hpp>

#include "pratique/server/catalogue.h"

namespace pratique::app {

// Every command but those that do not end by themselves.
[[nodiscard]] server::Catalogue catalogue_of(const CLI::App& program);

}  // namespace pratique::app
