#include "command.h"
#include "nouns.h"
#include "trails_verbs.h"

namespace pratique::app {

void add_trails(CLI::App& program, Session& session) {
  CLI::App& noun = *program.add_subcommand("trails", "Who was seen where, over many hospitals");
  noun.require_subcommand(1);
  add_trails_attack(noun, session);
  add_trails_verify(noun, session);
  add_trails_protect(noun, session);
  add_trails_simulate(noun, session);
  add_trails_resolve(noun, session);
}

}  // namespace pratique::app
