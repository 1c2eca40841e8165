// The nouns of the command line, and the verbs that stand without one.
#pragma once

#include "command.h"

namespace pratique::app {

// All of it.
void declare_program(CommandLine& program, Session& session);

void add_generate(CommandLine& program, Session& session);
void add_tables(CommandLine& program, Session& session);
void add_hierarchy(CommandLine& program, Session& session);
void add_trails(CommandLine& program, Session& session);
void add_genomes(CommandLine& program, Session& session);
void add_codes(CommandLine& program, Session& session);
void add_notes(CommandLine& program, Session& session);
void add_fusion(CommandLine& program, Session& session);
void add_dp(CommandLine& program, Session& session);
void add_consortium(CommandLine& program, Session& session);
void add_verify(CommandLine& program, Session& session);
void add_keep(CommandLine& program, Session& session);
void add_repeat(CommandLine& program, Session& session);
void add_ledger(CommandLine& program, Session& session);
void add_report(CommandLine& program, Session& session);
// It serves every command that was added before it.
void add_serve(CommandLine& program, Session& session);
void add_help(CommandLine& program, Session& session);

}  // namespace pratique::app
