// The verbs of trails that have a file of their own.
#pragma once

#include "command.h"

namespace pratique::app {

void add_trails_attack(CommandLine& program, Session& session);
void add_trails_verify(CommandLine& program, Session& session);
void add_trails_protect(CommandLine& program, Session& session);
void add_trails_simulate(CommandLine& program, Session& session);
void add_trails_resolve(CommandLine& program, Session& session);

}  // namespace pratique::app
