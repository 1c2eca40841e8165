// From words to a verb that can run. The one file that knows the library which parses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verb.h"

namespace pratique::app {

struct Parsed {
  const Verb* verb = nullptr;  // what to run; its fields are set
  std::string text = {};       // else what to print: help, or the version
};

// `common` holds the options of every verb. A --config file is read, too, and what the words say
// wins over it. Throws Error::input for words that mean nothing, and says what was probably meant.
[[nodiscard]] Parsed parse(const CommandLine& program, const Verb& common,
                           const std::vector<std::string>& words);

// What `pratique --help` prints.
[[nodiscard]] std::string program_help(const CommandLine& program, const Verb& common);

}  // namespace pratique::app
