#include "pratique/codes/model/uncertainty.h"

#include <nlohmann/json.hpp>

#include "pratique/codes/model/internal/settings.h"
#include "pratique/core/error.h"

namespace pratique::codes {
namespace {

constexpr Setting kUncertaintySettings[] = {
    kSettingSensitive,
    {"rho", "uncertainty: the share that must not be reached", &Parameters::rho, 0, 1},
};

void check_uncertainty(const Parameters& parameters, const CodeSets& sets) {
  check_sensitive("uncertainty", parameters, sets);
  if (parameters.rho > 0) return;
  throw Error::input("--rho 0 forbids every sensitive code").hint("Choose more than 0.");
}

void claim_uncertainty(const Parameters& parameters, Json& claim) {
  claim["model"] = "rho-uncertainty";
  claim["rho"] = parameters.rho;
  claim["sensitive"] = listed_sensitive(parameters);
}

}  // namespace

const Model uncertainty_model = {
    "uncertainty", "whatever is known, no sensitive code is inferred with a confidence of rho",
    kUncertaintySettings, check_uncertainty, claim_uncertainty};

}  // namespace pratique::codes
