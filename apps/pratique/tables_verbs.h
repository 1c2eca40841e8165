// The verbs of tables that have a file of their own.
#pragma once

#include "command.h"

namespace pratique::app {

void add_tables_protect(CommandLine& program, Session& session);
void add_tables_explore(CommandLine& program, Session& session);
void add_tables_explain(CommandLine& program, Session& session);
void add_tables_view(CommandLine& program, Session& session);
void add_tables_reconstruct(CommandLine& program, Session& session);

}  // namespace pratique::app
