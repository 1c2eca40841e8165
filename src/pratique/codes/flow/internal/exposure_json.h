// targets, matched_under_k, reidentified; for whole sets also named, named_rightly
#pragma once

#include "pratique/codes/attack/whole_sets.h"
#include "pratique/core/json.h"

namespace pratique::codes::flow {

[[nodiscard]] Json to_json(const codes::Exposure& exposure);
[[nodiscard]] Json to_json(const codes::WholeSetExposure& exposure);

}  // namespace pratique::codes::flow
