// The web app that was built in. Its definition is generated (tools/embed.py).
#pragma once

#include <span>

#include "pratique/server/assets.h"

namespace pratique::app {

[[nodiscard]] std::span<const server::Asset> web_assets();

}  // namespace pratique::app
