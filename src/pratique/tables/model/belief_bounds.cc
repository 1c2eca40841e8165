#include "pratique/tables/model/belief_bounds.h"

#include <fmt/format.h>

#include "pratique/tables/model/internal/model_settings.h"
#include "pratique/tables/model/model_request.h"

namespace pratique::tables {
namespace {

constexpr ModelSettingKind kBeliefSettings[] = {
    {.key = "rho",
     .type = SettingType::text,
     .words =
         "RHO1:RHO2: the column is randomised so that no belief of at most RHO1 grows beyond RHO2",
     .per_column = true},
    {.key = "growth",
     .type = SettingType::number,
     .words = "the same, and no belief grows by more than this",
     .per_column = true,
     .low = 0,
     .high = 1,
     .open = true}};

void read_beliefs(ModelSettings& settings, ModelRequest& request) {
  const std::string form = "RHO1:RHO2, as in 0.1:0.5";
  for (const auto& setting : settings.of("rho")) {
    const auto word = ModelSettings::word_of(setting);
    const auto [low, high] = ModelSettings::split(setting, word.value, ':', form);
    const double rho1 = ModelSettings::number(setting, low, 0, 1, form);
    const double rho2 = ModelSettings::number(setting, high, rho1, 1, form);
    if (rho1 <= 0 || rho2 <= rho1 || rho2 >= 1) {
      throw ModelSettings::error(setting, "it must be 0 < RHO1 < RHO2 < 1",
                                 fmt::format("Write --rho {}.", form));
    }
    settings.for_columns(setting, word, [&](const std::string& column) {
      request.beliefs.push_back({column, rho1, rho2});
    });
  }
  for (const auto& setting : settings.of("growth")) {
    const auto word = ModelSettings::word_of(setting);
    const double growth = ModelSettings::number(setting, word.value, 0, 1, "DELTA, as in 0.3");
    if (growth <= 0 || growth >= 1) {
      throw ModelSettings::error(setting, "it must be above 0 and under 1",
                                 "Write --growth DELTA, as in 0.3.");
    }
    settings.for_columns(setting, word, [&](const std::string& column) {
      request.beliefs.push_back({column, 0, 0, growth});
    });
  }
}

}  // namespace

const ModelKind belief_bounds_kind = {kBeliefSettings, read_beliefs};

}  // namespace pratique::tables
