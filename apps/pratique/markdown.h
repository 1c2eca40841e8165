// The reference of the command line (docs/cli.md), written from the declarations.
#pragma once

#include <string>

#include "verb.h"

namespace pratique::app {

[[nodiscard]] std::string command_line_reference(const CommandLine& program, const Verb& common);

}  // namespace pratique::app
