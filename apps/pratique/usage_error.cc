#include "usage_error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pratique/core/jaro_winkler.h"

namespace pratique::app {
namespace {

struct Chosen {
  const CLI::App* command;
  std::string words;  // "pratique tables assess"
};

Chosen chosen_command(const CLI::App& program) {
  Chosen chosen{&program, program.get_name()};
  for (auto below = program.get_subcommands(); !below.empty();
       below = chosen.command->get_subcommands()) {
    chosen.command = below.back();
    chosen.words += " " + chosen.command->get_name();
  }
  return chosen;
}

std::vector<std::string> commands_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* below : command.get_subcommands({})) names.push_back(below->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// "Did you mean --port? ", or nothing where no name is like it.
std::string nearest(const std::string& word, const std::vector<std::string>& names) {
  constexpr double kAlike = 0.8;
  double best = kAlike;
  const std::string* found = nullptr;
  for (const auto& name : names) {
    const auto bare = [](std::string_view text) {
      return text.substr(std::min(text.find_first_not_of('-'), text.size()));
    };
    if (const double alike = jaro_winkler(bare(word), bare(name)); alike > best) {
      best = alike;
      found = &name;
    }
  }
  return found == nullptr ? "" : fmt::format("Did you mean {}? ", *found);
}

}  // namespace

Error usage_error(const CLI::App& program, const CLI::ParseError& error) {
  const auto [command, words] = chosen_command(program);
  const std::string help = words + " --help explains ";
  const auto commands = commands_of(*command);
  const auto left = program.remaining(true);
  if (!left.empty() && !left.front().empty()) {
    std::string word = left.front();
    if (word.front() == '-') {
      word.resize(std::min(word.find('='), word.size()));
      return Error::input(fmt::format("{} has no option {}", words, word))
          .hint(nearest(word, options_of(*command)) + help + "the options.");
    }
    if (!commands.empty()) {
      return Error::input(fmt::format("{} has no command '{}'", words, word))
          .hint(nearest(word, commands) + help + "the commands.");
    }
    return Error::input(fmt::format("one word too many for {}: '{}'", words, word))
        .hint("Quote a name that holds a space. " + help + "the options.");
  }
  if (!commands.empty() && error.get_name() == "RequiredError") {
    return Error::input(fmt::format("{} does one of: {}", words, fmt::join(commands, ", ")))
        .hint(help + "them.");
  }
  std::string said = error.what();
  if (error.get_name() == "ArgumentMismatch" && said.ends_with(" missing")) {
    said = said.substr(0, said.find(':')) + " needs a value";
  }
  return Error::input(said).hint(help + "the options.");
}

}  // namespace pratique::app
