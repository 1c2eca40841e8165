#include "pratique/kind/run.h"

#include <nlohmann/json.hpp>

#include "pratique/crypto/random.h"

namespace pratique {

Seeded with_seed(const Run& run, const std::optional<std::uint64_t>& given) {
  Seeded seeded{given ? *given : draw_seed(), run.command, run.options};
  if (!given) seeded.record("seed", seeded.seed);
  return seeded;
}

void Seeded::record(const std::string& option, std::uint64_t value) {
  command.insert(command.end(), {"--" + option, std::to_string(value)});
  Json recorded = *options;
  recorded[option] = value;
  options = recorded;
}

}  // namespace pratique
