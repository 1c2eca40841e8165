#include "pratique/verify/claims.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {

namespace {

constexpr std::string_view kTested = "tested";
constexpr std::string_view kAttested = "attested";

struct Check {
  ClaimResult (*run)(const ClaimContext&);
  std::string_view standing = "derived";
};

const std::map<std::string_view, Check>& checks() {
  static const std::map<std::string_view, Check> kChecks = {
      {"k-anonymity", {check_k_anonymity}},
      {"k-map", {check_k_map}},
      {"distinct-l-diversity", {check_diversity}},
      {"entropy-l-diversity", {check_diversity}},
      {"recursive-l-diversity", {check_diversity}},
      {"alpha", {check_alpha}},
      {"value-risk", {check_value_risk}},
      {"t-closeness", {check_closeness}},
      {"em-anonymity", {check_em_anonymity}},
      {"range-diversity", {check_range}},
      {"personalised-privacy", {check_personalised}},
      {"delta-presence", {check_delta_presence}},
      {"safe-versions", {check_versions}},
      {"rho1-to-rho2", {check_belief, kTested}},
      {"delta-growth", {check_belief, kTested}},
      {"k-unlinkability", {check_unlinkability}},
      {"km-anonymity", {check_km}},
      {"km-disassociation", {check_km_disassociation}},
      {"complete-anonymity", {check_complete}},
      {"policy-anonymity", {check_policy}},
      {"hkp-coherence", {check_coherence}},
      {"ps-rules", {check_rules}},
      {"rho-uncertainty", {check_uncertainty}},
      {"k-km-anonymity", {check_k_km}},
      {"safe-harbor", {check_safe_harbor}},
      {"anatomy", {check_anatomy}},
      {"sequence-anonymity", {check_sequence_anonymity}},
      {"snp-bins", {check_snp_bins}},
      {"masked-loci", {check_masked_loci}},
      {"rounded-frequencies", {check_rounded_frequencies}},
      {"masked-genotypes", {check_masked_genotypes}},
      {"association-statistics", {check_association_statistics}},
      {"noisy-frequencies", {check_noisy_frequencies, kAttested}},
      {"differential-privacy", {check_differential_privacy, kAttested}},
      {"identifiers-removed", {check_identifiers_removed}},
      {"consortium-unlinkability", {check_consortium, kAttested}},
      {"view-k-anonymity", {check_view}},
  };
  return kChecks;
}

}  // namespace

std::vector<std::string_view> known_models() {
  std::vector<std::string_view> models;
  for (const auto& [model, check] : checks()) models.push_back(model);
  return models;
}

ClaimResult verify_claim(Engine& engine, const Source& release, const Json& claim,
                         Progress& progress, const std::vector<std::string>& beside,
                         const std::string& key) {
  if (!claim.is_object()) throw malformed("a claim is not an object");
  const std::string model = text_in(claim, "model");
  const auto check = checks().find(model);
  if (check == checks().end()) throw malformed("an unknown model");
  ClaimResult result = check->second.run({engine, release, claim, progress, beside, key});
  result.model = model;
  result.standing = check->second.standing;
  if (claim.contains("quasi_identifiers")) result.columns = names_in(claim, "quasi_identifiers");
  if (result.standing == kTested) result.confidence = 1 - kRefusedBelow;
  const Json confidence = result.confidence ? Json(*result.confidence) : Json(nullptr);
  if (claim.contains("standing") && text_in(claim, "standing") != result.standing) {
    result.holds = false;
    result.explanation = fmt::format("it claims another standing than {}", result.standing);
  } else if (claim.contains("confidence") && claim["confidence"] != confidence) {
    result.holds = false;
    result.explanation = "it claims another confidence than it is tested with";
  }
  return result;
}

}  // namespace pratique::verify
