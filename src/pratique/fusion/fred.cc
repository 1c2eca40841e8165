#include "pratique/fusion/fred.h"

#include <algorithm>

namespace pratique::fusion {

LevelUtility level_utility(const tables::Recoding& recoding) {
  std::vector<double> sizes(recoding.class_count, 0);
  double records = 0;
  for (std::size_t i = 0; i < recoding.class_of.size(); ++i) {
    sizes[recoding.class_of[i]] += static_cast<double>(recoding.counts[i]);
    records += static_cast<double>(recoding.counts[i]);
  }
  double discernibility = 0;
  double squares = 0;
  for (const double size : sizes) {
    if (size <= 0) continue;
    discernibility += size * size;
    squares += size / (size * size);  // each record of the class: (1 / size)^2
  }
  if (records <= 0) return {};
  return {1 / discernibility, squares / records};
}

Fred fred(const tables::ProtectionInput& input, tables::AnonymisationLevels::Method method,
          const FredOptions& options,
          const std::function<LevelAttack(const tables::Recoding&)>& attack, Progress& progress) {
  std::uint64_t records = 0;
  for (const auto count : *input.counts) records += count;
  const std::uint64_t last = std::min(records, options.largest_k.value_or(records));
  tables::AnonymisationLevels levels(input, method);
  Fred scan;
  for (std::uint64_t k = 2; k <= last; ++k) {
    const double most_useful = 1 / (static_cast<double>(records) * static_cast<double>(k));
    // The first level is always tried: there is something to say of it.
    scan.utility_ended_it = k > 2 && most_useful < options.utility;
    if (scan.utility_ended_it) break;
    tables::Recoding recoding = levels.at(k, progress);
    FredLevel level;
    level.k = k;
    level.classes = recoding.class_count;
    level.attack = attack(recoding);
    const LevelUtility utility = level_utility(recoding);
    level.utility = utility.of_release;
    level.h = options.w1 * level.attack.dissimilarity + options.w2 * utility.mean_square;
    level.weighted_sum = options.w1 * level.attack.dissimilarity + options.w2 * utility.of_release;
    const bool useful = level.utility >= options.utility;
    level.admitted = useful && level.attack.dissimilarity >= options.protection;
    const std::size_t here = scan.levels.size();
    scan.levels.push_back(level);
    if (level.admitted) {
      if (!scan.best || level.h > scan.levels[*scan.best].h) {
        scan.best = here;
        scan.recoding = std::move(recoding);
      }
      if (!scan.best_sum || level.weighted_sum > scan.levels[*scan.best_sum].weighted_sum) {
        scan.best_sum = here;
      }
      if (!scan.least) scan.least = here;
    }
    const FredLevel& nearest = scan.levels[scan.nearest];
    const bool nearest_is_useful = nearest.utility >= options.utility;
    if (useful &&
        (!nearest_is_useful || level.attack.dissimilarity > nearest.attack.dissimilarity)) {
      scan.nearest = here;
    }
  }
  return scan;
}

}  // namespace pratique::fusion
