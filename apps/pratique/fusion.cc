#include "command.h"
#include "fusion_verbs.h"
#include "nouns.h"

namespace pratique::app {

void add_fusion(CommandLine& program, Session& session) {
  program.nouns.push_back(
      {"fusion", "Attacks that join releases and outside knowledge, and what resists them"});
  add_fusion_compose(program, session);
  add_fusion_web(program, session);
  add_fusion_rules(program, session);
  add_fusion_fred(program, session);
}

}  // namespace pratique::app
