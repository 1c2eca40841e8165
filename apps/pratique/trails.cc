#include "command.h"
#include "nouns.h"
#include "trails_verbs.h"

namespace pratique::app {

void add_trails(CommandLine& program, Session& session) {
  program.nouns.push_back({"trails", "Who was seen where, over many hospitals"});
  add_trails_attack(program, session);
  add_trails_verify(program, session);
  add_trails_protect(program, session);
  add_trails_simulate(program, session);
  add_trails_resolve(program, session);
}

}  // namespace pratique::app
