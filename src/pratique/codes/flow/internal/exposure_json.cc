#include "pratique/codes/flow/internal/exposure_json.h"

#include <nlohmann/json.hpp>

namespace pratique::codes::flow {

Json to_json(const codes::Exposure& exposure) {
  return {{"targets", exposure.targets},
          {"matched_under_k", exposure.matched_under_k},
          {"reidentified", exposure.reidentified}};
}

Json to_json(const codes::WholeSetExposure& exposure) {
  return {{"targets", exposure.targets},
          {"matched_under_k", exposure.matched_under_k},
          {"reidentified", exposure.reidentified},
          {"named", exposure.named},
          {"named_rightly", exposure.named_rightly}};
}

}  // namespace pratique::codes::flow
