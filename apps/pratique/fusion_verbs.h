// The verbs of fusion that have a file of their own.
#pragma once

#include "command.h"

namespace pratique::app {

void add_fusion_compose(CLI::App& noun, Session& session);
void add_fusion_web(CLI::App& noun, Session& session);
void add_fusion_rules(CLI::App& noun, Session& session);
void add_fusion_fred(CLI::App& noun, Session& session);

}  // namespace pratique::app
