#include "pratique/tables/method/protection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>

#include "pratique/core/error.h"
#include "pratique/tables/method/clustering.h"
#include "pratique/tables/method/exhaustive.h"
#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/method/internal/microaggregated.h"
#include "pratique/tables/method/internal/partition.h"
#include "pratique/tables/method/internal/population_fit.h"
#include "pratique/tables/method/internal/trimming.h"
#include "pratique/tables/method/internal/unsatisfied.h"
#include "pratique/tables/method/local.h"
#include "pratique/tables/method/mondrian.h"
#include "pratique/tables/method/optimal.h"
#include "pratique/tables/method/value_suppression.h"
#include "pratique/tables/metric/metrics.h"

namespace pratique::tables {
namespace {

void refuse_too_many(std::uint64_t suppressed, const ProtectionInput& input, const Method& method) {
  const std::uint64_t records = records_of(input);
  const std::uint64_t allowed = most_suppressed(input, method.suppression);
  if (suppressed <= allowed) return;
  throw Error::check(fmt::format("{} of {} records are in classes that break a model, and "
                                 "--suppression allows {}",
                                 suppressed, records, allowed))
      .hint(
          "Generalise more, allow more with --suppression, or let --method optimal find the "
          "levels. "
          "Nothing was written.");
}

Protected by_levels(const ProtectionInput& input, const Models& models, const Method& method,
                    Progress& /*progress*/) {
  Protected released;
  released.recoding = apply_levels(input, method.levels, models);
  released.levels = method.levels;
  refuse_too_many(released.recoding.suppressed, input, method);
  return released;
}

Protected by_next_version(const ProtectionInput& input, const Models& models, const Method& method,
                          Progress& /*progress*/) {
  if (method.earlier == nullptr) throw Error::input("there is no release to go on from");
  NextVersion next = next_version(input, models, *method.earlier);
  Protected released;
  released.recoding = std::move(next.recoding);
  released.levels = method.earlier->levels;
  released.waiting = next.waiting;
  const std::uint64_t allowed = most_suppressed(input, method.suppression);
  if (released.recoding.suppressed > allowed) {
    throw Error::check(
        fmt::format("{} of {} records break a model, and {} more have to wait until enough "
                    "others join their class; --suppression allows {} in all",
                    released.recoding.suppressed - next.waiting, records_of(input), next.waiting,
                    allowed))
        .hint("Allow more with --suppression, or release later. Nothing was written.");
  }
  return released;
}

std::function<double(const Recoding&)> cost_of(const ProtectionInput& input, const Method& method) {
  if (method.metric == "um") {
    return [&](const Recoding& recoding) { return utility_measure(input, recoding); };
  }
  if (method.metric == "are") {
    const ProtectionInput& measured = method.measured != nullptr ? *method.measured : input;
    auto workload = method.workload != nullptr ? *method.workload : generate_workload(measured, {});
    return [&measured, workload = std::move(workload)](const Recoding& recoding) {
      return average_relative_error(measured, recoding, workload);
    };
  }
  if (method.label == nullptr) {
    throw Error::input("the metric cm needs a class label").hint("Name the column with --label.");
  }
  return [&](const Recoding& recoding) { return classification_metric(*method.label, recoding); };
}

bool need_everybody(const Models& models) {
  return std::any_of(models.begin(), models.end(),
                     [](const auto& model) { return model->needs_everybody(); });
}

bool need_apart(const Models& models) {
  return std::any_of(models.begin(), models.end(),
                     [](const auto& model) { return model->needs_apart(); });
}

// By a metric without bounds.
Protected by_measuring(const ProtectionInput& input, const Models& models, const Method& method,
                       Progress& progress) {
  if (need_everybody(models)) {
    throw Error::input(
        fmt::format("the metric {} cannot take the population into account", method.metric))
        .hint("With a delta-presence above 0, use --metric lm, ncp, dm or c_avg.");
  }
  auto best = exhaustive(input, models,
                         {.suppression = method.suppression,
                          .time_limit = method.time_limit,
                          .cost = cost_of(input, method)},
                         progress);
  // The search by bounds says best which model fails, and by how much.
  if (!best) (void)optimal(input, models, {.suppression = method.suppression}, progress);
  Protected released;
  released.recoding = std::move(best->recoding);
  released.levels = std::move(best->levels);
  if (!best->exact) released.note = "the time limit ended the search: better levels may exist";
  return released;
}

Protected by_optimal(const ProtectionInput& input, const Models& models, const Method& method,
                     Progress& progress) {
  static const std::map<std::string, LevelMetric> kBounded = {{"lm", LevelMetric::lm},
                                                              {"ncp", LevelMetric::ncp},
                                                              {"dm", LevelMetric::dm},
                                                              {"c_avg", LevelMetric::c_avg}};
  const auto metric = kBounded.find(method.metric);
  if (metric == kBounded.end()) return by_measuring(input, models, method, progress);
  OptimalResult best = optimal(input, models,
                               {.suppression = method.suppression,
                                .metric = metric->second,
                                .time_limit = method.time_limit},
                               progress);
  Protected released;
  released.recoding = std::move(best.recoding);
  released.levels.emplace(best.node.levels.begin(), best.node.levels.end());
  if (!best.node.exact) {
    released.lower_bound = best.node.lower_bound;
    released.note = best.node.best_effort;
  }
  return released;
}

Loss loss_of(const Method& method) { return method.metric == "ncp" ? Loss::ncp : Loss::lm; }

// Ranges and sets of what is in the classes, instead of labels; wider where these contain too few
// people of a population.
void write_freely(const ProtectionInput& input, const Models& models, Recoding& recoding,
                  Progress& progress) {
  const std::uint64_t suppressed = recoding.suppressed;
  std::vector<Items> classes = classes_in(recoding);
  if (!all_monotone(models) || std::any_of(models.begin(), models.end(), [](const auto& model) {
        return model->needs_population();
      })) {
    const LossSpace space(input, CellStyle::free, Loss::lm);
    const auto keep_classes = [&](const ProtectionInput&, const Items&) { return classes; };
    classes = classes_by(keep_classes, input, models, space, CellStyle::free, progress);
  }
  recoding = recoding_of(input, classes, CellStyle::free);
  recoding.suppressed = suppressed;
}

Protected by_local(const ProtectionInput& input, const Models& models, const Method& method,
                   Progress& progress) {
  Protected released;
  // Records that are grouped again would share people with the classes that were there.
  if (need_apart(models)) {
    released.recoding = mondrian(input, models, {.style = style_of(method)}, progress);
    return released;
  }
  LocalResult local = local_recoding(input, models, {.suppression = method.suppression}, progress);
  released.recoding = std::move(local.recoding);
  released.rounds.emplace();
  for (const auto& round : local.rounds) released.rounds->levels.push_back(round.levels);
  released.rounds->round_of = std::move(local.round_of);
  if (style_of(method) == CellStyle::free) write_freely(input, models, released.recoding, progress);
  return released;
}

// Classes of records, however a method makes them, and how it writes them down.
struct ClassMethod {
  std::function<Recoding(const ProtectionInput& input)> run;
  std::function<Recoding(const std::vector<Items>& classes)> write;
  CellStyle style;
  Loss loss;
};

// Without the records of which the full-domain node that leaves out fewest leaves them out. Where a
// union of classes satisfies the models, the others do so as one class.
Recoding of_those_that_fit(const ProtectionInput& input, const Models& models, const Method& method,
                           const ClassMethod& by, Progress& progress) {
  // It is enough to come near; and the same whatever the machine.
  constexpr std::uint64_t kNodes = 2000;
  const auto node = optimal_node(input, models,
                                 {.suppression = method.suppression,
                                  .metric = LevelMetric::suppressed,
                                  .largest_lattice = kNodes,
                                  .best_effort_nodes = kNodes},
                                 progress);
  if (!node) internal::throw_unsatisfied(input, models);
  const Recoding kept = apply_levels(input, node->levels, models);
  std::vector<std::uint64_t> counts(input.groups(), 0);
  for (std::size_t i = 0; i < kept.groups.size(); ++i) counts[kept.groups[i]] = kept.counts[i];
  ProtectionInput rest = input;
  rest.counts = &counts;
  Recoding recoding = by.run(rest);
  recoding.suppressed = kept.suppressed;
  return recoding;
}

Protected by_classes(const ProtectionInput& input, const Models& models, const Method& method,
                     const ClassMethod& by, Progress& progress) {
  if (method.suppression <= 0) return {.recoding = by.run(input)};
  Protected released;
  try {
    released.recoding = by.run(input);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::check_failed) throw;
    released.recoding = of_those_that_fit(input, models, method, by, progress);
  }
  const bool counts_people = std::any_of(
      models.begin(), models.end(), [](const auto& model) { return model->needs_population(); });
  // Cells that became equal would have to be mended again.
  if (counts_people || !all_monotone(models)) return released;
  const std::uint64_t out = released.recoding.suppressed;
  auto classes = classes_in(released.recoding);
  const LossSpace space(input, by.style, by.loss);
  const std::uint64_t trimmed =
      trim(classes, input, models, space, most_suppressed(input, method.suppression) - out);
  if (trimmed == 0) return released;
  Recoding fewer = by.write(classes);
  fewer.suppressed = out + trimmed;
  const auto loss = [&](const Recoding& recoding) {
    return by.loss == Loss::ncp ? normalized_certainty_penalty(input, recoding)
                                : loss_metric(input, recoding);
  };
  if (loss(fewer) < loss(released.recoding)) released.recoding = std::move(fewer);
  return released;
}

Protected by_mondrian(const ProtectionInput& input, const Models& models, const Method& method,
                      Progress& progress) {
  const MondrianOptions options{.style = style_of(method),
                                .loss = loss_of(method),
                                .relaxed = method.relaxed,
                                .label = method.label,
                                .target = method.target};
  return by_classes(
      input, models, method,
      {[&](const auto& searched) { return mondrian(searched, models, options, progress); },
       [&](const auto& classes) { return recoding_of(input, classes, options.style); },
       options.style, options.loss},
      progress);
}

Protected by_clustering(const ProtectionInput& input, const Models& models, const Method& method,
                        decltype(cluster_up)& cluster, Progress& progress) {
  const ClusteringOptions options{.style = style_of(method), .loss = loss_of(method)};
  return by_classes(
      input, models, method,
      {[&](const auto& searched) { return cluster(searched, models, options, progress); },
       [&](const auto& classes) { return recoding_of(input, classes, options.style); },
       options.style, options.loss},
      progress);
}

Protected by_clustering_up(const ProtectionInput& input, const Models& models, const Method& method,
                           Progress& progress) {
  return by_clustering(input, models, method, cluster_up, progress);
}

Protected by_clustering_down(const ProtectionInput& input, const Models& models,
                             const Method& method, Progress& progress) {
  return by_clustering(input, models, method, cluster_down, progress);
}

Protected by_microaggregation(const ProtectionInput& input, const Models& models,
                              const Method& method, Progress& progress) {
  using Algorithm = MicroaggregationOptions::Algorithm;
  const MicroaggregationOptions options{
      .algorithm = method.univariate ? Algorithm::univariate : Algorithm::mdav,
      .centre = method.centre,
      .style = style_of(method)};
  return by_classes(
      input, models, method,
      {[&](const auto& searched) {
         return microaggregate(searched, models, options, progress).recoding;
       },
       [&](const auto& classes) { return show_microaggregated(input, classes, options).recoding; },
       options.style, Loss::lm},
      progress);
}

Protected by_suppressing_cells(const ProtectionInput& input, const Models& models,
                               const Method& method, Progress& /*progress*/) {
  if (need_everybody(models)) {
    throw Error::input(
        "delta-presence with a minimum above 0 needs every person of the population in some class, "
        "which --method suppress-cells cannot ensure")
        .hint("Use another method, or a minimum of 0.");
  }
  Protected released;
  if (need_apart(models)) {
    released.recoding = suppress_columns(input, models).recoding;
    released.note = "delta-presence needs disjoint classes: whole columns are hidden";
  } else {
    released.recoding = suppress_values(input, models).recoding;
  }
  refuse_too_many(released.recoding.suppressed, input, method);
  return released;
}

// Those whose cells may not lose all.
std::vector<std::string> limited_columns(const ProtectionInput& input) {
  std::vector<std::string> names;
  for (const auto& attribute : input.attributes) {
    if (!std::isinf(attribute.most_leaves)) names.push_back(attribute.name);
  }
  return names;
}

// What loses least of those that end in time. The quick ones come first; none is interrupted.
Protected by_best(const ProtectionInput& input, const Models& models, const Method& method,
                  Progress& progress) {
  constexpr double kSeconds = 60;
  const auto began = std::chrono::steady_clock::now();
  const auto left = [&] {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    return method.time_limit.value_or(kSeconds) - took.count();
  };
  std::optional<Protected> best;
  double least = 0;
  std::string winner;
  std::vector<std::string> others;
  std::optional<Error> refusal;
  for (const char* name : {"mondrian", "cluster-down", "cluster-up", "optimal", "local"}) {
    if (best && left() <= 0) {
      others.push_back(fmt::format("{} not run for lack of time", name));
      continue;
    }
    Method each = method;
    each.name = name;
    each.style = style_of(method);
    if (method.time_limit) each.time_limit = std::max(0.1, left());
    try {
      Protected released = find_method(name).run(input, models, each, progress);
      if (released.recoding.groups.empty()) continue;
      const double loss = loss_of(method) == Loss::ncp
                              ? normalized_certainty_penalty(input, released.recoding)
                              : loss_metric(input, released.recoding);
      const bool better = !best || loss < least;
      if (best) {
        others.push_back(fmt::format("{} {:.4g}", better ? winner : name, better ? least : loss));
      }
      if (!better) continue;
      best = std::move(released);
      least = loss;
      winner = name;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::check_failed) throw;
      others.push_back(fmt::format("{} cannot satisfy the models", name));
      refusal = error;
    }
  }
  if (!best) throw Error(*refusal);
  best->note = fmt::format("{} loses least by {}: {:.4g}{}{}", winner, method.metric, least,
                           others.empty() ? "" : "; ", fmt::join(others, ", "));
  return std::move(*best);
}

bool is_among(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

// Whole records: the rounding of 0.29 * 100 must not cost one.
std::uint64_t most_suppressed(const ProtectionInput& input, double suppression) {
  return static_cast<std::uint64_t>(
      std::floor(suppression * static_cast<double>(records_of(input)) + 1e-9));
}

CellStyle style_of(const Method& method) {
  return method.style.value_or(method.name == "local" ? CellStyle::labels : CellStyle::free);
}

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> names = {"lm", "ncp", "dm", "c_avg", "um", "cm", "are"};
  return names;
}

std::span<const MethodKind> methods() {
  static const std::vector<std::string_view> kLosses = {"lm", "ncp"};
  static const std::vector<MethodKind> kinds = {
      {"levels",
       "full-domain generalisation to levels that the user chose",
       by_levels,
       {"levels", "max-loss"}},
      {"optimal",
       "the best full-domain generalisation there is",
       by_optimal,
       {"time-limit", "max-loss"},
       {metric_names().begin(), metric_names().end()}},
      {"local",
       "optimal, then the suppressed records grouped again",
       by_local,
       {"recoding", "max-loss"}},
      {"mondrian", "top-down cuts", by_mondrian, {"recoding", "relaxed", "target"}, kLosses},
      {"cluster-up", "near records joined bottom-up", by_clustering_up, {"recoding"}, kLosses},
      {"cluster-down", "records parted top-down", by_clustering_down, {"recoding"}, kLosses},
      {"microaggregate",
       "classes of near records that show their mean",
       by_microaggregation,
       {"recoding", "centre", "univariate"}},
      {"best",
       "whichever of mondrian, optimal, local and the clusterings loses least; after --time-limit "
       "seconds (60) no other is begun",
       by_best,
       {"recoding", "time-limit"},
       kLosses},
      {"again",
       "the levels of the releases before; records wait until enough others join their class",
       by_next_version,
       {"against"}},
      {"suppress-cells", "few single cells become *", by_suppressing_cells, {}},
  };
  return kinds;
}

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& kind : methods()) all.emplace_back(kind.name);
    return all;
  }();
  return names;
}

const MethodKind& find_method(const std::string& name) {
  for (const auto& kind : methods()) {
    if (kind.name == name) return kind;
  }
  throw Error::input(fmt::format("there is no method '{}'", name))
      .hint(fmt::format("The methods are {}.", fmt::join(method_names(), ", ")));
}

bool MethodKind::listens_to(std::string_view setting) const { return is_among(settings, setting); }

bool MethodKind::minimises(std::string_view metric) const { return is_among(metrics, metric); }

namespace {

Protected search(const ProtectionInput& input, const Models& models, const Method& method,
                 Progress& progress) {
  const MethodKind& kind = find_method(method.name);
  const auto limited = limited_columns(input);
  Protected released;
  try {
    released = kind.run(input, models, method, progress);
    if (!keeps_limits(input, released.recoding)) throw Error::check("a cell is too coarse");
  } catch (const Error& error) {
    if (error.code() != ErrorCode::check_failed || limited.empty()) throw;
    throw Error::check(
        fmt::format("nothing was found that satisfies the models and keeps --max-loss "
                    "of {}: {}",
                    fmt::join(limited, ", "), error.message()))
        .hint(
            "Allow more loss, more --suppression, or ask less of the models. Nothing was written.");
  }
  if (kind.listens_to("recoding") && need_apart(models)) {
    released.note = "delta-presence needs disjoint classes: they are cut as by a strict mondrian";
  }
  if (released.recoding.groups.empty() && records_of(input) > 0) {
    internal::throw_unsatisfied(input, models);
  }
  return released;
}

// At a share of what they allow, where they compare with these records.
Models compared_with(const Models& models, const std::vector<std::uint64_t>& counts, double share) {
  Models others;
  for (const auto& model : models) {
    std::shared_ptr<const Model> other = model->about(counts, share);
    if (other == nullptr) other = model;
    others.push_back(std::move(other));
  }
  return others;
}

bool hold(const Models& models, const ProtectionInput& input, const Recoding& recoding) {
  ProtectionInput alone = input;  // of a population, what leaves is no other
  alone.population = nullptr;
  ModelCheck check(alone, models);
  const auto classes = classes_in(recoding);
  return std::all_of(classes.begin(), classes.end(),
                     [&](const Items& items) { return check.holds(items); });
}

}  // namespace

Models models_of_release(const Models& models, const ProtectionInput& input,
                         const Recoding& recoding) {
  std::vector<std::uint64_t> leaving(input.groups(), 0);
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    leaving[recoding.groups[i]] += recoding.counts[i];
  }
  return compared_with(models, leaving, 1);
}

Protected protect(const ProtectionInput& input, const Models& models, const Method& method,
                  Progress& progress) {
  Protected released = search(input, models, method, progress);
  released.models = models_of_release(models, input, released.recoding);
  const auto settled = [&] {
    return released.recoding.suppressed == 0 || released.models == models ||
           hold(released.models, input, released.recoding);
  };
  const auto search_by = [&](const Models& others) {
    released = search(input, others, method, progress);
    released.models = models_of_release(models, input, released.recoding);
    released.searched_by_others = true;
  };
  constexpr int kTries = 4;
  for (int attempt = 0; attempt < kTries && !settled(); ++attempt) {
    try {
      search_by(released.models);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::check_failed) throw;
      break;
    }
  }
  for (double share = 0.5; !settled(); share /= 2) {
    constexpr double kLeast = 0.05;
    if (share < kLeast) internal::throw_unsatisfied(input, models);
    search_by(compared_with(models, *input.counts, share));
  }
  return released;
}

}  // namespace pratique::tables
