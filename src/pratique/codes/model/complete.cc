#include "pratique/codes/model/complete.h"

#include <nlohmann/json.hpp>

#include "pratique/codes/model/internal/settings.h"

namespace pratique::codes {
namespace {

constexpr Setting kCompleteSettings[] = {kSettingK};

void claim_complete(const Parameters& parameters, Json& claim) {
  claim["model"] = "complete-anonymity";
  claim["k"] = parameters.k;
  claim["m"] = parameters.m;
}

}  // namespace

const Model complete_model = {"complete", "any codes fit k patients, or none", kCompleteSettings,
                              check_k, claim_complete};

}  // namespace pratique::codes
