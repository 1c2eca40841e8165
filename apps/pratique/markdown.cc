#include "markdown.h"

#include <fmt/format.h>

namespace pratique::app {
namespace {

std::string usage_of(const CLI::Option& option) {
  if (option.get_positional()) return fmt::format("`{}`", option.get_name(true));
  std::string text = "`" + option.get_name();
  const std::string type = option.get_type_name();
  if (option.get_items_expected_max() != 0 && !type.empty()) text += " " + type;
  return text + "`";
}

void write_command(const CLI::App& command, const std::string& path, std::string& out) {
  const auto subcommands = command.get_subcommands([](const CLI::App*) { return true; });
  if (!path.empty()) {
    out += fmt::format("\n{} {}\n\n{}.\n", subcommands.empty() ? "###" : "##", path,
                       command.get_description());
  }
  if (subcommands.empty()) {
    std::string synopsis = "pratique " + path;
    std::string rows;
    for (const auto* option : command.get_options()) {
      if (option->get_name() == "--help") continue;
      if (option->get_positional()) synopsis += " " + option->get_name(true);
      rows += fmt::format("| {} | {}{} |\n", usage_of(*option), option->get_description(),
                          option->get_required() ? " (required)" : "");
    }
    out += fmt::format("\n    {} [options]\n", synopsis);
    if (!rows.empty()) out += "\n| option | meaning |\n|---|---|\n" + rows;
  }
  for (const auto* subcommand : subcommands) {
    write_command(*subcommand,
                  path.empty() ? subcommand->get_name() : path + " " + subcommand->get_name(), out);
  }
}

}  // namespace

std::string command_line_reference(const CLI::App& program) {
  std::string text =
      "# The command line\n\n"
      "Printed by `pratique help --markdown`; do not edit by hand.\n\n"
      "    pratique NOUN VERB [inputs] [options]\n\n"
      "`--json` prints exactly one JSON object on standard output; without it a person gets a "
      "short\n"
      "table. Progress goes to standard error, and only to a terminal. A file is CSV or Parquet; "
      "`-` is\n"
      "standard input or output.\n\n"
      "| exit | meaning |\n|---|---|\n"
      "| 0 | done |\n"
      "| 1 | a check did not hold: verification failed, an attack passed its threshold |\n"
      "| 2 | bad usage or input; the message says what, where and how to mend it |\n"
      "| 3 | the machine failed: disk, memory, network |\n"
      "| 130 | stopped on request |\n";
  write_command(program, "", text);
  return text;
}

}  // namespace pratique::app
