#include "command.h"

namespace pratique::app {

void add_trails_verify(CLI::App& /*noun*/, Session& /*session*/) {}

}  // namespace pratique::app
