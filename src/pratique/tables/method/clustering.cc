#include "pratique/tables/method/clustering.h"

#include <fmt/format.h>

#include "pratique/core/parallel.h"
#include "pratique/tables/method/internal/class_mending.h"
#include "pratique/tables/method/internal/clusters.h"
#include "pratique/tables/method/internal/mondrian_partition.h"
#include "pratique/tables/method/internal/search_time.h"
#include "pratique/tables/metric/metrics.h"

namespace pratique::tables {
namespace {

// Local search is most of the time: top-down is the quick method of the two.
struct Plan {
  bool bottom_up;
  int rounds;
  int passes;
};
constexpr Plan kUp{true, 2, 2};
constexpr Plan kDown{false, 1, 1};

// A class is about three groups.
constexpr std::size_t kGroupsPerClass = 3;

using BucketClasses = std::vector<Items>;  // classes

std::vector<Items> joined(std::vector<BucketClasses>& buckets) {
  std::vector<Items> classes;
  for (auto& bucket : buckets) {
    for (auto& items : bucket) classes.push_back(std::move(items));
  }
  return classes;
}

// Buckets with other borders, so that what a border kept apart can come together: whole classes are
// parted by where their first groups stand.
std::vector<BucketClasses> gather_anew(const ProtectionInput& input, const LossSpace& space,
                                       const ClusteringOptions& options, std::vector<Items> classes,
                                       Progress& progress) {
  MondrianOptions cutting;
  cutting.style = options.style;
  cutting.loss = options.loss;
  cutting.choice = MondrianOptions::Choice::widest;
  Items first_groups;
  std::vector<std::vector<std::uint32_t>> classes_of(input.groups());
  for (std::uint32_t c = 0; c < classes.size(); ++c) {
    const std::uint32_t group = classes[c].front().group;
    if (classes_of[group].empty()) first_groups.push_back({group, 1});
    classes_of[group].push_back(c);
  }
  const std::size_t enough = options.bucket / kGroupsPerClass + 1;
  const Models none;
  const auto parts =
      partition(input, none, space, cutting, std::move(first_groups), enough, progress);
  std::vector<BucketClasses> buckets(parts.size());
  for (std::size_t b = 0; b < parts.size(); ++b) {
    for (const Item& item : parts[b]) {
      for (const auto c : classes_of[item.group]) buckets[b].push_back(std::move(classes[c]));
    }
  }
  return buckets;
}

// By one round of local search, in buckets with other borders.
std::vector<Items> improved(const ProtectionInput& input, const Models& models,
                            const LossSpace& space, const ClusteringOptions& options, int passes,
                            std::vector<Items> classes, const internal::SearchTime& time,
                            Progress& progress) {
  auto buckets = gather_anew(input, space, options, std::move(classes), progress);
  progress.begin("improving", buckets.size());
  parallel_blocks(buckets.size(), 1, [&](std::size_t b, std::size_t) {
    if (!time.is_over()) {
      Clusterer clusterer(input, models, space, options.style, &time);
      clusterer.improve(buckets[b], passes);
    }
    progress.advance(1);
  });
  return joined(buckets);
}

std::vector<Items> clusters_of(const ProtectionInput& input, const Models& models,
                               const LossSpace& space, const ClusteringOptions& options,
                               const Plan& plan, Items items, Progress& progress) {
  MondrianOptions cutting;
  cutting.style = options.style;
  cutting.loss = options.loss;
  cutting.time = options.time;
  const std::size_t enough = options.bucket == 0 ? items.size() : options.bucket;
  progress.begin("cutting into buckets", items.size());
  const auto parts = partition(input, models, space, cutting, std::move(items), enough, progress);

  progress.begin("clustering", parts.size());
  std::vector<BucketClasses> buckets(parts.size());
  parallel_blocks(parts.size(), 1, [&](std::size_t b, std::size_t) {
    Clusterer clusterer(input, models, space, options.style, options.time);
    buckets[b] = plan.bottom_up ? clusterer.agglomerate(parts[b]) : clusterer.bisect(parts[b]);
    if (options.improve) clusterer.improve(buckets[b], plan.passes);
    progress.advance(1);
  });
  std::vector<Items> classes = joined(buckets);
  for (int round = 1; options.improve && options.bucket != 0 && round < plan.rounds; ++round) {
    const internal::SearchTime no_limit(std::nullopt, progress);
    classes = improved(input, models, space, options, plan.passes, std::move(classes),
                       options.time != nullptr ? *options.time : no_limit, progress);
  }
  return classes;
}

Recoding cluster(const ProtectionInput& input, const Models& models,
                 const ClusteringOptions& options, const Plan& plan, Progress& progress) {
  const LossSpace space(input, options.style, options.loss);
  const auto search = [&](const ProtectionInput& searched, Items records) {
    return clusters_of(searched, models, space, options, plan, std::move(records), progress);
  };
  return recoding_of(input, classes_by(search, input, models, space, options.style, progress),
                     options.style);
}

}  // namespace

Recoding improve_classes(const ProtectionInput& input, const Models& models,
                         const ClusteringOptions& options, const Recoding& start,
                         std::optional<double> time_limit, Progress& progress) {
  constexpr int kRounds = 12;
  constexpr double kWorthARound = 0.002;  // of the loss
  const internal::SearchTime time(time_limit, progress);
  const LossSpace space(input, options.style, options.loss);
  const auto loss_of = [&](const Recoding& recoding) {
    return options.loss == Loss::ncp ? normalized_certainty_penalty(input, recoding)
                                     : loss_metric(input, recoding);
  };
  Recoding best = start;
  double least = loss_of(best);
  auto classes = classes_in(start);
  ClusteringOptions buckets = options;
  for (int round = 0; round < kRounds && !time.is_over(); ++round) {
    // Borders fall elsewhere in buckets of another size.
    buckets.bucket = options.bucket + static_cast<std::size_t>(round) * options.bucket / 10;
    const auto keep_improving = [&](const ProtectionInput& searched, const Items&) {
      return improved(searched, models, space, buckets, 2, classes, time, progress);
    };
    auto better = classes_by(keep_improving, input, models, space, options.style, progress);
    Recoding recoding = recoding_of(input, better, options.style);
    recoding.suppressed = start.suppressed;
    const double loss = loss_of(recoding);
    const bool worth_it = loss < least * (1 - kWorthARound);
    if (loss < least) {
      best = std::move(recoding);
      least = loss;
      progress.tell(fmt::format("best {:.4g}", least));
    }
    if (!worth_it) break;
    classes = std::move(better);
  }
  return best;
}

Recoding cluster_up(const ProtectionInput& input, const Models& models,
                    const ClusteringOptions& options, Progress& progress) {
  return cluster(input, models, options, kUp, progress);
}

Recoding cluster_down(const ProtectionInput& input, const Models& models,
                      const ClusteringOptions& options, Progress& progress) {
  return cluster(input, models, options, kDown, progress);
}

}  // namespace pratique::tables
