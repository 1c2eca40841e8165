// What is wrong with the words of a command line, and what was probably meant.
#pragma once

#include <CLI/CLI.hpp>

#include "pratique/core/error.h"

namespace pratique::app {

// `error` is what `program` threw when it parsed.
[[nodiscard]] Error usage_error(const CLI::App& program, const CLI::ParseError& error);

}  // namespace pratique::app
