#include <algorithm>

#include "command.h"
#include "nouns.h"

namespace pratique::app {
namespace {

// --config holds any option of any verb; those of tables declare their own, with roles in it.
void declare_config(CommandLine& program, std::string& path) {
  for (auto& verb : program.verbs) {
    if (verb.find("config") != nullptr) continue;
    verb.group("General");
    verb.file_read("config", &path,
                   "YAML file with options of this command; the command line takes precedence");
  }
}

// What writes files may be told to replace whatever is there.
void declare_force(CommandLine& program, bool& force) {
  for (auto& verb : program.verbs) {
    const bool writes =
        std::any_of(verb.options.begin(), verb.options.end(), [](const Option& option) {
          return (option.type == ValueType::file_written && !option.fresh) || !option.files.empty();
        });
    if (!writes) continue;
    verb.group("General");
    verb.flag("force", &force, "replace a file that this command did not write");
  }
}

}  // namespace

void declare_program(CommandLine& program, Session& session) {
  add_generate(program, session);
  add_tables(program, session);
  add_hierarchy(program, session);
  add_trails(program, session);
  add_genomes(program, session);
  add_codes(program, session);
  add_notes(program, session);
  add_fusion(program, session);
  add_dp(program, session);
  add_consortium(program, session);
  add_verify(program, session);
  add_keep(program, session);
  add_repeat(program, session);
  add_report(program, session);
  add_ledger(program, session);
  add_serve(program, session);
  add_help(program, session);
  declare_config(program, session.config);
  declare_force(program, session.force);
}

}  // namespace pratique::app
