#include "command.h"

namespace pratique::app {

void add_fusion(CLI::App& program, Session& session) {
  CLI::App& noun = *program.add_subcommand(
      "fusion", "Attacks that join releases and outside knowledge, and what resists them");
  noun.require_subcommand(1);
  add_fusion_compose(noun, session);
  add_fusion_web(noun, session);
  add_fusion_rules(noun, session);
  add_fusion_fred(noun, session);
}

}  // namespace pratique::app
