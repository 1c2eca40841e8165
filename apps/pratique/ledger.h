// The noun "ledger".
#pragma once

#include "command.h"

namespace pratique::app {

void add_ledger(CLI::App& program, Session& session);

}  // namespace pratique::app
