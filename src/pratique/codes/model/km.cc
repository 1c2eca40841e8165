#include "pratique/codes/model/km.h"

#include <nlohmann/json.hpp>

#include "pratique/codes/model/internal/settings.h"
#include "pratique/core/error.h"

namespace pratique::codes {
namespace {

constexpr Setting kSettingSuppression = {
    "suppression",
    "km, by apriori and local, and table+codes: share of the codes in records that may be removed, "
    "where that loses less",
    &Parameters::suppression, 0, 1};
constexpr Setting kKmSettings[] = {kSettingK, kSettingM, kSettingSuppression};
constexpr Setting kTableAndCodesSettings[] = {
    kSettingK,
    kSettingM,
    kSettingSuppression,
    {"qi", "table+codes: quasi-identifiers", Setting::Columns{&Parameters::quasi_identifiers}},
    {"qi-hierarchy", "table+codes: SPEC is a CSV file, interval:5,10,20, prefix, date or flat",
     Setting::Hierarchies{&Parameters::value_hierarchies}},
};

void claim_km(const Parameters& parameters, Json& claim) {
  claim["model"] = "km-anonymity";
  claim["k"] = parameters.k;
  claim["m"] = parameters.m;
}

void check_table_and_codes(const Parameters& parameters, const CodeSets& sets) {
  check_k(parameters, sets);
  if (!parameters.quasi_identifiers.empty()) return;
  throw Error::input("the model table+codes needs quasi-identifiers").hint("Name them: --qi A,B");
}

void claim_table_and_codes(const Parameters& parameters, Json& claim) {
  claim_km(parameters, claim);
  claim["model"] = "k-km-anonymity";
  claim["quasi_identifiers"] = parameters.quasi_identifiers;
}

}  // namespace

const Model km_model = {"km", "any m items of a record are in k records", kKmSettings, check_k,
                        claim_km};
const Model table_and_codes_model = {
    "table+codes", "any m codes and the quasi-identifiers fit k patients, or none",
    kTableAndCodesSettings, check_table_and_codes, claim_table_and_codes};

}  // namespace pratique::codes
