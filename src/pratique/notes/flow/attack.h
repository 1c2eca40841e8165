// `notes attack`: what somebody with a register gets from released notes, beside what they would
// get from the original (attack/register_attack.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pratique/kind/run.h"

namespace pratique::notes::flow {

struct AttackRequest {
  std::string release;
  std::string known;          // the register
  std::string original = {};  // empty: that of the manifest, where it is at hand
  std::optional<std::uint64_t> max_reidentified = {};
  std::optional<std::uint64_t> max_leaks = {};
};
// JSON keys: leaks, reidentified, notes, patients, compared, told, before (null where the original
// is not at hand) and after (leaks, notes_with_leaks, reidentified). Exit 1 where a limit is
// passed, or nothing could be compared: then nothing was tried.
[[nodiscard]] Outcome attack(const AttackRequest& request, const Run& run);

}  // namespace pratique::notes::flow
