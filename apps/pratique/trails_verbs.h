// The verbs of trails that have a file of their own.
#pragma once

#include "command.h"

namespace pratique::app {

void add_trails_attack(CLI::App& noun, Session& session);
void add_trails_verify(CLI::App& noun, Session& session);
void add_trails_protect(CLI::App& noun, Session& session);
void add_trails_simulate(CLI::App& noun, Session& session);
void add_trails_resolve(CLI::App& noun, Session& session);

}  // namespace pratique::app
