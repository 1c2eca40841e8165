#include "pratique/tables/method/internal/class_suppression.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "pratique/core/error.h"
#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/method/internal/class_order.h"
#include "pratique/tables/method/internal/nearest_bound.h"
#include "pratique/tables/method/internal/search_time.h"
#include "pratique/tables/method/internal/trimming.h"
#include "pratique/tables/method/internal/unsatisfied.h"
#include "pratique/tables/method/optimal.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/model/k_anonymity.h"

namespace pratique::tables::internal {
namespace {

constexpr std::uint64_t kSmallTable = 1000;  // records
constexpr std::uint64_t kEverySize = 200;    // of a table of so few records
constexpr std::uint64_t kOrders = 3;         // of the same classes

// The sizes of classes that orders are made of, for tables of so many records.
std::vector<std::uint64_t> sizes_of_classes(std::uint64_t records, std::uint64_t least) {
  std::vector<std::uint64_t> sizes;
  if (records <= kEverySize) {
    for (std::uint64_t size = 1; size <= records; ++size) sizes.push_back(size);
  } else {
    sizes = {1,  2,  3,  4,  5,  6,  7,  8,   9,   10,  11,  12,
             15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500};
  }
  if (std::find(sizes.begin(), sizes.end(), least) == sizes.end()) sizes.push_back(least);
  std::sort(sizes.begin(), sizes.end());
  // Where no two classes have so many, there is one class, which is always tried.
  std::erase_if(sizes, [&](std::uint64_t size) { return size < least || 2 * size > records; });
  return sizes;
}

double loss_by(const ClassMethod& by, const ProtectionInput& input, const Recoding& recoding) {
  return by.loss == Loss::ncp ? normalized_certainty_penalty(input, recoding)
                              : loss_metric(input, recoding);
}

// So many of each group, when of every value of a column no more than so many may stay. Who goes is
// spread over the groups.
std::vector<std::uint64_t> with_at_most(const ProtectionInput& input, const Column& column,
                                        std::uint64_t most) {
  const auto& counts = *input.counts;
  std::vector<std::uint64_t> having(column.dictionary.size(), 0);
  for (std::size_t group = 0; group < counts.size(); ++group)
    having[column.codes[group]] += counts[group];
  std::vector<std::uint64_t> seen(having.size(), 0);
  std::vector<std::uint64_t> left = counts;
  const auto gone_of = [&](Code value, std::uint64_t first) {
    const auto surplus = static_cast<double>(having[value] - most);
    return static_cast<std::uint64_t>(static_cast<double>(first) * surplus /
                                      static_cast<double>(having[value]));
  };
  for (std::size_t group = 0; group < counts.size(); ++group) {
    const Code value = column.codes[group];
    if (having[value] <= most || counts[group] == 0) continue;
    const std::uint64_t before = gone_of(value, seen[value]);
    seen[value] += counts[group];
    const std::uint64_t now =
        seen[value] == having[value] ? having[value] - most : gone_of(value, seen[value]);
    left[group] -= now - before;
  }
  return left;
}

// Without records of the most frequent values of one column: as few as make one class of all others
// satisfy the models. Nothing where that is too many, or does not help.
std::optional<std::vector<std::uint64_t>> without_frequent(const ProtectionInput& input,
                                                           const Models& models,
                                                           std::uint64_t allowed) {
  ModelCheck check(input, models);
  const auto holds = [&](const std::vector<std::uint64_t>& counts) {
    check.counter().clear();
    for (std::uint32_t group = 0; group < counts.size(); ++group) {
      if (counts[group] > 0) check.counter().add(group, counts[group]);
    }
    return check.holds();
  };
  const std::uint64_t records = records_of(input);
  const auto gone_with = [&](const std::vector<std::uint64_t>& counts) {
    return records - std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  };
  std::optional<std::vector<std::uint64_t>> fewest;
  for (const Column* column : input.sensitive) {
    std::uint64_t low = 0;
    std::uint64_t high = records;
    // From the largest number on that makes it hold, as far as halving can tell.
    while (high - low > 1) {
      const std::uint64_t most = low + (high - low) / 2;
      (holds(with_at_most(input, *column, most)) ? low : high) = most;
    }
    if (low == 0) continue;
    auto left = with_at_most(input, *column, low);
    if (gone_with(left) > allowed || !holds(left)) continue;
    if (!fewest || gone_with(left) < gone_with(*fewest)) fewest = std::move(left);
  }
  return fewest;
}

// Without the records of which the full-domain node that leaves out fewest leaves them out. Where a
// union of classes satisfies the models, the others do so as one class.
std::optional<std::vector<std::uint64_t>> of_node_that_fits(const ProtectionInput& input,
                                                            const Models& models,
                                                            const Method& method,
                                                            Progress& progress) {
  // It is enough to come near; and the same whatever the machine.
  constexpr std::uint64_t kNodes = 2000;
  const auto node = optimal_node(input, models,
                                 {.suppression = method.suppression,
                                  .metric = LevelMetric::suppressed,
                                  .largest_lattice = kNodes,
                                  .best_effort_nodes = kNodes},
                                 progress);
  if (!node) return std::nullopt;
  const Recoding kept = apply_levels(input, node->levels, models);
  std::vector<std::uint64_t> counts(input.groups(), 0);
  for (std::size_t i = 0; i < kept.groups.size(); ++i) counts[kept.groups[i]] = kept.counts[i];
  return counts;
}

Recoding of_those_that_fit(const ProtectionInput& input, const Models& models, const Method& method,
                           const ClassMethod& by, Progress& progress) {
  const std::uint64_t allowed = most_suppressed(input, method.suppression);
  std::optional<Recoding> best;
  for (const auto& counts : {without_frequent(input, models, allowed),
                             of_node_that_fits(input, models, method, progress)}) {
    if (!counts) continue;
    ProtectionInput rest = input;
    rest.counts = &*counts;
    Recoding recoding = by.run(rest, models);
    recoding.suppressed = records_of(input) - records_of(rest);
    if (!best || loss_by(by, input, recoding) < loss_by(by, input, *best))
      best = std::move(recoding);
  }
  if (!best) throw_unsatisfied(input, models);
  return std::move(*best);
}

RecodingRuns runs_of(const ProtectionInput& input, const std::vector<std::vector<Items>>& runs) {
  RecodingRuns by_group;
  by_group.run_of.resize(input.groups(), 0);
  by_group.member_of.resize(input.groups(), 0);
  std::vector<bool> seen(input.groups(), false);
  for (std::uint32_t run = 0; run < runs.size(); ++run) {
    for (std::uint32_t member = 0; member < runs[run].size(); ++member) {
      for (const Item& item : runs[run][member]) {
        by_group.run_of[item.group] = seen[item.group] ? RecodingRuns::kSeveral : run;
        by_group.member_of[item.group] = member;
        seen[item.group] = true;
      }
    }
  }
  return by_group;
}

}  // namespace

bool reads_orders(const ProtectionInput& input, const Models& models, const ClassMethod& by) {
  return by.least_loss && records_of(input) <= kSmallTable && !need_population(models) &&
         all_monotone(models) &&
         std::all_of(input.attributes.begin(), input.attributes.end(),
                     [](const auto& attribute) { return std::isinf(attribute.most_leaves); });
}

Protected from_orders(const ProtectionInput& input, const Models& models, const Method& method,
                      const ClassMethod& by, Progress& progress) {
  const SearchTime time(method.time_limit, progress);
  const std::uint64_t records = records_of(input);
  const std::uint64_t least = std::max<std::uint64_t>(1, least_records(models));
  const std::uint64_t allowed = most_suppressed(input, method.suppression);
  const LossSpace space(input, by.style, by.loss);
  ClassCost cost(input, by.style, by.loss, by.centres);
  // Whatever the models look at.
  const auto& secrets = method.measured != nullptr ? method.measured->sensitive : input.sensitive;
  Protected released;
  std::optional<RunsOfClasses> best;
  const auto look_at = [&](const std::vector<Items>& members) {
    for (std::uint64_t variant = 0; variant < kOrders; ++variant) {
      const ClassOrder order(input, secrets, space, members, variant);
      auto runs = order.best(models, allowed, cost);
      if (runs && (!best || runs->loss < best->loss)) best = std::move(runs);
      if (members.size() < 3) return;  // they have one order
    }
  };
  const Items all = all_items(input);
  if (!all.empty()) look_at({all});
  const auto sizes = sizes_of_classes(records, least);
  const auto cells = static_cast<double>(records * input.attributes.size());
  for (const std::uint64_t size : sizes) {
    if (time.is_over() && size != sizes.front()) {
      released.ended_early = true;
      released.note = time.words();
      break;
    }
    // No release with classes of this size, or larger, can be better.
    if (best && by.writes_boxes && size != sizes.front() && records > kEverySize &&
        nearest_bound(input, size, by.style, by.loss, progress) * cells >= best->loss)
      break;
    look_at(classes_in(by.run(input, {k_anonymity(size)})));
  }
  if (!best && all.empty()) best.emplace();
  if (!best) throw_unsatisfied(input, models);
  released.recoding = by.write(best->classes);
  released.recoding.suppressed = best->suppressed;
  released.runs = runs_of(input, best->members);
  return released;
}

Protected with_suppression(const ProtectionInput& input, const Models& models, const Method& method,
                           const ClassMethod& by, Progress& progress) {
  if (reads_orders(input, models, by)) return from_orders(input, models, method, by, progress);
  if (method.suppression <= 0) return {.recoding = by.run(input, models)};
  Protected released;
  try {
    released.recoding = by.run(input, models);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::check_failed) throw;
    released.recoding = of_those_that_fit(input, models, method, by, progress);
  }
  // Cells that became equal would have to be mended again.
  if (need_population(models) || !all_monotone(models)) return released;
  const std::uint64_t out = released.recoding.suppressed;
  const std::uint64_t allowed = most_suppressed(input, method.suppression) - out;
  const auto classes = classes_in(released.recoding);
  const LossSpace space(input, by.style, by.loss);
  double least = loss_by(by, input, released.recoding);
  // Where cells lose something else than their class's box, more may be worse: then what less
  // suppression would have tried is tried, too.
  for (std::uint64_t most = by.writes_boxes ? allowed : 1; most > 0 && most <= allowed; most *= 2) {
    auto fewer = classes;
    const std::uint64_t trimmed = trim(fewer, input, models, space, most);
    if (trimmed == 0 && by.writes_boxes) break;
    Recoding recoding = by.write(fewer);
    recoding.suppressed = out + trimmed;
    const double loses = loss_by(by, input, recoding);
    if (loses >= least) continue;
    least = loses;
    released.recoding = std::move(recoding);
  }
  return released;
}

}  // namespace pratique::tables::internal
