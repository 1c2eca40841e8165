// What the people in a table are exposed to, before and after protection: an adversary who knows
// that a target is in the table and its quasi-identifiers finds its class.
//
//   unique               records alone in their class: linked for certain
//   sensitive_disclosed  records in classes all of whose records share their sensitive value (of
//                        one sensitive attribute or more): the value is learned without a link
//   believed             records whose sensitive value nine in ten of their class share: it is
//                        learned without a link, and hardly ever wrong
// A class is what the method made; where recoding is local and cells overlap, a target fits more
// classes and the figures are upper bounds. Suppressed records are exposed to nothing: they did not
// leave.
#pragma once

#include <cstdint>
#include <optional>

#include "pratique/core/json.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

// A belief that counts as knowledge.
inline constexpr double kBelieved = 0.9;
inline constexpr double kBeliefRounding = 1e-9;

struct Exposure {
  std::uint64_t records = 0;
  std::uint64_t classes = 0;
  std::uint64_t smallest_class = 0;
  std::uint64_t unique = 0;
  std::optional<std::uint64_t> sensitive_disclosed;  // none without a sensitive attribute

  std::optional<std::uint64_t> believed;  // of the same

  // The mean over records of 1 / class size.
  [[nodiscard]] double mean_risk() const {
    return records == 0 ? 0 : static_cast<double>(classes) / static_cast<double>(records);
  }
  [[nodiscard]] double largest_risk() const {
    return smallest_class == 0 ? 0 : 1 / static_cast<double>(smallest_class);
  }
};

[[nodiscard]] Exposure exposure_before(const ProtectionInput& input);
[[nodiscard]] Exposure exposure_after(const ProtectionInput& input, const Recoding& recoding);
// records, classes, k, linkage_risk_max, linkage_risk_mean, unique, unique_share,
// sensitive_disclosed, sensitive_disclosed_share, believed, believed_share
[[nodiscard]] Json to_json(const Exposure& exposure);

}  // namespace pratique::tables
