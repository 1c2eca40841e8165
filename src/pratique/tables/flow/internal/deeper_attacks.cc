#include "pratique/tables/flow/internal/deeper_attacks.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/attack/mined_rules.h"
#include "pratique/tables/attack/minimality.h"
#include "pratique/tables/flow/known_table.h"

namespace pratique::tables::flow {

void add_minimality(const ProtectRequest& options, PreparedTable& prepared,
                    const Protected& released, Json& result) {
  const bool looks_at_values =
      std::any_of(prepared.models.begin(), prepared.models.end(),
                  [](const auto& model) { return model->needs_sensitive(); });
  if (!looks_at_values || options.method == "levels" || options.method == "again") return;
  const auto not_tried = [&](const char* why) { result["minimality_not_tried"] = why; };
  if (std::any_of(prepared.models.begin(), prepared.models.end(),
                  [](const auto& model) { return model->needs_population(); }))
    return not_tried("with a population, the attack is not worked out");
  if (!(options.method == "optimal" && released.levels) && !released.rounds && !released.runs)
    return not_tried(
        "the attack is worked out for the methods optimal and local, and for small tables");
  const bool minimal_by_metric = options.metric == "lm" || options.metric == "ncp" ||
                                 options.metric == "dm" || options.metric == "c_avg";
  if (released.ended_early || released.searched_by_others || !minimal_by_metric)
    return not_tried("the levels need not be minimal: nothing follows from them");
  const Models stricter = released.larger_k ? prepared.models_with(*released.larger_k) : Models();
  const Models& models = released.larger_k ? stricter : prepared.models;
  const auto may_leave_out = most_suppressed(prepared.input, options.suppression);
  const auto attack =
      released.runs
          ? attack_runs(prepared.input, models, released.recoding, *released.runs, may_leave_out)
      : released.rounds ? attack_rounds(prepared.input, models, released.recoding, *released.rounds)
                        : attack_minimal_levels(prepared.input, models, released.recoding,
                                                *released.levels, may_leave_out);
  result["after"]["minimality"] = to_json(attack);
  // Where nothing is generalised, nothing follows beyond what classes say.
  MinimalityAttack nothing;
  nothing.records = prepared.before.records;
  nothing.believed = prepared.before.believed.value_or(0);
  if (attack.beyond_limit) nothing.beyond_limit = 0;
  result["before"]["minimality"] = to_json(nothing);
}

void add_rules(const ProtectRequest& options, const PreparedTable& prepared,
               const Protected& released, const Run& run, Json& result) {
  if (prepared.measured.sensitive.empty()) return;
  for (const char* key : {"believed", "believed_share"}) {
    result["before"]["rules"][key] = result["before"][key];
    result["after"]["rules"][key] = result["after"][key];
  }
  if (released.levels && options.rules_from.empty()) return;
  std::optional<GroupedTable> known;
  if (!options.rules_from.empty()) known = known_to_adversary(options, prepared, run);
  result["after"]["rules"] = to_json(
      attack_by_rules(prepared.measured, released.recoding,
                      {.support = options.rule_support, .known = known ? &*known : nullptr}));
}

}  // namespace pratique::tables::flow
