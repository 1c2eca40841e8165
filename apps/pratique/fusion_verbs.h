// The verbs of fusion that have a file of their own.
#pragma once

#include "command.h"

namespace pratique::app {

void add_fusion_compose(CommandLine& program, Session& session);
void add_fusion_web(CommandLine& program, Session& session);
void add_fusion_rules(CommandLine& program, Session& session);
void add_fusion_fred(CommandLine& program, Session& session);

}  // namespace pratique::app
