#include "pratique/tables/flow/method_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "pratique/core/error.h"
#include "pratique/data/settings.h"
#include "pratique/tables/flow/internal/column_limits.h"
#include "pratique/tables/metric/metrics.h"

namespace pratique::tables::flow {

void refuse_unused(const ProtectRequest& options, const std::vector<std::string>& methods) {
  const auto refuse = [&](const std::string& option, const auto& heard_by) {
    std::vector<std::string_view> hearing;
    for (const auto& kind : tables::methods()) {
      if (heard_by(kind)) hearing.push_back(kind.name);
    }
    const bool used = std::any_of(methods.begin(), methods.end(), [&](const std::string& method) {
      return std::find(hearing.begin(), hearing.end(), method) != hearing.end();
    });
    if (used) return;
    throw Error::input(
        fmt::format("--{} has no effect with --method {}", option, fmt::join(methods, ",")))
        .hint(fmt::format("Leave it out; it goes with {}.", fmt::join(hearing, ", ")));
  };
  const std::pair<const char*, bool> settings[] = {
      {"levels", !options.levels.empty()},
      {"max-loss", !options.max_loss.empty()},
      {"max-level", !options.max_level.empty()},
      {"against", !options.against.empty()},
      {"recoding", !options.recoding.empty()},
      {"time-limit", options.time_limit.has_value()},
      {"relaxed", options.relaxed},
      {"target", !options.target.empty()},
      {"centre", !options.centre.empty()},
      {"univariate", options.univariate},
      {"start", !options.start.empty()},
  };
  for (const auto& [setting, given] : settings) {
    if (!given) continue;
    refuse(setting, [name = setting](const auto& kind) { return kind.listens_to(name); });
  }
  if (options.metric != "lm") {
    refuse(options.metric == "ncp" ? "metric ncp" : "metric",
           [&](const auto& kind) { return kind.minimises(options.metric); });
  }
  if (!options.key.empty() && options.identifiers == "drop") {
    throw Error::input("--key has no effect where identifiers are dropped")
        .hint("Leave it out, or ask for --identifiers pseudonym or surrogate.");
  }
}

tables::Protected protect_prepared(PreparedTable& prepared, const tables::Models& models,
                                   const tables::Method& method, Progress& progress) {
  auto released = tables::protect(prepared.input, models, method, progress);
  if (method.name != "local" || models.size() < 2 || released.ended_early || released.runs)
    return released;
  double least = tables::loss_metric(prepared.input, released.recoding);
  for (const std::uint64_t k : {2, 3, 5, 7, 11, 20, 50}) {
    if (k <= tables::least_records(models)) continue;
    try {
      auto stricter = tables::protect(prepared.input, prepared.models_with(k), method, progress);
      const double loss = tables::loss_metric(prepared.input, stricter.recoding);
      if (loss >= least) continue;
      least = loss;
      released = std::move(stricter);
      released.models = tables::models_of_release(models, prepared.input, released.recoding);
      released.larger_k = k;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::check_failed) throw;
    }
  }
  return released;
}

tables::Method method_of(const ProtectRequest& options, const PreparedTable& prepared) {
  tables::Method method;
  method.name = options.method;
  method.suppression = options.suppression;
  method.metric = options.metric;
  method.measured = &prepared.measured;
  if (prepared.workload) method.workload = &*prepared.workload;
  method.time_limit = options.time_limit;
  method.relaxed = options.relaxed;
  if (!options.recoding.empty()) {
    method.style =
        options.recoding == "labels" ? tables::CellStyle::labels : tables::CellStyle::free;
  }
  if (!options.centre.empty()) method.centre = tables::centre_of_name(options.centre);
  method.univariate = options.univariate;
  if (!options.start.empty()) method.start = options.start;
  if (!options.target.empty()) method.target = &prepared.target;
  if (!options.label.empty()) method.label = &prepared.table.groups.column(options.label);
  if (options.method == "again") {
    if (!prepared.earlier) {
      throw Error::input("--method again needs the releases that went before")
          .hint("Name each with --against.");
    }
    method.earlier = &*prepared.earlier;
  }
  const bool begins_with_levels = options.method == "local" && !options.levels.empty();
  if (begins_with_levels && method.start != "optimal") {
    throw Error::input("local begins with --start or with --levels, not with both")
        .hint("Leave one of them out.");
  }
  if (options.method != "levels" && !begins_with_levels) return method;
  const auto levels = column_values(options.levels, "--levels", prepared.source.columns);
  for (const auto& [name, level] : levels) {
    (void)column_index(prepared.source.columns, name, prepared.source.name);
    if (prepared.schema.role_of(name) == Role::quasi_identifier) continue;
    throw Error::input(fmt::format("--levels: '{}' is not a quasi-identifier but {}", name,
                                   to_string(prepared.schema.role_of(name))))
        .hint("Only quasi-identifiers are generalised: name it with --qi, or leave it out.");
  }
  for (const auto& name : prepared.schema.quasi_identifiers) {
    const auto level = levels.find(name);
    method.levels.push_back(
        level == levels.end() ? 0 : level_of(name, level->second, prepared.hierarchies.at(name)));
  }
  return method;
}

}  // namespace pratique::tables::flow
