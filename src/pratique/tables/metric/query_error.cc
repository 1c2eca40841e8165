#include "pratique/tables/metric/query_error.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <numeric>

#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"

namespace pratique::tables {
namespace {

constexpr std::size_t kMostCells = std::size_t{1} << 17U;

// A column of rows, each of which stands for some records.
struct CountedColumn {
  const std::vector<Code>* codes = nullptr;
  const std::vector<std::uint32_t>* rows = nullptr;  // where row i stands in codes; i when null
  std::size_t distinct = 0;

  [[nodiscard]] Code at(std::size_t i) const { return (*codes)[rows == nullptr ? i : (*rows)[i]]; }
};

// The combinations of codes in some columns, and how many records have each: what all queries on
// these columns are answered from. Where the columns have too many possible combinations to count
// them, every row is one. They stand in the order of the column with the most codes: a query looks
// only at those whose code in it counts.
struct Combinations {
  std::vector<std::vector<Code>> codes;  // by column
  std::vector<double> records;
  std::size_t sorted_by = 0;        // a column
  std::vector<std::size_t> starts;  // by code of it, and the end

  Combinations(const std::vector<CountedColumn>& columns, const std::vector<std::uint64_t>& counts)
      : codes(columns.size()) {
    std::size_t cells = 1;
    for (const auto& column : columns) {
      cells = cells > kMostCells ? cells : cells * std::max<std::size_t>(1, column.distinct);
    }
    if (cells <= kMostCells) {
      count_cells(columns, counts, cells);
    } else {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        codes[c].reserve(counts.size());
        for (std::size_t i = 0; i < counts.size(); ++i) codes[c].push_back(columns[c].at(i));
      }
      records.assign(counts.begin(), counts.end());
    }
    sort(columns);
  }

 private:
  void sort(const std::vector<CountedColumn>& columns) {
    for (std::size_t c = 1; c < columns.size(); ++c) {
      if (columns[c].distinct > columns[sorted_by].distinct) sorted_by = c;
    }
    starts.assign(columns[sorted_by].distinct + 1, 0);
    for (const Code code : codes[sorted_by]) ++starts[code + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<std::uint32_t> place(records.size());
    auto next = starts;
    for (std::size_t i = 0; i < place.size(); ++i)
      place[i] = static_cast<std::uint32_t>(next[codes[sorted_by][i]]++);
    const auto moved = [&](const auto& values) {
      auto sorted = values;
      for (std::size_t i = 0; i < place.size(); ++i) sorted[place[i]] = values[i];
      return sorted;
    };
    for (std::size_t c = 0; c < codes.size(); ++c) {
      // The codes that it is sorted by stand in `starts`.
      codes[c] = c == sorted_by ? std::vector<Code>() : moved(codes[c]);
    }
    records = moved(records);
  }

  void count_cells(const std::vector<CountedColumn>& columns,
                   const std::vector<std::uint64_t>& counts, std::size_t cells) {
    std::vector<std::size_t> place(counts.size(), 0);
    for (const auto& column : columns) {
      for (std::size_t i = 0; i < place.size(); ++i) {
        place[i] = place[i] * column.distinct + column.at(i);
      }
    }
    std::vector<std::uint64_t> sums(cells, 0);
    for (std::size_t i = 0; i < place.size(); ++i) sums[place[i]] += counts[i];
    for (std::size_t cell = 0; cell < cells; ++cell) {
      if (sums[cell] == 0) continue;
      records.push_back(static_cast<double>(sums[cell]));
      std::size_t rest = cell;
      for (std::size_t c = columns.size(); c-- > 0;) {
        codes[c].push_back(static_cast<Code>(rest % columns[c].distinct));
        rest /= columns[c].distinct;
      }
    }
  }
};

// By column and code: how much of a record with it counts.
using Weights = std::vector<std::vector<double>>;

double weigh(const Combinations& combinations, const Weights& weights) {
  double sum = 0;
  const auto& first = weights[combinations.sorted_by];
  for (std::size_t code = 0; code < first.size(); ++code) {
    if (first[code] == 0) continue;
    for (std::size_t i = combinations.starts[code]; i < combinations.starts[code + 1]; ++i) {
      double records = combinations.records[i] * first[code];
      for (std::size_t c = 0; c < weights.size(); ++c) {
        if (c != combinations.sorted_by) records *= weights[c][combinations.codes[c][i]];
      }
      sum += records;
    }
  }
  return sum;
}

// Queries that ask about the same columns.
struct Asked {
  std::vector<std::size_t> attributes;
  std::optional<std::size_t> sensitive;
  auto operator<=>(const Asked&) const = default;
};

Asked asked_by(const CountQuery& query) {
  Asked asked;
  for (const auto& predicate : query.predicates) asked.attributes.push_back(predicate.attribute);
  std::sort(asked.attributes.begin(), asked.attributes.end());
  asked.attributes.erase(std::unique(asked.attributes.begin(), asked.attributes.end()),
                         asked.attributes.end());
  if (query.sensitive) asked.sensitive = query.sensitive->first;
  return asked;
}

// By attribute and cell: the leaves it stands for.
using Coverage = std::vector<std::vector<std::vector<RankSpan>>>;

bool is_in(const std::vector<RankSpan>& spans, std::uint32_t rank) {
  return std::any_of(spans.begin(), spans.end(),
                     [&](const RankSpan& span) { return span.first <= rank && rank <= span.last; });
}

class Answers {
 public:
  Answers(const ProtectionInput& input, const Recoding& recoding, const Coverage& coverage,
          Asked asked)
      : input_(input),
        coverage_(coverage),
        asked_(std::move(asked)),
        actual_(original_columns(), *input.counts),
        released_(released_columns(recoding), recoding.counts) {}

  [[nodiscard]] double actual(const CountQuery& query) const {
    Weights weights;
    for (const std::size_t a : asked_.attributes) {
      const auto& ranks = input_.attributes[a].rank;
      auto& weight = weights.emplace_back(ranks.size(), 1.0);
      for (const auto& [attribute, spans] : query.predicates) {
        if (attribute != a) continue;
        for (Code code = 0; code < ranks.size(); ++code) {
          if (!is_in(spans, ranks[code])) weight[code] = 0;
        }
      }
    }
    weigh_sensitive(query, weights);
    return weigh(actual_, weights);
  }
  [[nodiscard]] double estimated(const CountQuery& query) const {
    Weights weights;
    for (const std::size_t a : asked_.attributes) {
      auto& weight = weights.emplace_back(coverage_[a].size(), 1.0);
      for (const auto& [attribute, spans] : query.predicates) {
        if (attribute != a) continue;
        for (Code cell = 0; cell < weight.size(); ++cell) {
          double share = 0;
          for (const auto& span : spans) {
            share += share_within(coverage_[a][cell], span.first, span.last);
          }
          weight[cell] *= share;
        }
      }
    }
    weigh_sensitive(query, weights);
    return weigh(released_, weights);
  }

 private:
  [[nodiscard]] std::vector<CountedColumn> original_columns() const {
    std::vector<CountedColumn> columns;
    for (const std::size_t a : asked_.attributes) {
      const Attribute& attribute = input_.attributes[a];
      columns.push_back({&attribute.column->codes, nullptr, attribute.distinct()});
    }
    add_sensitive(nullptr, columns);
    return columns;
  }
  [[nodiscard]] std::vector<CountedColumn> released_columns(const Recoding& recoding) const {
    std::vector<CountedColumn> columns;
    for (const std::size_t a : asked_.attributes) {
      const RecodedColumn& column = recoding.columns[a];
      columns.push_back({&column.codes, nullptr, column.values.size()});
    }
    add_sensitive(&recoding.groups, columns);
    return columns;
  }
  void add_sensitive(const std::vector<std::uint32_t>* rows,
                     std::vector<CountedColumn>& columns) const {
    if (!asked_.sensitive) return;
    const Column& column = *input_.sensitive[*asked_.sensitive];
    columns.push_back({&column.codes, rows, column.dictionary.size()});
  }
  void weigh_sensitive(const CountQuery& query, Weights& weights) const {
    if (!asked_.sensitive) return;
    weights.emplace_back(input_.sensitive[*asked_.sensitive]->dictionary.size(), 0.0);
    weights.back()[query.sensitive->second] = 1;
  }

  const ProtectionInput& input_;
  const Coverage& coverage_;
  Asked asked_;
  Combinations actual_;
  Combinations released_;
};

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
      query.predicates.push_back({order[p], {{rank, std::min(leaves - 1, rank + length - 1)}}});
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
  std::map<Asked, std::vector<std::size_t>> by_columns;
  for (std::size_t q = 0; q < workload.size(); ++q) by_columns[asked_by(workload[q])].push_back(q);
  const std::vector<std::pair<Asked, std::vector<std::size_t>>> sets(by_columns.begin(),
                                                                     by_columns.end());
  parallel_blocks(sets.size(), 1, [&](std::size_t set, std::size_t) {
    const Answers answers(input, recoding, coverage, sets[set].first);
    for (const std::size_t q : sets[set].second) {
      const double actual = answers.actual(workload[q]);
      if (actual > 0) {
        errors[q] = std::abs(actual - answers.estimated(workload[q])) / actual;
      }
    }
    progress.advance(sets[set].second.size());
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
