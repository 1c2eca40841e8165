#include <cstdio>
#include <nlohmann/json.hpp>

#include "catalogue.h"
#include "command.h"
#include "markdown.h"
#include "nouns.h"
#include "parser.h"
#include "pratique/release/kinds.h"
#include "terminal.h"

namespace pratique::app {
namespace {

// What each kind says of the options of its command that name files.
Json file_options() {
  Json kinds = Json::array();
  for (const auto& kind : release::kinds()) {
    Json options = Json::array();
    for (const auto& option : kind.file_options) options.push_back(option.name);
    kinds.push_back({{"noun", kind.noun}, {"verb", kind.verb}, {"file_options", options}});
  }
  return kinds;
}

std::string help_on(const CommandLine& program, const Verb& common,
                    std::vector<std::string> words) {
  if (words.empty()) return program_help(program, common);
  words.emplace_back("--help");
  return parse(program, common, words).text;
}

}  // namespace

void add_help(CommandLine& program, Session& session) {
  struct Options {
    bool markdown = false;
    bool declarations = false;
    std::vector<std::string> words;
  };
  auto options = std::make_shared<Options>();
  Verb& verb =
      program.add("", "help", "Print this help, or all of it", [options, &program, &session] {
        const bool printed =
            options->markdown ? print_text(stdout, command_line_reference(program, session.common))
            : options->declarations
                ? print_text(
                      stdout,
                      to_text({{"commands", server::to_json(catalogue_of(program, session.common))},
                               {"kinds", file_options()}}))
                : print_help(stdout, help_on(program, session.common, options->words));
        return printed ? 0 : static_cast<int>(ErrorCode::machine);
      });
  verb.text("COMMAND", &options->words, "what to explain: tables, tables protect")
      .unless_given("the program");
  verb.not_a_job = true;  // nothing for a job to do
  verb.flag("markdown", &options->markdown, "print the whole reference as Markdown (docs/cli.md)");
  verb.flag("declarations", &options->declarations,
            "print every command and option as JSON, as the API has them");
}

}  // namespace pratique::app
