#include "pratique/tables/metric/query_error.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <functional>
#include <map>
#include <memory>
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

// Rows in the order of the codes of a column: a query looks only at those whose code in it counts.
struct RowsByCode {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> starts;  // by code, and the end

  RowsByCode(const CountedColumn& column, std::size_t count)
      : rows(count), starts(column.distinct + 1, 0) {
    for (std::size_t i = 0; i < count; ++i) ++starts[column.at(i) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    auto next = starts;
    for (std::size_t i = 0; i < count; ++i)
      rows[next[column.at(i)]++] = static_cast<std::uint32_t>(i);
  }
};

// The original table, or the release: by column, sensitive ones behind the quasi-identifiers.
struct CountedRows {
  std::vector<CountedColumn> columns;
  const std::vector<std::uint64_t>& counts;
  std::map<std::size_t, std::unique_ptr<RowsByCode>> by_code = {};  // of some columns

  // Where the columns have too many possible combinations to count each, rows are gone through.
  [[nodiscard]] bool are_combined(const std::vector<std::size_t>& asked) const {
    std::size_t cells = 1;
    for (const std::size_t c : asked) {
      cells = cells > kMostCells ? cells : cells * std::max<std::size_t>(1, columns[c].distinct);
    }
    return cells <= kMostCells;
  }
  // The one with the most codes.
  [[nodiscard]] std::size_t widest(const std::vector<std::size_t>& asked) const {
    return *std::max_element(asked.begin(), asked.end(), [&](std::size_t a, std::size_t b) {
      return columns[a].distinct < columns[b].distinct;
    });
  }
};

// The combinations of codes in some columns, and how many records have each: what all queries on
// these columns are answered from. Where there are too many of them, every row is one.
class Combinations {
 public:
  Combinations(const CountedRows& rows, std::vector<std::size_t> asked)
      : rows_(rows), asked_(std::move(asked)) {
    const std::size_t widest = rows.widest(asked_);
    first_ =
        static_cast<std::size_t>(std::find(asked_.begin(), asked_.end(), widest) - asked_.begin());
    if (!rows.are_combined(asked_)) {
      by_code_ = rows.by_code.at(widest).get();
      return;
    }
    count_cells();
    own_by_code_.emplace(CountedColumn{&codes_[first_], nullptr, rows.columns[widest].distinct},
                         records_.size());
    by_code_ = &*own_by_code_;
  }
  Combinations(const Combinations&) = delete;
  Combinations& operator=(const Combinations&) = delete;

  // By column asked for and code: how much of a record with it counts.
  [[nodiscard]] double weigh(const std::vector<std::vector<double>>& weights) const {
    const bool own = own_by_code_.has_value();
    double sum = 0;
    const auto& first = weights[first_];
    for (std::size_t code = 0; code < first.size(); ++code) {
      if (first[code] == 0) continue;
      for (std::size_t i = by_code_->starts[code]; i < by_code_->starts[code + 1]; ++i) {
        const std::uint32_t row = by_code_->rows[i];
        double records = static_cast<double>(own ? records_[row] : rows_.counts[row]) * first[code];
        for (std::size_t c = 0; c < weights.size(); ++c) {
          if (c == first_) continue;
          records *= weights[c][own ? codes_[c][row] : rows_.columns[asked_[c]].at(row)];
        }
        sum += records;
      }
    }
    return sum;
  }

 private:
  void count_cells() {
    std::size_t cells = 1;
    for (const std::size_t c : asked_) cells *= std::max<std::size_t>(1, rows_.columns[c].distinct);
    std::vector<std::size_t> place(rows_.counts.size(), 0);
    for (const std::size_t c : asked_) {
      const CountedColumn& column = rows_.columns[c];
      for (std::size_t i = 0; i < place.size(); ++i) {
        place[i] = place[i] * column.distinct + column.at(i);
      }
    }
    std::vector<std::uint64_t> sums(cells, 0);
    for (std::size_t i = 0; i < place.size(); ++i) sums[place[i]] += rows_.counts[i];
    codes_.resize(asked_.size());
    for (std::size_t cell = 0; cell < cells; ++cell) {
      if (sums[cell] == 0) continue;
      records_.push_back(sums[cell]);
      std::size_t rest = cell;
      for (std::size_t c = asked_.size(); c-- > 0;) {
        const std::size_t distinct = rows_.columns[asked_[c]].distinct;
        codes_[c].push_back(static_cast<Code>(rest % distinct));
        rest /= distinct;
      }
    }
  }

  const CountedRows& rows_;
  std::vector<std::size_t> asked_;
  std::size_t first_;  // of those asked for: whose codes are gone through
  const RowsByCode* by_code_ = nullptr;
  // Of combinations that were counted.
  std::vector<std::vector<Code>> codes_;  // by column asked for
  std::vector<std::uint64_t> records_;
  std::optional<RowsByCode> own_by_code_;
};

// By column and code: how much of a record with it counts.
using Weights = std::vector<std::vector<double>>;

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

// The leaves that the cells of an attribute stand for.
class Coverage {
 public:
  explicit Coverage(std::vector<std::vector<RankSpan>> spans) : spans_(std::move(spans)) {
    for (const auto& cell : spans_)
      only_.push_back(cell.size() == 1 ? cell.front() : RankSpan{.first = 1, .last = 0});
  }
  [[nodiscard]] std::size_t cells() const { return spans_.size(); }
  [[nodiscard]] double share_within(Code cell, const RankSpan& asked) const {
    const RankSpan& only = only_[cell];
    if (only.first > only.last) return tables::share_within(spans_[cell], asked.first, asked.last);
    const auto low = std::max(only.first, asked.first);
    const auto high = std::min(only.last, asked.last);
    return low > high ? 0 : static_cast<double>(high - low + 1) / static_cast<double>(only.size());
  }

 private:
  std::vector<std::vector<RankSpan>> spans_;
  std::vector<RankSpan> only_;  // of cells that are one span; else it ends before it begins
};

bool is_in(const std::vector<RankSpan>& spans, std::uint32_t rank) {
  return std::any_of(spans.begin(), spans.end(),
                     [&](const RankSpan& span) { return span.first <= rank && rank <= span.last; });
}

CountedRows original_rows(const ProtectionInput& input) {
  CountedRows rows{{}, *input.counts};
  for (const Attribute& attribute : input.attributes)
    rows.columns.push_back({&attribute.column->codes, nullptr, attribute.distinct()});
  for (const Column* column : input.sensitive)
    rows.columns.push_back({&column->codes, nullptr, column->dictionary.size()});
  return rows;
}

CountedRows released_rows(const ProtectionInput& input, const Recoding& recoding) {
  CountedRows rows{{}, recoding.counts};
  for (const RecodedColumn& column : recoding.columns)
    rows.columns.push_back({&column.codes, nullptr, column.values.size()});
  for (const Column* column : input.sensitive)
    rows.columns.push_back({&column->codes, &recoding.groups, column->dictionary.size()});
  return rows;
}

class Answers {
 public:
  Answers(const ProtectionInput& input, const std::vector<Coverage>& coverage, const Asked& asked,
          const CountedRows& original, const CountedRows& released)
      : input_(input),
        coverage_(coverage),
        asked_(asked),
        actual_(original, columns_of(input, asked)),
        released_(released, columns_of(input, asked)) {}

  // Where they stand in CountedRows.
  static std::vector<std::size_t> columns_of(const ProtectionInput& input, const Asked& asked) {
    auto columns = asked.attributes;
    if (asked.sensitive) columns.push_back(input.attributes.size() + *asked.sensitive);
    return columns;
  }

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
    return actual_.weigh(weights);
  }
  [[nodiscard]] double estimated(const CountQuery& query) const {
    Weights weights;
    for (const std::size_t a : asked_.attributes) {
      auto& weight = weights.emplace_back(coverage_[a].cells(), 1.0);
      for (const auto& [attribute, spans] : query.predicates) {
        if (attribute != a) continue;
        for (Code cell = 0; cell < weight.size(); ++cell) {
          double share = 0;
          for (const auto& span : spans) share += coverage_[a].share_within(cell, span);
          weight[cell] *= share;
        }
      }
    }
    weigh_sensitive(query, weights);
    return released_.weigh(weights);
  }

 private:
  void weigh_sensitive(const CountQuery& query, Weights& weights) const {
    if (!asked_.sensitive) return;
    weights.emplace_back(input_.sensitive[*asked_.sensitive]->dictionary.size(), 0.0);
    weights.back()[query.sensitive->second] = 1;
  }

  const ProtectionInput& input_;
  const std::vector<Coverage>& coverage_;
  const Asked& asked_;
  Combinations actual_;
  Combinations released_;
};

// Puts the rows in the orders that these sets of columns need.
void put_in_orders(const ProtectionInput& input,
                   const std::vector<std::pair<Asked, std::vector<std::size_t>>>& sets,
                   const std::vector<CountedRows*>& tables) {
  std::vector<std::function<void()>> tasks;
  for (CountedRows* rows : tables) {
    for (const auto& [asked, queries] : sets) {
      const auto columns = Answers::columns_of(input, asked);
      if (rows->are_combined(columns)) continue;
      const auto [place, fresh] = rows->by_code.try_emplace(rows->widest(columns));
      if (!fresh) continue;
      tasks.emplace_back([rows, column = place->first, &order = place->second] {
        order = std::make_unique<RowsByCode>(rows->columns[column], rows->counts.size());
      });
    }
  }
  parallel_tasks(tasks);
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
  std::vector<Coverage> coverage;
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const CellReader reader(input.attributes[a]);
    coverage.emplace_back(reader.spans_of_all(recoding.columns[a].values));
  }
  progress.begin("asking queries", workload.size());
  std::map<Asked, std::vector<std::size_t>> by_columns;
  for (std::size_t q = 0; q < workload.size(); ++q) by_columns[asked_by(workload[q])].push_back(q);
  const std::vector<std::pair<Asked, std::vector<std::size_t>>> sets(by_columns.begin(),
                                                                     by_columns.end());
  CountedRows original = original_rows(input);
  CountedRows released = released_rows(input, recoding);
  put_in_orders(input, sets, {&original, &released});
  std::vector<double> errors(workload.size(), std::nan(""));
  parallel_blocks(sets.size(), 1, [&](std::size_t set, std::size_t) {
    const auto& [asked, queries] = sets[set];
    const Answers answers(input, coverage, asked, original, released);
    parallel_blocks(queries.size(), 1, [&, &those = queries](std::size_t i, std::size_t) {
      const std::size_t q = those[i];
      const double actual = answers.actual(workload[q]);
      if (actual > 0) errors[q] = std::abs(actual - answers.estimated(workload[q])) / actual;
    });
    progress.advance(queries.size());
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
