// The nouns of the command line, and the verbs that stand without one.
#pragma once

#include "command.h"

namespace pratique::app {

void add_generate(CLI::App& program, Session& session);
void add_tables(CLI::App& program, Session& session);
void add_trails(CLI::App& program, Session& session);
void add_codes(CLI::App& program, Session& session);
void add_fusion(CLI::App& program, Session& session);
void add_verify(CLI::App& program, Session& session);
void add_report(CLI::App& program, Session& session);
// It serves every command that was added before it.
void add_serve(CLI::App& program, Session& session);

}  // namespace pratique::app
