#include "pratique/codes/model/coherence.h"

#include <nlohmann/json.hpp>

#include "pratique/codes/model/internal/settings.h"

namespace pratique::codes {
namespace {

constexpr Setting kCoherenceSettings[] = {
    kSettingK,
    kSettingSensitive,
    {"h", "coherence: at most one in h may have a sensitive code", &Parameters::h, 1, 1e9},
    {"p", "coherence: public codes that an adversary may know", &Parameters::p, 1, 10},
};

void check_coherence(const Parameters& parameters, const CodeSets& sets) {
  check_k(parameters, sets);
  check_sensitive("coherence", parameters, sets);
}

void claim_coherence(const Parameters& parameters, Json& claim) {
  claim["model"] = "hkp-coherence";
  claim["k"] = parameters.k;
  claim["h"] = parameters.h;
  claim["p"] = parameters.p;
  claim["sensitive"] = listed_sensitive(parameters);
}

}  // namespace

const Model coherence_model = {
    "coherence", "any p public codes fit k patients, at most one in h with a sensitive code",
    kCoherenceSettings, check_coherence, claim_coherence};

}  // namespace pratique::codes
