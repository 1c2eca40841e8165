// Values that are ranges of numbers before anything made them coarser: ages as [70-80),
// 70-79, 70..79 or 70 to 79, as a hospital exports them (GeneralisedValue::parse_foreign has all
// forms).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pratique {

struct WrittenRange {
  std::string low;
  std::string high;
  bool low_open = false;
  bool high_open = false;
};

// Nothing where the text is none, or has one end only.
[[nodiscard]] std::optional<WrittenRange> read_written_range(std::string_view text);
// 90+, >=90, >200, <18 and the like.
[[nodiscard]] bool is_range_without_end(std::string_view text);

}  // namespace pratique
