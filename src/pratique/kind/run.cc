#include "pratique/kind/run.h"

#include <nlohmann/json.hpp>

#include "pratique/crypto/random.h"

namespace pratique {

Seeded with_seed(const Run& run, const std::optional<std::uint64_t>& given) {
  Seeded seeded{given ? *given : draw_seed(), run.command, run.options};
  if (given) return seeded;
  seeded.command.insert(seeded.command.end(), {"--seed", std::to_string(seeded.seed)});
  Json options = *run.options;
  options["seed"] = seeded.seed;
  seeded.options = options;
  return seeded;
}

}  // namespace pratique
