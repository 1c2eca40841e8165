// The verbs of tables that have a file of their own.
#pragma once

#include "command.h"

namespace pratique::app {

void add_tables_protect(CLI::App& noun, Session& session);
void add_tables_explore(CLI::App& noun, Session& session);
void add_tables_explain(CLI::App& noun, Session& session);
void add_tables_view(CLI::App& noun, Session& session);
void add_tables_reconstruct(CLI::App& noun, Session& session);

}  // namespace pratique::app
