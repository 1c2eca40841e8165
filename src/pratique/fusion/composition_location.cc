#include "pratique/fusion/composition_location.h"

#include <algorithm>
#include <map>
#include <optional>

#include "pratique/fusion/internal/nearest_classes.h"
#include "pratique/tables/attack/containment_index.h"

namespace pratique::fusion {
namespace {

using tables::ClassId;
using tables::ContainmentIndex;
using tables::EquivalenceClasses;

// Candidates by distinct target become candidate sets by target.
LocatedTargets sets_of(const std::vector<std::vector<ClassId>>& candidates,
                       const EquivalenceClasses& alike, std::size_t classes, Locating by) {
  LocatedTargets located;
  located.by = by;
  located.class_count = classes;
  std::map<std::vector<ClassId>, std::uint32_t> joined;
  std::vector<std::uint32_t> set_of(candidates.size(), LocatedTargets::kNowhere);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].empty()) continue;
    if (candidates[i].size() == 1) {
      set_of[i] = candidates[i].front();
      continue;
    }
    const auto [place, added] =
        joined.emplace(candidates[i], static_cast<std::uint32_t>(located.sets()));
    if (added) located.joined.push_back(candidates[i]);
    set_of[i] = place->second;
  }
  located.set_of.resize(alike.rows());
  for (std::size_t row = 0; row < alike.rows(); ++row) {
    located.set_of[row] = set_of[alike.class_of(row)];
  }
  return located;
}

}  // namespace

LocatedTargets locate(const CountedTable& release, const EquivalenceClasses& classes,
                      const Table& targets, const std::vector<std::string>& columns,
                      const tables::Hierarchies& hierarchies, Locating how, Progress& progress) {
  std::vector<ContainmentIndex::LinkedColumn> linked;
  for (const auto& name : columns) {
    const auto tree = hierarchies.find(name);
    linked.push_back({&release.table.column(name), &targets.column(name),
                      tree == hierarchies.end() ? nullptr : tree->second});
  }
  const auto alike = EquivalenceClasses::of(targets, tables::column_indices(targets, columns));
  const auto suppressed = tables::suppressed_class(
      release.table, tables::column_indices(release.table, columns), classes);
  std::vector<std::vector<ClassId>> candidates(alike.count());

  if (how != Locating::nearest) {
    const ContainmentIndex index(linked, classes.representatives(), alike.representatives(),
                                 progress);
    index.for_each_original(
        [&](std::size_t original, std::span<const ClassId> containing) {
          auto& candidate_classes = candidates[original];
          candidate_classes.assign(containing.begin(), containing.end());
          if (candidate_classes.size() > 1) {
            if (suppressed) std::erase(candidate_classes, *suppressed);
            std::sort(candidate_classes.begin(), candidate_classes.end());
          }
        },
        progress);
    std::size_t located = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (!candidates[i].empty()) located += alike.size(static_cast<ClassId>(i));
    }
    if (how == Locating::containing || 2 * located >= targets.rows() ||
        !internal::shows_centroids(linked)) {
      return sets_of(candidates, alike, classes.count(), Locating::containing);
    }
  }
  internal::NearestClasses(linked, classes, tables::records_per_class(classes, release))
      .find(alike.representatives(), candidates, progress);
  return sets_of(candidates, alike, classes.count(), Locating::nearest);
}

}  // namespace pratique::fusion
