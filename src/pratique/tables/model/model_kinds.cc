#include "pratique/tables/model/belief_bounds.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/model/l_diversity.h"
#include "pratique/tables/model/model_kind.h"
#include "pratique/tables/model/personalised_privacy.h"
#include "pratique/tables/model/population_models.h"
#include "pratique/tables/model/proximity.h"
#include "pratique/tables/model/t_closeness.h"
#include "pratique/tables/model/value_risk.h"

namespace pratique::tables {
namespace {

// The order of help and of claims.
constexpr const ModelKind* kKinds[] = {
    &k_anonymity_kind,          &k_map_kind,         &delta_presence_kind, &l_diversity_kind,
    &alpha_anonymity_kind,      &t_closeness_kind,   &em_anonymity_kind,   &range_diversity_kind,
    &personalised_privacy_kind, &belief_bounds_kind, &value_risk_kind,
};

}  // namespace

std::span<const ModelKind* const> model_kinds() { return kKinds; }

std::vector<ModelSettingKind> model_settings() {
  std::vector<ModelSettingKind> settings;
  for (const ModelKind* kind : kKinds) {
    settings.insert(settings.end(), kind->settings.begin(), kind->settings.end());
  }
  return settings;
}

std::vector<std::string> model_keys() {
  std::vector<std::string> keys;
  for (const auto& setting : model_settings()) keys.emplace_back(setting.key);
  return keys;
}

}  // namespace pratique::tables
