#include "pratique/codes/model/km.h"

#include <nlohmann/json.hpp>

#include "pratique/codes/model/internal/settings.h"

namespace pratique::codes {
namespace {

constexpr Setting kKmSettings[] = {kSettingK, kSettingM};

void claim_km(const Parameters& parameters, Json& claim) {
  claim["model"] = "km-anonymity";
  claim["k"] = parameters.k;
  claim["m"] = parameters.m;
}

void claim_table_and_codes(const Parameters& parameters, Json& claim) {
  claim_km(parameters, claim);
  claim["model"] = "k-km-anonymity";
}

}  // namespace

const Model km_model = {"km", "any m codes fit k patients, or none", kKmSettings, check_k,
                        claim_km};
const Model table_and_codes_model = {
    "table+codes", "any m codes and the quasi-identifiers fit k patients, or none", kKmSettings,
    check_k, claim_table_and_codes};

}  // namespace pratique::codes
