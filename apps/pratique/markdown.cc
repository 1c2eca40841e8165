#include "markdown.h"

#include <fmt/format.h>

namespace pratique::app {
namespace {

void write_options(const std::deque<Option>& options, std::string& out) {
  out += "\n| option | meaning |\n|---|---|\n";
  std::string group;
  for (const auto& option : options) {
    if (option.group != group) {
      group = option.group;
      if (!group.empty()) out += fmt::format("| **{}** | |\n", group);
    }
    std::string placeholder = option.is_input() ? "" : option.placeholder();
    // A bar would end the cell.
    for (auto bar = placeholder.find('|'); bar != std::string::npos;
         bar = placeholder.find('|', bar + 2)) {
      placeholder.insert(bar, "\\");
    }
    out += fmt::format("| `{}{}{}` | {} |\n", option.shown(), placeholder.empty() ? "" : " ",
                       placeholder, option.description());
  }
}

void write_verb(const Verb& verb, std::string& out) {
  out += fmt::format("\n### {}\n\n{}.\n", verb.path(), verb.words);
  out += "\n    pratique " + verb.path();
  for (const auto& option : verb.options) {
    if (option.is_input())
      out += fmt::format(" {}{}", option.name, option.takes_several() ? "..." : "");
  }
  out += " [options]\n";
  if (!verb.options.empty()) write_options(verb.options, out);
}

}  // namespace

std::string command_line_reference(const CommandLine& program, const Verb& common) {
  std::string text =
      "# The command line\n\n"
      "Printed by `pratique help --markdown`; do not edit by hand.\n\n"
      "    pratique NOUN VERB [inputs] [options]\n\n"
      "`--json` prints exactly one JSON object on standard output; without it you get a short\n"
      "table. Progress goes to standard error, and only to a terminal. A table is CSV, Parquet or\n"
      "`FILE.duckdb:TABLE` of a DuckDB database; `-` is standard input or output.\n\n"
      "A comma separates the items of a list; `\\,` is a comma within an item, as in\n"
      "`--id 'Name\\, Vorname,street'`. In `COLUMN=SPEC`, the column may contain `=`: the longest\n"
      "name of a column that fits is meant.\n\n"
      "`--config FILE` takes any option, those of every command included, from a YAML file; the\n"
      "command line takes precedence. One file serves all commands of a noun: an option of "
      "another\n"
      "of them is passed over. Any other key is refused, and so is a thing said twice. An item of "
      "a\n"
      "list stands as it is: `id: [\"Name, Vorname\"]`. Commands that read tables also take "
      "roles,\n"
      "hierarchies and models from it; `identifiers: pseudonym` is the option, `identifiers: "
      "[name]`\n"
      "the role:\n\n"
      "    quasi_identifiers: [age, zip]\n"
      "    identifiers: [name]\n"
      "    hierarchies: {zip: prefix}\n"
      "    models: {k: 5}\n"
      "    method: mondrian\n"
      "    suppression: 0.02\n\n"
      "| exit | meaning |\n|---|---|\n"
      "| 0 | done |\n"
      "| 1 | a check did not hold: verification failed, an attack passed its threshold |\n"
      "| 2 | bad usage or input; the message says what, where and how to fix it |\n"
      "| 3 | the machine failed: disk, memory, network |\n"
      "| 130 | stopped on request |\n";
  text += "\n## Options of every command\n";
  write_options(common.options, text);
  std::string noun;
  for (const auto& verb : program.verbs) {
    if (verb.noun != noun) {
      noun = verb.noun;
      for (const auto& known : program.nouns) {
        if (known.name == noun) text += fmt::format("\n## {}\n\n{}.\n", noun, known.words);
      }
    }
    write_verb(verb, text);
  }
  return text;
}

}  // namespace pratique::app
