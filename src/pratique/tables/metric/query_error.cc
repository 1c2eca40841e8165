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
constexpr std::size_t kQueriesAtOnce = 10;

// A column of rows, each of which stands for some records. Its codes have places, those that a
// query asks for next to each other.
struct CountedColumn {
  const std::vector<Code>* codes = nullptr;
  const std::vector<std::uint32_t>* rows = nullptr;  // where row i stands in codes; i when null
  std::size_t distinct = 0;
  const std::vector<Code>* places = nullptr;  // by code; the code itself when null

  [[nodiscard]] Code at(std::size_t i) const {
    const Code code = (*codes)[rows == nullptr ? i : (*rows)[i]];
    return places == nullptr ? code : (*places)[code];
  }
};

// How much of a record with each place of a column counts: from a first place on, elsewhere 0.
struct Weight {
  std::size_t begin = 0;
  std::vector<double> of;
};
using Weights = std::vector<Weight>;  // by column

// Codes in the order of their keys.
struct Places {
  std::vector<Code> of;  // by code
  std::vector<Code> at;  // by place

  explicit Places(const std::vector<std::uint32_t>& keys) : of(keys.size()) {
    std::vector<std::uint64_t> order;
    order.reserve(keys.size());
    for (Code code = 0; code < keys.size(); ++code)
      order.push_back(std::uint64_t{keys[code]} << 32U | code);
    std::sort(order.begin(), order.end());
    at.reserve(keys.size());
    for (const std::uint64_t entry : order) {
      of[static_cast<Code>(entry)] = static_cast<Code>(at.size());
      at.push_back(static_cast<Code>(entry));
    }
  }
};

// Rows in the order of the places of a column: a query looks only at those whose place in it
// counts.
struct RowsByPlace {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> starts;  // by place, and the end

  RowsByPlace(const CountedColumn& column, std::size_t count)
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
  std::map<std::size_t, std::unique_ptr<RowsByPlace>> by_place = {};  // of some columns

  // Where the columns have more possible combinations than there are rows, rows are gone through.
  [[nodiscard]] bool are_combined(const std::vector<std::size_t>& asked) const {
    const std::size_t most = std::min(kMostCells, counts.size());
    std::size_t cells = 1;
    for (const std::size_t c : asked) {
      cells = cells > most ? cells : cells * std::max<std::size_t>(1, columns[c].distinct);
    }
    return cells <= most;
  }
  // The one with the most codes.
  [[nodiscard]] std::size_t widest(const std::vector<std::size_t>& asked) const {
    return *std::max_element(asked.begin(), asked.end(), [&](std::size_t a, std::size_t b) {
      return columns[a].distinct < columns[b].distinct;
    });
  }
};

// The combinations of places in some columns, and how many records have each: what all queries on
// these columns are answered from. Where there are too many of them, every row is one. They lie in
// the order of the places of the widest column, so that a query reads a few stretches from end to
// end.
class Combinations {
 public:
  Combinations(const CountedRows& rows, const std::vector<std::size_t>& asked) {
    const std::size_t widest = rows.widest(asked);
    first_ =
        static_cast<std::size_t>(std::find(asked.begin(), asked.end(), widest) - asked.begin());
    if (!rows.are_combined(asked)) {
      take(*rows.by_place.at(widest), rows.counts, asked.size(),
           [&](std::size_t c, std::uint32_t row) { return rows.columns[asked[c]].at(row); });
      return;
    }
    std::vector<std::vector<Code>> codes(asked.size());
    std::vector<std::uint64_t> records;
    count_cells(rows, asked, codes, records);
    const RowsByPlace order({&codes[first_], nullptr, rows.columns[widest].distinct},
                            records.size());
    take(order, records, asked.size(),
         [&](std::size_t c, std::uint32_t cell) { return codes[c][cell]; });
  }

  [[nodiscard]] double weigh(const Weights& weights) const {
    std::vector<Factor> others;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      if (c != first_)
        others.push_back({weights[c].of.data(), static_cast<Code>(weights[c].begin),
                          static_cast<Code>(weights[c].of.size()), codes_[c].data()});
    }
    double sum = 0;
    const Weight& first = weights[first_];
    for (std::size_t i = 0; i < first.of.size(); ++i) {
      if (first.of[i] == 0) continue;
      const std::size_t place = first.begin + i;
      sum += first.of[i] * weigh_stretch(starts_[place], starts_[place + 1], others);
    }
    return sum;
  }

 private:
  struct Factor {
    const double* of_place;
    Code begin;
    Code size;
    const Code* places;
    [[nodiscard]] double at(std::size_t i) const {
      const Code place = places[i] - begin;  // wraps around below it
      return place < size ? of_place[place] : 0;
    }
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
  void take(const RowsByPlace& order, const std::vector<std::uint64_t>& records,
            std::size_t columns, const CodeOf& code_of) {
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

// From the first to the last rank that a query asks for.
RankSpan hull_of(const std::vector<RankSpan>& spans) {
  RankSpan hull{.first = 1, .last = 0};
  for (const RankSpan& span : spans) {
    const bool none = hull.last < hull.first;
    hull = {none ? span.first : std::min(hull.first, span.first),
            none ? span.last : std::max(hull.last, span.last)};
  }
  return hull;
}

// The leaves that the cells of an attribute stand for. Cells have places by the first of these.
class Coverage {
 public:
  explicit Coverage(const CellSpans& spans) : places_(firsts_of(spans)) {
    hulls_.reserve(spans.size());
    for (const Code cell_at : places_.at) {
      const auto& cell = spans[cell_at];
      begins_.push_back(spans_.size());
      leaves_.push_back(static_cast<double>(leaves_in(cell)));
      spans_.insert(spans_.end(), cell.begin(), cell.end());
      hulls_.push_back(hull_of(cell));
      last_so_far_.push_back(
          std::max(hulls_.back().last, hulls_.size() < 2 ? 0 : last_so_far_.back()));
    }
    begins_.push_back(spans_.size());
  }
  [[nodiscard]] std::size_t size() const { return hulls_.size(); }
  [[nodiscard]] const std::vector<Code>& places() const { return places_.of; }
  // Those that may stand for some of these.
  [[nodiscard]] std::pair<std::size_t, std::size_t> that_meet(const RankSpan& asked) const {
    const auto begin = std::lower_bound(last_so_far_.begin(), last_so_far_.end(), asked.first);
    const auto end = std::upper_bound(
        hulls_.begin(), hulls_.end(), asked.last,
        [](std::uint32_t last, const RankSpan& hull) { return last < hull.first; });
    const auto first = static_cast<std::size_t>(begin - last_so_far_.begin());
    return {first, std::max(first, static_cast<std::size_t>(end - hulls_.begin()))};
  }
  [[nodiscard]] double share_within(std::size_t place, const RankSpan& asked) const {
    const RankSpan& hull = hulls_[place];
    if (hull.last < asked.first || asked.last < hull.first || hull.last < hull.first) return 0;
    std::uint64_t inside = 0;
    for (std::size_t i = begins_[place]; i < begins_[place + 1]; ++i) {
      const auto low = std::max(spans_[i].first, asked.first);
      const auto high = std::min(spans_[i].last, asked.last);
      if (low <= high) inside += high - low + 1;
    }
    return static_cast<double>(inside) / leaves_[place];
  }

 private:
  static std::vector<std::uint32_t> firsts_of(const CellSpans& spans) {
    std::vector<std::uint32_t> firsts;
    firsts.reserve(spans.size());
    for (const auto& cell : spans) firsts.push_back(hull_of(cell).first);
    return firsts;
  }

  Places places_;
  // All by place.
  std::vector<RankSpan> hulls_;  // of a cell: from its first leaf to its last; none ends before it
  std::vector<std::uint32_t> last_so_far_;  // of the hulls up to it
  std::vector<double> leaves_;              // how many a cell stands for
  std::vector<std::size_t> begins_;         // in the spans, and the end
  std::vector<RankSpan> spans_;
};

// The codes of an attribute by their ranks.
class Ranks {
 public:
  explicit Ranks(const Attribute& attribute) : places_(attribute.rank) {
    ranks_.reserve(size());
    for (const Code code : places_.at) ranks_.push_back(attribute.rank[code]);
  }
  [[nodiscard]] std::size_t size() const { return places_.at.size(); }
  [[nodiscard]] const std::vector<Code>& places() const { return places_.of; }
  [[nodiscard]] std::pair<std::size_t, std::size_t> that_meet(const RankSpan& asked) const {
    const auto begin = std::lower_bound(ranks_.begin(), ranks_.end(), asked.first);
    const auto end = std::upper_bound(begin, ranks_.end(), asked.last);
    return {static_cast<std::size_t>(begin - ranks_.begin()),
            static_cast<std::size_t>(end - ranks_.begin())};
  }
  [[nodiscard]] double share_within(std::size_t place, const RankSpan& asked) const {
    return asked.first <= ranks_[place] && ranks_[place] <= asked.last ? 1 : 0;
  }

 private:
  Places places_;
  std::vector<std::uint32_t> ranks_;  // by place, ascending
};

// What all sets of columns are answered from, by attribute.
struct Measured {
  const ProtectionInput& input;
  std::vector<Ranks> original;
  std::vector<Coverage> released;
};

CountedRows original_rows(const Measured& measured) {
  const ProtectionInput& input = measured.input;
  CountedRows rows{{}, *input.counts};
  for (std::size_t a = 0; a < input.attributes.size(); ++a)
    rows.columns.push_back({&input.attributes[a].column->codes, nullptr,
                            input.attributes[a].rank.size(), &measured.original[a].places()});
  for (const Column* column : input.sensitive)
    rows.columns.push_back({&column->codes, nullptr, column->dictionary.size()});
  return rows;
}

CountedRows released_rows(const Measured& measured, const Recoding& recoding) {
  CountedRows rows{{}, recoding.counts};
  for (std::size_t a = 0; a < recoding.columns.size(); ++a)
    rows.columns.push_back({&recoding.columns[a].codes, nullptr, recoding.columns[a].values.size(),
                            &measured.released[a].places()});
  for (const Column* column : measured.input.sensitive)
    rows.columns.push_back({&column->codes, &recoding.groups, column->dictionary.size()});
  return rows;
}

class Answers {
 public:
  Answers(const Measured& measured, const Asked& asked, const CountedRows& original,
          const CountedRows& released)
      : measured_(measured),
        asked_(asked),
        actual_(original, columns_of(measured.input, asked)),
        released_(released, columns_of(measured.input, asked)) {}

  // Where they stand in CountedRows.
  static std::vector<std::size_t> columns_of(const ProtectionInput& input, const Asked& asked) {
    auto columns = asked.attributes;
    if (asked.sensitive) columns.push_back(input.attributes.size() + *asked.sensitive);
    return columns;
  }

  // `weights` is written over: it is as long as columns are, and to have it anew costs more than
  // the sum.
  [[nodiscard]] double actual(const CountQuery& query, Weights& weights) const {
    weigh(measured_.original, query, weights);
    return actual_.weigh(weights);
  }
  [[nodiscard]] double estimated(const CountQuery& query, Weights& weights) const {
    weigh(measured_.released, query, weights);
    return released_.weigh(weights);
  }

 private:
  template <class Columns>
  void weigh(const std::vector<Columns>& columns, const CountQuery& query, Weights& weights) const {
    weights.resize(asked_.attributes.size() + (asked_.sensitive ? 1 : 0));
    for (std::size_t i = 0; i < asked_.attributes.size(); ++i) {
      const std::size_t a = asked_.attributes[i];
      auto& [begin, of] = weights[i];
      begin = 0;
      std::size_t end = columns[a].size();
      for (const auto& [attribute, spans] : query.predicates) {
        if (attribute != a) continue;
        const auto [first, last] = columns[a].that_meet(hull_of(spans));
        begin = std::max(begin, first);
        end = std::max(begin, std::min(end, last));
      }
      of.assign(end - begin, 1.0);
      for (const auto& [attribute, spans] : query.predicates) {
        if (attribute != a) continue;
        for (std::size_t at = 0; at < of.size(); ++at) {
          double share = 0;
          for (const auto& span : spans) share += columns[a].share_within(begin + at, span);
          of[at] *= share;
        }
      }
    }
    if (!asked_.sensitive) return;
    weights.back().begin = query.sensitive->second;
    weights.back().of.assign(1, 1.0);
  }

  const Measured& measured_;
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
      const auto [place, fresh] = rows->by_place.try_emplace(rows->widest(columns));
      if (!fresh) continue;
      tasks.emplace_back([rows, column = place->first, &order = place->second] {
        order = std::make_unique<RowsByPlace>(rows->columns[column], rows->counts.size());
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
  Measured measured{input, {}, {spans.begin(), spans.end()}};
  for (const auto& attribute : input.attributes) measured.original.emplace_back(attribute);
  progress.begin("asking queries", workload.size());
  std::map<Asked, std::vector<std::size_t>> by_columns;
  for (std::size_t q = 0; q < workload.size(); ++q) by_columns[asked_by(workload[q])].push_back(q);
  const std::vector<std::pair<Asked, std::vector<std::size_t>>> sets(by_columns.begin(),
                                                                     by_columns.end());
  CountedRows original = original_rows(measured);
  CountedRows released = released_rows(measured, recoding);
  put_in_orders(input, sets, {&original, &released});
  std::vector<double> errors(workload.size(), std::nan(""));
  parallel_blocks(sets.size(), 1, [&](std::size_t set, std::size_t) {
    const auto& [asked, queries] = sets[set];
    const Answers answers(measured, asked, original, released);
    parallel_blocks(
        queries.size(), kQueriesAtOnce, [&, &those = queries](std::size_t begin, std::size_t end) {
          Weights weights;
          for (std::size_t i = begin; i < end; ++i) {
            const CountQuery& query = workload[those[i]];
            const double actual = answers.actual(query, weights);
            if (actual <= 0) continue;
            errors[those[i]] = std::abs(actual - answers.estimated(query, weights)) / actual;
          }
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
