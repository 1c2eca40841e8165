#include "pratique/tables/query_error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pratique/core/parallel.h"
#include "pratique/core/random.h"

namespace pratique::tables {
namespace {

double actual_count(const ProtectionInput& input, const CountQuery& query) {
  double count = 0;
  for (std::size_t group = 0; group < input.groups(); ++group) {
    if ((*input.counts)[group] == 0) continue;
    if (query.sensitive &&
        input.sensitive[query.sensitive->first]->codes[group] != query.sensitive->second) {
      continue;
    }
    const bool matches =
        std::all_of(query.predicates.begin(), query.predicates.end(), [&](const auto& predicate) {
          const Attribute& attribute = input.attributes[predicate.attribute];
          const std::uint32_t rank = attribute.rank[attribute.column->codes[group]];
          return predicate.span.first <= rank && rank <= predicate.span.last;
        });
    if (matches) count += static_cast<double>((*input.counts)[group]);
  }
  return count;
}

// By attribute and cell: the leaves it stands for.
using Coverage = std::vector<std::vector<std::vector<RankSpan>>>;

double estimated_count(const ProtectionInput& input, const Recoding& recoding,
                       const Coverage& coverage, const CountQuery& query) {
  std::vector<std::vector<double>> shares;  // by predicate and cell
  for (const auto& predicate : query.predicates) {
    shares.emplace_back();
    for (const auto& spans : coverage[predicate.attribute]) {
      shares.back().push_back(share_within(spans, predicate.span.first, predicate.span.last));
    }
  }
  double count = 0;
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    if (query.sensitive && input.sensitive[query.sensitive->first]->codes[recoding.groups[i]] !=
                               query.sensitive->second) {
      continue;
    }
    auto records = static_cast<double>(recoding.counts[i]);
    for (std::size_t p = 0; p < shares.size() && records > 0; ++p) {
      records *= shares[p][recoding.columns[query.predicates[p].attribute].codes[i]];
    }
    count += records;
  }
  return count;
}

}  // namespace

std::vector<CountQuery> generate_workload(const ProtectionInput& input,
                                          const WorkloadOptions& options) {
  std::vector<CountQuery> workload;
  const std::size_t width = std::min(options.attributes, input.attributes.size());
  if (input.groups() == 0 || width == 0) return workload;
  std::vector<std::size_t> order(input.attributes.size());
  std::iota(order.begin(), order.end(), 0);
  SeededRandom random(options.seed);
  while (workload.size() < options.queries) {
    const std::size_t group = random.below(input.groups());
    CountQuery query;
    random.shuffle(order);
    for (std::size_t p = 0; p < width; ++p) {
      const Attribute& attribute = input.attributes[order[p]];
      const std::uint32_t leaves = attribute.hierarchy->leaf_count();
      const auto length = static_cast<std::uint32_t>(
          std::max(1.0, std::round(options.selectivity * static_cast<double>(leaves))));
      const std::uint32_t rank = attribute.rank[attribute.column->codes[group]];
      query.predicates.push_back({order[p], {rank, std::min(leaves - 1, rank + length - 1)}});
    }
    if (!input.sensitive.empty() && random.chance(0.5)) {
      const std::size_t s = random.below(input.sensitive.size());
      query.sensitive = {s, input.sensitive[s]->codes[group]};
    }
    workload.push_back(std::move(query));
  }
  return workload;
}

double average_relative_error(const ProtectionInput& input, const Recoding& recoding,
                              const std::vector<CountQuery>& workload, Progress& progress) {
  Coverage coverage;
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const CellReader reader(input.attributes[a]);
    coverage.emplace_back();
    for (const auto& cell : recoding.columns[a].values)
      coverage.back().push_back(reader.spans(cell));
  }
  progress.begin("asking queries", workload.size());
  std::vector<double> errors(workload.size(), std::nan(""));
  parallel_blocks(workload.size(), 1, [&](std::size_t q, std::size_t) {
    const double actual = actual_count(input, workload[q]);
    if (actual > 0) {
      const double estimated = estimated_count(input, recoding, coverage, workload[q]);
      errors[q] = std::abs(actual - estimated) / actual;
    }
    progress.advance(1);
  });
  double sum = 0;
  std::size_t asked = 0;
  for (const double error : errors) {
    if (std::isnan(error)) continue;
    sum += error;
    ++asked;
  }
  return asked == 0 ? 0 : sum / static_cast<double>(asked);
}

}  // namespace pratique::tables
