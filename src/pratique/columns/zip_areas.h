// Which areas of three-digit ZIP codes have enough people to be shown under Safe Harbor (45 CFR
// 164.514(b)(2)(i)(B)): more than 20,000, by the current data of the Bureau of the Census.
#pragma once

#include <string_view>

namespace pratique::columns {

// `zip3` has three digits. False where the 2020 census counts 20,000 people or fewer, nobody at
// all, or has no such area.
[[nodiscard]] bool has_over_20000_people(std::string_view zip3);

}  // namespace pratique::columns
