// targets, matched_under_k, reidentified
#pragma once

#include "pratique/codes/attack/attack.h"
#include "pratique/core/json.h"

namespace pratique::codes::flow {

[[nodiscard]] Json to_json(const codes::Exposure& exposure);

}  // namespace pratique::codes::flow
