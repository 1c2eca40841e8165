// The one way to write an object: keys in the order of their bytes, no blanks, UTF-8.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace pratique::ledger {

inline constexpr const char* kFormat = "pratique-ledger-1";

[[nodiscard]] std::string canonical(const nlohmann::json& value);
// Not nested so deep that walking it could exhaust the stack.
[[nodiscard]] bool shallow(std::string_view text);

}  // namespace pratique::ledger
