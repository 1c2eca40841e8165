#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "pratique/codes/model/coherence.h"
#include "pratique/codes/model/complete.h"
#include "pratique/codes/model/internal/unknown_name.h"
#include "pratique/codes/model/km.h"
#include "pratique/codes/model/model.h"
#include "pratique/codes/model/policy.h"
#include "pratique/codes/model/rules.h"
#include "pratique/codes/model/uncertainty.h"

namespace pratique::codes {
namespace {

constexpr const Model* kModelList[] = {
    &km_model,          &complete_model, &policy_model,          &coherence_model,
    &uncertainty_model, &rules_model,    &table_and_codes_model,
};

}  // namespace

std::span<const Model* const> models() { return kModelList; }

const Model& find_model(std::string_view key) {
  std::vector<std::string> keys;
  for (const Model* model : kModelList) {
    if (model->key == key) return *model;
    keys.emplace_back(model->key);
  }
  throw unknown_name("model", std::string(key), keys);
}

std::vector<Setting> model_settings() {
  std::vector<Setting> all;
  for (const Model* model : kModelList) {
    for (const Setting& setting : model->settings) {
      if (std::ranges::find(all, setting.key, &Setting::key) == all.end()) all.push_back(setting);
    }
  }
  return all;
}

}  // namespace pratique::codes
