#include "pratique/tables/method/method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "pratique/core/error.h"
#include "pratique/tables/method/best.h"
#include "pratique/tables/method/clustering.h"
#include "pratique/tables/method/exhaustive.h"
#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/method/internal/class_mending.h"
#include "pratique/tables/method/internal/class_suppression.h"
#include "pratique/tables/method/internal/microaggregated.h"
#include "pratique/tables/method/internal/partition.h"
#include "pratique/tables/method/internal/release_cost.h"
#include "pratique/tables/method/internal/search_time.h"
#include "pratique/tables/method/internal/unsatisfied.h"
#include "pratique/tables/method/local.h"
#include "pratique/tables/method/mondrian.h"
#include "pratique/tables/method/optimal.h"
#include "pratique/tables/method/value_suppression.h"
#include "pratique/tables/metric/metrics.h"

namespace pratique::tables {
namespace {

// Of a search, where nobody says how long it may take.
constexpr double kUsualSeconds = 60;

// The share to allow, so that this many may stay out.
std::string suppression_of(std::uint64_t suppressed, std::uint64_t records) {
  constexpr double kSteps = 10000;
  const double share = static_cast<double>(suppressed) / static_cast<double>(records);
  return fmt::format("--suppression {:g}", std::min(1.0, std::ceil(share * kSteps) / kSteps));
}

void refuse_too_many(std::uint64_t suppressed, const ProtectionInput& input, const Method& method) {
  const std::uint64_t records = records_of(input);
  const std::uint64_t allowed = most_suppressed(input, method.suppression);
  if (suppressed <= allowed) return;
  throw Error::check(fmt::format("{} of {} records are in classes that break a model, and "
                                 "--suppression allows {}",
                                 suppressed, records, allowed))
      .hint(
          fmt::format("Generalise more, allow it with {}, or let --method optimal find the levels. "
                      "Nothing was written.",
                      suppression_of(suppressed, records)));
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
        .hint(fmt::format("Allow it with {}, or release later. Nothing was written.",
                          suppression_of(released.recoding.suppressed, records_of(input))));
  }
  return released;
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
                          .time_limit = method.time_limit.value_or(kUsualSeconds),
                          .cost = internal::cost_by_metric(input, models, method)},
                         progress);
  // The search by bounds says best which model fails, and by how much.
  if (!best) (void)optimal(input, models, {.suppression = method.suppression}, progress);
  Protected released;
  released.recoding = std::move(best->recoding);
  released.levels = std::move(best->levels);
  released.ended_early = !best->exact;
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
  OptimalOptions options{.suppression = method.suppression,
                         .metric = metric->second,
                         .time_limit = method.time_limit.value_or(kUsualSeconds)};
  // Who says how long it may take wants that used.
  if (method.time_limit) options.best_effort_nodes = std::numeric_limits<std::uint64_t>::max();
  OptimalResult best = optimal(input, models, options, progress);
  Protected released;
  released.recoding = std::move(best.recoding);
  released.levels.emplace(best.node.levels.begin(), best.node.levels.end());
  if (!best.node.exact) {
    released.lower_bound = best.node.lower_bound;
    if (metric->second == LevelMetric::c_avg)
      *released.lower_bound /= static_cast<double>(smallest_class(models));
    released.ended_early = true;
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
  if (!all_monotone(models) || need_population(models)) {
    const LossSpace space(input, CellStyle::free, Loss::lm);
    const auto keep_classes = [&](const ProtectionInput&, const Items&) { return classes; };
    classes = classes_by(keep_classes, input, models, space, CellStyle::free, progress);
  }
  recoding = recoding_of(input, classes, CellStyle::free);
  recoding.suppressed = suppressed;
}

Protected improved_from(const std::string& start, const ProtectionInput& input,
                        const Models& models, const Method& method, Progress& progress) {
  const internal::SearchTime time(method.time_limit.value_or(kUsualSeconds), progress);
  Method first = method;
  constexpr double kForStart = 0.6;
  first.name = start;
  first.style = style_of(method);
  first.time_limit = time.share(kForStart);
  Protected released = find_method(start).run(input, models, first, progress);
  released.recoding =
      improve_classes(input, models, {.style = *first.style, .loss = loss_of(method)},
                      released.recoding, time.share(1), progress);
  return released;
}

Protected search_locally(const ProtectionInput& input, const Models& models, const Method& method,
                         Progress& progress) {
  Protected released;
  if (method.start != "optimal")
    return improved_from(method.start, input, models, method, progress);
  const internal::SearchTime time(method.time_limit.value_or(kUsualSeconds), progress);
  // Where the rounds cannot be searched to their end, cuts may be better, and are quick.
  constexpr double kForRounds = 0.6;
  LocalOptions options{
      .suppression = method.suppression, .time_limit = time.share(kForRounds), .may_give_up = true};
  if (!method.levels.empty()) options.start = method.levels;
  LocalResult local = local_recoding(input, models, options, progress);
  if (!local.gave_up) {
    released.recoding = std::move(local.recoding);
    released.ended_early = !local.exact;
    released.rounds.emplace();
    for (const auto& round : local.rounds) released.rounds->levels.push_back(round.levels);
    released.rounds->round_of = std::move(local.round_of);
    if (style_of(method) == CellStyle::free)
      write_freely(input, models, released.recoding, progress);
    if (local.exact || options.start) return released;
  }
  Method cut = method;
  cut.time_limit = std::max(0.1, time.left());
  cut.style = style_of(method);
  Protected others = improved_from("mondrian", input, models, cut, progress);
  others.ended_early = true;
  if (time.is_over()) others.note = released.note = time.words();
  const bool better =
      local.gave_up || loss_metric(input, others.recoding) < loss_metric(input, released.recoding);
  return better ? others : released;
}

Protected by_local(const ProtectionInput& input, const Models& models, const Method& method,
                   Progress& progress) {
  // Records that are grouped again would share people with the classes that were there.
  if (need_apart(models))
    return {.recoding = mondrian(input, models, {.style = style_of(method)}, progress)};
  const internal::SearchTime time(method.time_limit.value_or(kUsualSeconds), progress);
  Method limited = method;
  limited.time_limit = time.share(1);
  const internal::ClassMethod by{
      [&](const auto& searched, const auto& asked) {
        Method all = limited;
        all.suppression = 0;
        all.time_limit = std::max(0.1, time.left());
        return search_locally(searched, asked, all, progress).recoding;
      },
      [&](const auto& classes) { return recoding_of(input, classes, style_of(method)); },
      style_of(method), loss_of(method)};
  if (internal::reads_orders(input, models, by))
    return internal::from_orders(input, models, limited, by, progress);
  return search_locally(input, models, method, progress);
}

void say_where_ended(const internal::SearchTime& time, Protected& released) {
  if (!time.is_over()) return;
  released.ended_early = true;
  released.note = time.words();
}

Protected by_mondrian(const ProtectionInput& input, const Models& models, const Method& method,
                      Progress& progress) {
  const internal::SearchTime time(method.time_limit, progress);
  const MondrianOptions options{.style = style_of(method),
                                .loss = loss_of(method),
                                .relaxed = method.relaxed,
                                .label = method.label,
                                .target = method.target,
                                .time = &time};
  Protected released = internal::with_suppression(
      input, models, method,
      {[&](const auto& searched, const auto& asked) {
         return mondrian(searched, asked, options, progress);
       },
       [&](const auto& classes) { return recoding_of(input, classes, options.style); },
       options.style, options.loss, true, false,
       options.label == nullptr && options.target == nullptr},
      progress);
  say_where_ended(time, released);
  return released;
}

Protected by_clustering(const ProtectionInput& input, const Models& models, const Method& method,
                        decltype(cluster_up)& cluster, Progress& progress) {
  const internal::SearchTime time(method.time_limit, progress);
  const ClusteringOptions options{
      .style = style_of(method), .loss = loss_of(method), .time = &time};
  Protected released = internal::with_suppression(
      input, models, method,
      {[&](const auto& searched, const auto& asked) {
         return cluster(searched, asked, options, progress);
       },
       [&](const auto& classes) { return recoding_of(input, classes, options.style); },
       options.style, options.loss},
      progress);
  say_where_ended(time, released);
  return released;
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
  return internal::with_suppression(
      input, models, method,
      {[&](const auto& searched, const auto& asked) {
         return microaggregate(searched, asked, options, progress).recoding;
       },
       [&](const auto& classes) { return show_microaggregated(input, classes, options).recoding; },
       options.style, Loss::lm, false, method.centre != MicroaggregationOptions::Centre::range,
       !method.univariate},
      progress);
}

Protected by_suppressing_cells(const ProtectionInput& input, const Models& models,
                               const Method& method, Progress& progress) {
  if (need_everybody(models)) {
    throw Error::input(
        "delta-presence with a minimum above 0 needs every person of the population in some class, "
        "which --method suppress-cells cannot ensure")
        .hint("Use another method, or a minimum of 0.");
  }
  if (need_apart(models)) {
    Protected released;
    released.recoding = suppress_columns(input, models).recoding;
    released.note = "delta-presence needs disjoint classes: whole columns are hidden";
    refuse_too_many(released.recoding.suppressed, input, method);
    return released;
  }
  const ShownOrHidden cells(input);
  return internal::with_suppression(
      cells.input(), models, method,
      {[](const auto& searched, const auto& asked) {
         Recoding recoding = suppress_values(searched, asked).recoding;
         if (recoding.groups.empty() && records_of(searched) > 0)
           internal::throw_unsatisfied(searched, asked);
         return recoding;
       },
       [&](const auto& classes) { return recoding_of(cells.input(), classes, CellStyle::labels); },
       CellStyle::labels, Loss::lm},
      progress);
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

const std::vector<std::string>& start_names() {
  static const std::vector<std::string> names = {"optimal", "mondrian", "cluster-up",
                                                 "cluster-down"};
  return names;
}

std::span<const MethodKind> methods() {
  static const std::vector<std::string_view> kLosses = {"lm", "ncp"};
  static const std::vector<MethodKind> kinds = {
      {"levels",
       "full-domain generalisation to levels that the user chose",
       by_levels,
       {"levels", "max-loss", "max-level"}},
      {"optimal",
       "the best full-domain generalisation there is",
       by_optimal,
       {"time-limit", "max-loss", "max-level"},
       {metric_names().begin(), metric_names().end()}},
      {"local",
       "optimal (or --start, or --levels), then the suppressed records grouped again",
       by_local,
       {"recoding", "max-loss", "max-level", "time-limit", "start", "levels"},
       {},
       true},
      {"mondrian",
       "top-down cuts",
       by_mondrian,
       {"recoding", "relaxed", "target", "time-limit"},
       kLosses,
       true},
      {"cluster-up",
       "near records joined bottom-up",
       by_clustering_up,
       {"recoding", "time-limit"},
       kLosses,
       true},
      {"cluster-down",
       "records parted top-down",
       by_clustering_down,
       {"recoding", "time-limit"},
       kLosses,
       true},
      {"microaggregate",
       "classes of near records that show their mean",
       by_microaggregation,
       {"recoding", "centre", "univariate"}},
      {"best",
       "whichever of mondrian, optimal, local and the clusterings loses least; after --time-limit "
       "seconds (60) no other is begun",
       best_of_methods,
       {"recoding", "time-limit"},
       {metric_names().begin(), metric_names().end()},
       true},
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

}  // namespace pratique::tables
