#include "pratique/tables/profile/quasi_identifiers.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/tables/profile/internal/stripped_partition.h"

namespace pratique::tables {
namespace {

using internal::Distinctness;
using internal::StrippedPartition;

constexpr std::size_t kMostColumns = 4;
constexpr std::size_t kPartitionMemory = 1U << 30;  // for all threads
constexpr std::size_t kBytesPerRow = 24;

// Ascending positions in the search's order of columns.
using ColumnSet = std::vector<std::uint16_t>;

std::uint64_t key_of(const ColumnSet& set) {
  std::uint64_t key = 0;
  for (const std::uint16_t column : set) key = (key << 16U) | (column + 1U);
  return key;
}

ColumnSet without(const ColumnSet& set, std::size_t position) {
  ColumnSet result = set;
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(position));
  return result;
}

std::uint64_t capped_product(std::uint64_t a, std::uint64_t b, std::uint64_t cap) {
  return a != 0 && b > cap / a ? cap : std::min(cap, a * b);
}

class MinimalSets {
 public:
  MinimalSets(const Table& table, const QuasiIdentifierSearch& search, Progress& progress)
      : table_(table), search_(search), progress_(progress), rows_(table.rows()) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].dictionary.size() > 1 || rows_ == 1) order_.push_back(c);
    }
    // The columns of many values first: their classes are small, and rows leave as unique early.
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return table.columns[a].dictionary.size() > table.columns[b].dictionary.size();
    });
    if (order_.size() >= std::numeric_limits<std::uint16_t>::max()) {
      throw Error::input("a table of over 65,000 columns cannot be searched for quasi-identifiers");
    }
    for (const std::size_t c : order_) {
      const Column& column = table.columns[c];
      const auto counts = column.counts();
      uncommon_.push_back(rows_ - *std::max_element(counts.begin(), counts.end()));
      auto& few = few_.emplace_back();
      if (counts.size() <= StrippedPartition::kFewValues)
        few.assign(column.codes.begin(), column.codes.end());
    }
  }

  QuasiIdentifiers run() {
    QuasiIdentifiers result;
    const std::size_t deepest = std::min(search_.most_columns, kMostColumns);
    std::vector<ColumnSet> open = {{}};  // looked at, and not identifying
    while (result.searched_columns < deepest) {
      const auto tasks = extensions_of(open);
      if (!tasks) break;
      open = look_at(*tasks);
      ++result.searched_columns;
    }
    std::stable_sort(identifying_.begin(), identifying_.end(), [](const auto& a, const auto& b) {
      if (a.columns.size() != b.columns.size()) return a.columns.size() < b.columns.size();
      return a.unique_share > b.unique_share;
    });
    result.sets = std::move(identifying_);
    return result;
  }

 private:
  struct Task {
    ColumnSet prefix;
    std::vector<std::uint16_t> last;
  };

  [[nodiscard]] CodedColumn coded(std::uint16_t position) const {
    return CodedColumn::of(table_.columns[order_[position]]);
  }
  [[nodiscard]] bool identifies(const Distinctness& distinctness) const {
    return static_cast<double>(distinctness.unique) >
           search_.unique_above * static_cast<double>(rows_);
  }

  // The sets one column larger all of whose subsets are open, by their prefix; none when they are
  // too many.
  [[nodiscard]] std::optional<std::vector<Task>> extensions_of(
      const std::vector<ColumnSet>& open) const {
    std::vector<Task> tasks;
    std::uint64_t sets = 0;
    for (const ColumnSet& prefix : open) {
      Task task{prefix, {}};
      const std::size_t from = prefix.empty() ? 0 : prefix.back() + 1U;
      for (std::size_t last = from; last < order_.size(); ++last) {
        ColumnSet set = prefix;
        set.push_back(static_cast<std::uint16_t>(last));
        bool minimal = true;
        for (std::size_t drop = 0; set.size() > 1 && drop < set.size() && minimal; ++drop) {
          minimal = open_.contains(key_of(without(set, drop)));
        }
        if (minimal) task.last.push_back(static_cast<std::uint16_t>(last));
      }
      sets += task.last.size();
      const double looked_at = static_cast<double>(sets) * static_cast<double>(rows_);
      if (sets > search_.most_sets || looked_at > search_.most_rows_looked_at) return std::nullopt;
      if (!task.last.empty()) tasks.push_back(std::move(task));
    }
    return tasks;
  }

  // No set has more combinations than one of its subsets times the values of the rest, nor more
  // unique rows than one of its subsets and those that the rest can make so.
  [[nodiscard]] Distinctness most(const ColumnSet& set) const {
    Distinctness bound{.unique = rows_, .combinations = rows_};
    for (std::size_t drop = 0; drop < set.size(); ++drop) {
      const auto open = open_.find(key_of(without(set, drop)));
      const Distinctness rest =
          open == open_.end() ? Distinctness{.unique = rows_ == 1 ? 1U : 0U, .combinations = 1}
                              : open->second;
      bound.combinations = std::min(
          bound.combinations, capped_product(rest.combinations, coded(set[drop]).distinct, rows_));
      const std::uint64_t uncommon = uncommon_[set[drop]];
      bound.unique =
          std::min(bound.unique, rest.unique + uncommon + std::min(uncommon, rest.combinations));
    }
    bound.unique = std::min(bound.unique, bound.combinations);
    return bound;
  }

  std::vector<ColumnSet> look_at(const std::vector<Task>& tasks) {
    struct Result {
      Distinctness distinctness;
      bool counted = false;  // else it is only a bound
    };
    std::vector<std::vector<Result>> results(tasks.size());
    std::uint64_t sets = 0;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      results[t].resize(tasks[t].last.size());
      sets += tasks[t].last.size();
    }
    progress_.begin("looking for quasi-identifiers", sets);

    const ThreadLimit limit(std::clamp<std::size_t>(kPartitionMemory / (kBytesPerRow * (rows_ + 1)),
                                                    1, available_threads()));
    const std::size_t grain = std::max<std::size_t>(1, tasks.size() / (8 * available_threads()));
    parallel_blocks(tasks.size(), grain, [&](std::size_t begin, std::size_t end) {
      // partitions[i]: by the first i columns of the prefix of the last task.
      std::vector<StrippedPartition> partitions;
      ColumnSet partitioned;
      std::vector<std::uint32_t> counts;
      const auto scratch = [&](const CodedColumn& column) -> std::vector<std::uint32_t>& {
        if (counts.size() < column.distinct) counts.resize(column.distinct, 0);
        return counts;
      };
      for (std::size_t t = begin; t < end; ++t) {
        const Task& task = tasks[t];
        for (std::size_t i = 0; i < task.last.size(); ++i) {
          ColumnSet set = task.prefix;
          set.push_back(task.last[i]);
          Result& result = results[t][i];
          result.distinctness = most(set);
          result.counted = identifies(result.distinctness);
          if (!result.counted) continue;
          partition_by(task.prefix, partitioned, partitions, scratch);
          const StrippedPartition& shared = partitions[task.prefix.size()];
          const auto& few = few_[task.last[i]];
          progress_.check();
          if (!few.empty()) {
            result.distinctness = shared.refined_by_few(few);
            if (identifies(result.distinctness))
              result.distinctness.alike = shared.alike_by_few(few);
          } else {
            const CodedColumn column = coded(task.last[i]);
            result.distinctness = shared.refined_distinctness(column, scratch(column));
          }
        }
        progress_.advance(task.last.size());
      }
    });

    std::vector<ColumnSet> open;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      for (std::size_t i = 0; i < tasks[t].last.size(); ++i) {
        ColumnSet set = tasks[t].prefix;
        set.push_back(tasks[t].last[i]);
        const Result& result = results[t][i];
        if (result.counted && identifies(result.distinctness)) {
          identifying_.push_back(described(set, result.distinctness));
        } else {
          open_.emplace(key_of(set), result.distinctness);
          open.push_back(std::move(set));
        }
      }
    }
    return open;
  }

  template <class Scratch>
  void partition_by(const ColumnSet& prefix, ColumnSet& partitioned,
                    std::vector<StrippedPartition>& partitions, const Scratch& scratch) const {
    if (partitions.empty()) {
      partitions.resize(kMostColumns);
      partitions[0] = StrippedPartition::whole(rows_);
    }
    const auto differ =
        std::mismatch(prefix.begin(), prefix.end(), partitioned.begin(), partitioned.end()).first;
    for (auto i = static_cast<std::size_t>(differ - prefix.begin()); i < prefix.size(); ++i) {
      const CodedColumn column = coded(prefix[i]);
      partitions[i].refine(column, scratch(column), partitions[i + 1]);
    }
    partitioned = prefix;
  }

  [[nodiscard]] QuasiIdentifier described(const ColumnSet& set,
                                          const Distinctness& distinctness) const {
    QuasiIdentifier result;
    std::vector<std::size_t> columns;
    for (const std::uint16_t position : set) columns.push_back(order_[position]);
    std::sort(columns.begin(), columns.end());
    for (const std::size_t column : columns) result.columns.push_back(table_.columns[column].name);
    const auto rows = static_cast<double>(rows_);
    const double pairs = rows * (rows - 1) / 2;
    result.distinction = static_cast<double>(distinctness.combinations) / rows;
    result.separation = rows_ < 2 ? 1 : 1 - static_cast<double>(distinctness.alike) / pairs;
    result.unique_share = static_cast<double>(distinctness.unique) / rows;
    return result;
  }

  const Table& table_;
  const QuasiIdentifierSearch& search_;
  Progress& progress_;
  std::uint64_t rows_;
  std::vector<std::size_t> order_;  // columns of the table
  // By position in that order: rows without the most frequent value; the codes where they are few.
  std::vector<std::uint64_t> uncommon_;
  std::vector<std::vector<std::uint8_t>> few_;
  // Of every open set: its unique rows and combinations, or bounds on them.
  std::unordered_map<std::uint64_t, Distinctness> open_;
  std::vector<QuasiIdentifier> identifying_;
};

}  // namespace

QuasiIdentifiers find_quasi_identifiers(const Table& table, const QuasiIdentifierSearch& search,
                                        Progress& progress) {
  if (table.rows() == 0) return {{}, std::min(search.most_columns, kMostColumns)};
  return MinimalSets(table, search, progress).run();
}

}  // namespace pratique::tables
