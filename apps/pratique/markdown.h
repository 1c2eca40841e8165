// docs/cli.md, written from the program's own options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace pratique::app {

[[nodiscard]] std::string command_line_reference(const CLI::App& program);

}  // namespace pratique::app
