// One check for each kind of claim (claims.h), by idea. Each re-derives the figure from the
// definition of the model.
#pragma once

#include "pratique/verify/claims.h"

namespace pratique::verify {

struct ClaimContext {
  Engine& engine;
  const Source& release;
  const Json& claim;
  Progress& progress;
  const std::vector<std::string>& beside;  // the other files of the release
  const std::string& key;                  // of the private manifest; empty: not at hand
};

[[nodiscard]] ClaimResult check_k_anonymity(const ClaimContext& context);
// distinct-, entropy- and recursive-l-diversity
[[nodiscard]] ClaimResult check_diversity(const ClaimContext& context);
[[nodiscard]] ClaimResult check_km(const ClaimContext& context);
[[nodiscard]] ClaimResult check_km_disassociation(const ClaimContext& context);
[[nodiscard]] ClaimResult check_complete(const ClaimContext& context);
[[nodiscard]] ClaimResult check_policy(const ClaimContext& context);
[[nodiscard]] ClaimResult check_coherence(const ClaimContext& context);
[[nodiscard]] ClaimResult check_rules(const ClaimContext& context);
[[nodiscard]] ClaimResult check_uncertainty(const ClaimContext& context);
[[nodiscard]] ClaimResult check_k_km(const ClaimContext& context);
[[nodiscard]] ClaimResult check_alpha(const ClaimContext& context);
[[nodiscard]] ClaimResult check_value_risk(const ClaimContext& context);
[[nodiscard]] ClaimResult check_closeness(const ClaimContext& context);
[[nodiscard]] ClaimResult check_em_anonymity(const ClaimContext& context);
[[nodiscard]] ClaimResult check_range(const ClaimContext& context);
[[nodiscard]] ClaimResult check_personalised(const ClaimContext& context);
[[nodiscard]] ClaimResult check_k_map(const ClaimContext& context);
[[nodiscard]] ClaimResult check_delta_presence(const ClaimContext& context);
// safe-versions
[[nodiscard]] ClaimResult check_versions(const ClaimContext& context);
// rho1-to-rho2, delta-growth
[[nodiscard]] ClaimResult check_belief(const ClaimContext& context);
[[nodiscard]] ClaimResult check_safe_harbor(const ClaimContext& context);
[[nodiscard]] ClaimResult check_sequence_anonymity(const ClaimContext& context);
[[nodiscard]] ClaimResult check_snp_bins(const ClaimContext& context);
[[nodiscard]] ClaimResult check_rounded_frequencies(const ClaimContext& context);
[[nodiscard]] ClaimResult check_masked_loci(const ClaimContext& context);
[[nodiscard]] ClaimResult check_masked_genotypes(const ClaimContext& context);
[[nodiscard]] ClaimResult check_association_statistics(const ClaimContext& context);
[[nodiscard]] ClaimResult check_noisy_frequencies(const ClaimContext& context);
[[nodiscard]] ClaimResult check_anatomy(const ClaimContext& context);
// consortium-unlinkability
[[nodiscard]] ClaimResult check_consortium(const ClaimContext& context);
[[nodiscard]] ClaimResult check_differential_privacy(const ClaimContext& context);
// identifiers-removed, of notes
[[nodiscard]] ClaimResult check_identifiers_removed(const ClaimContext& context);
// view-k-anonymity, of notes
[[nodiscard]] ClaimResult check_view(const ClaimContext& context);
[[nodiscard]] ClaimResult check_unlinkability(const ClaimContext& context);

}  // namespace pratique::verify
