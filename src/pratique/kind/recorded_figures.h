// What a manifest records, read without trust: any key may be missing or of another type.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pratique/core/json.h"

namespace pratique::release {

using Names = std::vector<std::string>;

// None where there is no such list.
[[nodiscard]] Names names_in(const Json& object, const char* key);

// In any order.
[[nodiscard]] bool same_names(const Names& a, const Names& b);

// Whether a recorded number, where there is one, is as it must be.
[[nodiscard]] bool recorded(const Json& results, const char* key,
                            const std::function<bool(double)>& must);

}  // namespace pratique::release
