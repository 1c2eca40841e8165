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
// these columns are answered from. Where there are too many of them, every row is one. They lie in
// the order of the codes of the widest column, so that a query reads a few stretches from end to
// end.
class Combinations {
 public:
  Combinations(const CountedRows& rows, const std::vector<std::size_t>& asked) {
    const std::size_t widest = rows.widest(asked);
    first_ =
        static_cast<std::size_t>(std::find(asked.begin(), asked.end(), widest) - asked.begin());
    if (!rows.are_combined(asked)) {
      take(*rows.by_code.at(widest), rows.counts, asked.size(),
           [&](std::size_t c, std::uint32_t row) { return rows.columns[asked[c]].at(row); });
      return;
    }
    std::vector<std::vector<Code>> codes(asked.size());
    std::vector<std::uint64_t> records;
    count_cells(rows, asked, codes, records);
    const RowsByCode order({&codes[first_], nullptr, rows.columns[widest].distinct},
                           records.size());
    take(order, records, asked.size(),
         [&](std::size_t c, std::uint32_t cell) { return codes[c][cell]; });
  }

  // By column asked for and code: how much of a record with it counts.
  [[nodiscard]] double weigh(const std::vector<std::vector<double>>& weights) const {
    std::vector<Factor> others;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      if (c != first_) others.push_back({weights[c].data(), codes_[c].data()});
    }
    double sum = 0;
    const auto& first = weights[first_];
    for (std::size_t code = 0; code < first.size(); ++code) {
      if (first[code] == 0) continue;
      sum += first[code] * weigh_stretch(starts_[code], starts_[code + 1], others);
    }
    return sum;
  }

 private:
  struct Factor {
    const double* of_code;
    const Code* codes;
    [[nodiscard]] double at(std::size_t i) const { return of_code[codes[i]]; }
  };

  // Nearly all queries are about one or two other columns.
  [[nodiscard]] double weigh_stretch(std::size_t begin, std::size_t end,
                                     const std::vector<Factor>& others) const {
    double sum = 0;
    if (others.size() == 1) {
      const Factor other = others[0];
      for (std::size_t i = begin; i < end; ++i) sum += records_[i] * other.at(i);
    } else if (others.size() == 2) {
      const Factor one = others[0];
      const Factor two = others[1];
      for (std::size_t i = begin; i < end; ++i) sum += records_[i] * one.at(i) * two.at(i);
    } else {
      for (std::size_t i = begin; i < end; ++i) {
        double records = records_[i];
        for (const Factor& other : others) records *= other.at(i);
        sum += records;
      }
    }
    return sum;
  }

  // Neighbours that are alike, as records of one class often are, become one.
  template <class CodeOf>
  void take(const RowsByCode& order, const std::vector<std::uint64_t>& records, std::size_t columns,
            const CodeOf& code_of) {
    codes_.resize(columns);
    starts_.reserve(order.starts.size());
    for (std::size_t code = 0; code + 1 < order.starts.size(); ++code) {
      starts_.push_back(records_.size());
      for (std::size_t i = order.starts[code]; i < order.starts[code + 1]; ++i) {
        const std::uint32_t row = order.rows[i];
        bool alike = records_.size() > starts_.back();
        for (std::size_t c = 0; c < columns && alike; ++c)
          alike = c == first_ || codes_[c].back() == code_of(c, row);
        if (alike) {
          records_.back() += static_cast<double>(records[row]);
          continue;
        }
        records_.push_back(static_cast<double>(records[row]));
        for (std::size_t c = 0; c < columns; ++c) {
          if (c != first_) codes_[c].push_back(code_of(c, row));
        }
      }
    }
    starts_.push_back(records_.size());
  }

  static void count_cells(const CountedRows& rows, const std::vector<std::size_t>& asked,
                          std::vector<std::vector<Code>>& codes,
                          std::vector<std::uint64_t>& records) {
    std::size_t cells = 1;
    for (const std::size_t c : asked) cells *= std::max<std::size_t>(1, rows.columns[c].distinct);
    std::vector<std::size_t> place(rows.counts.size(), 0);
    for (const std::size_t c : asked) {
      const CountedColumn& column = rows.columns[c];
      for (std::size_t i = 0; i < place.size(); ++i) {
        place[i] = place[i] * column.distinct + column.at(i);
      }
    }
    std::vector<std::uint64_t> sums(cells, 0);
    for (std::size_t i = 0; i < place.size(); ++i) sums[place[i]] += rows.counts[i];
    for (std::size_t cell = 0; cell < cells; ++cell) {
      if (sums[cell] == 0) continue;
      records.push_back(sums[cell]);
      std::size_t rest = cell;
      for (std::size_t c = asked.size(); c-- > 0;) {
        const std::size_t distinct = rows.columns[asked[c]].distinct;
        codes[c].push_back(static_cast<Code>(rest % distinct));
        rest /= distinct;
      }
    }
  }

  std::size_t first_;                // of the columns asked for: whose codes are gone through
  std::vector<std::size_t> starts_;  // by its code, and the end
  std::vector<double> records_;
  std::vector<std::vector<Code>> codes_;  // by column asked for; of the first none
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
  explicit Coverage(const CellSpans& spans) {
    hulls_.reserve(spans.size());
    for (const auto& cell : spans) {
      begins_.push_back(spans_.size());
      leaves_.push_back(static_cast<double>(leaves_in(cell)));
      spans_.insert(spans_.end(), cell.begin(), cell.end());
      hulls_.push_back(cell.empty() ? RankSpan{.first = 1, .last = 0}
                                    : RankSpan{cell.front().first, cell.back().last});
    }
    begins_.push_back(spans_.size());
  }
  [[nodiscard]] std::size_t cells() const { return hulls_.size(); }
  [[nodiscard]] double share_within(Code cell, const RankSpan& asked) const {
    const RankSpan& hull = hulls_[cell];
    if (hull.last < asked.first || asked.last < hull.first || hull.last < hull.first) return 0;
    std::uint64_t inside = 0;
    for (std::size_t i = begins_[cell]; i < begins_[cell + 1]; ++i) {
      const auto low = std::max(spans_[i].first, asked.first);
      const auto high = std::min(spans_[i].last, asked.last);
      if (low <= high) inside += high - low + 1;
    }
    return static_cast<double>(inside) / leaves_[cell];
  }

 private:
  std::vector<RankSpan> hulls_;  // by cell: from its first leaf to its last; none ends before it
  std::vector<double> leaves_;   // by cell: how many it stands for
  std::vector<std::size_t> begins_;  // by cell, and the end
  std::vector<RankSpan> spans_;
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

std::vector<CellSpans> spans_of_cells(const ProtectionInput& input, const Recoding& recoding) {
  std::vector<CellSpans> spans;
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const CellReader reader(input.attributes[a]);
    spans.push_back(reader.spans_of_all(recoding.columns[a].values));
  }
  return spans;
}

double average_relative_error(const ProtectionInput& input, const Recoding& recoding,
                              const std::vector<CountQuery>& workload, Progress& progress) {
  return average_relative_error(input, recoding, workload, spans_of_cells(input, recoding),
                                progress);
}

double average_relative_error(const ProtectionInput& input, const Recoding& recoding,
                              const std::vector<CountQuery>& workload,
                              const std::vector<CellSpans>& spans, Progress& progress) {
  const std::vector<Coverage> coverage(spans.begin(), spans.end());
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
