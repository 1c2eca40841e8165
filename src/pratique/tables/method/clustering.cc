#include "pratique/tables/method/clustering.h"

#include "pratique/core/parallel.h"
#include "pratique/tables/method/internal/clusters.h"
#include "pratique/tables/method/internal/mondrian_partition.h"
#include "pratique/tables/method/internal/population_fit.h"

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

std::vector<Items> clusters_of(const ProtectionInput& input, const Models& models,
                               const LossSpace& space, const ClusteringOptions& options,
                               const Plan& plan, Items items, Progress& progress) {
  MondrianOptions cutting;
  cutting.style = options.style;
  cutting.loss = options.loss;
  const std::size_t enough = options.bucket == 0 ? items.size() : options.bucket;
  progress.begin("cutting into buckets", items.size());
  const auto parts = partition(input, models, space, cutting, std::move(items), enough, progress);

  progress.begin("clustering", parts.size());
  std::vector<BucketClasses> buckets(parts.size());
  parallel_blocks(parts.size(), 1, [&](std::size_t b, std::size_t) {
    Clusterer clusterer(input, models, space, options.style);
    buckets[b] = plan.bottom_up ? clusterer.agglomerate(parts[b]) : clusterer.bisect(parts[b]);
    if (options.improve) clusterer.improve(buckets[b], plan.passes);
    progress.advance(1);
  });
  std::vector<Items> classes = joined(buckets);
  for (int round = 1; options.improve && options.bucket != 0 && round < plan.rounds; ++round) {
    buckets = gather_anew(input, space, options, std::move(classes), progress);
    progress.begin("improving", buckets.size());
    parallel_blocks(buckets.size(), 1, [&](std::size_t b, std::size_t) {
      Clusterer clusterer(input, models, space, options.style);
      clusterer.improve(buckets[b], plan.passes);
      progress.advance(1);
    });
    classes = joined(buckets);
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

Recoding cluster_up(const ProtectionInput& input, const Models& models,
                    const ClusteringOptions& options, Progress& progress) {
  return cluster(input, models, options, kUp, progress);
}

Recoding cluster_down(const ProtectionInput& input, const Models& models,
                      const ClusteringOptions& options, Progress& progress) {
  return cluster(input, models, options, kDown, progress);
}

}  // namespace pratique::tables
