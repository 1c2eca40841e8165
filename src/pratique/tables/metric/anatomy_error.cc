#include "pratique/tables/metric/anatomy_error.h"

#include <algorithm>
#include <cmath>

#include "pratique/core/parallel.h"

namespace pratique::tables {

double anatomy_relative_error(const ProtectionInput& input, const Recoding& groups,
                              const std::vector<CountQuery>& workload) {
  std::vector<double> sizes(groups.class_count, 0);
  for (std::size_t i = 0; i < groups.groups.size(); ++i)
    sizes[groups.class_of[i]] += static_cast<double>(groups.counts[i]);
  std::vector<double> errors(workload.size(), -1);  // less than 0: nobody was asked for
  const auto ask = [&](std::size_t q) {
    const CountQuery& query = workload[q];
    // By attribute of the query and code: whether the value is asked for.
    std::vector<std::vector<bool>> asked;
    for (const auto& predicate : query.predicates) {
      const Attribute& attribute = input.attributes[predicate.attribute];
      auto& codes = asked.emplace_back(attribute.distinct(), false);
      for (Code code = 0; code < codes.size(); ++code) {
        codes[code] =
            std::any_of(predicate.spans.begin(), predicate.spans.end(), [&](const RankSpan& span) {
              return attribute.rank[code] >= span.first && attribute.rank[code] <= span.last;
            });
      }
    }
    std::vector<double> matching(groups.class_count, 0);
    std::vector<double> with_value(groups.class_count, 0);
    double actual = 0;
    for (std::size_t i = 0; i < groups.groups.size(); ++i) {
      const auto row = groups.groups[i];
      const auto count = static_cast<double>(groups.counts[i]);
      bool fits = true;
      for (std::size_t p = 0; p < query.predicates.size() && fits; ++p)
        fits = asked[p][input.attributes[query.predicates[p].attribute].column->codes[row]];
      const bool has = !query.sensitive || input.sensitive[query.sensitive->first]->codes[row] ==
                                               query.sensitive->second;
      if (fits) matching[groups.class_of[i]] += count;
      if (has) with_value[groups.class_of[i]] += count;
      if (fits && has) actual += count;
    }
    if (actual == 0) return;
    double estimated = 0;
    for (std::size_t id = 0; id < sizes.size(); ++id)
      estimated += matching[id] * with_value[id] / sizes[id];
    errors[q] = std::abs(actual - estimated) / actual;
  };
  parallel_blocks(workload.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t q = begin; q < end; ++q) ask(q);
  });
  double sum = 0;
  std::size_t queries = 0;
  for (const double error : errors) {
    if (error < 0) continue;
    sum += error;
    ++queries;
  }
  return queries == 0 ? 0 : sum / static_cast<double>(queries);
}

}  // namespace pratique::tables
