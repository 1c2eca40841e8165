#include "pratique/core/clock.h"

#include <fmt/chrono.h>

#include <chrono>

namespace pratique {

std::string utc_time() {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", seconds);
}

}  // namespace pratique
