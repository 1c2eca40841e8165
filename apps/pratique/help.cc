#include <cstdio>
#include <nlohmann/json.hpp>

#include "catalogue.h"
#include "command.h"
#include "markdown.h"
#include "nouns.h"
#include "parser.h"

namespace pratique::app {

void add_help(CommandLine& program, Session& session) {
  struct Options {
    bool markdown = false;
    bool declarations = false;
  };
  auto options = std::make_shared<Options>();
  Verb& verb =
      program.add("", "help", "Print this help, or all of it", [options, &program, &session] {
        const std::string text =
            options->markdown ? command_line_reference(program, session.common)
            : options->declarations
                ? to_text({{"commands", server::to_json(catalogue_of(program, session.common))}})
                : program_help(program, session.common);
        return std::fputs(text.c_str(), stdout) < 0 ? static_cast<int>(ErrorCode::machine) : 0;
      });
  verb.not_a_job = true;  // nothing for a job to do
  verb.flag("markdown", &options->markdown, "print the whole reference as Markdown (docs/cli.md)");
  verb.flag("declarations", &options->declarations,
            "print every command and option as JSON, as the API has them");
}

}  // namespace pratique::app
