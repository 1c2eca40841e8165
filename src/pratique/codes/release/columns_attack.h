// The columns beside the codes of a released file, attacked from the file alone: who stands alone
// by those that no model holds, and by all of them with a few items.
#pragma once

#include <optional>

#include "pratique/codes/attack/columns_and_codes.h"
#include "pratique/core/json.h"
#include "pratique/engine/engine.h"

namespace pratique::release {

struct ColumnsAttack {
  std::uint64_t patients = 0;
  std::uint64_t singled_out = 0;
  codes::Exposure with_codes = {};
  std::size_t longest_record = 0;
};

// None where the release has no columns but those that the claim holds.
[[nodiscard]] std::optional<ColumnsAttack> attack_columns(Engine& engine, const Source& released,
                                                          const Json& claim, std::uint64_t k,
                                                          std::size_t known, Progress& progress);

// How many items of a record the model takes to be known; none where it names no number.
[[nodiscard]] std::optional<std::size_t> promised_knowledge(const Json& claim);

}  // namespace pratique::release
