#include "pratique/dp/synthesis/generate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pratique::dp {
namespace {

using Cells = std::vector<std::uint32_t>;

void shuffle_rows(std::vector<std::uint32_t>& rows, RandomBits& random) {
  for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
}

// Gives these rows values in proportion to the weights.
void give_out(std::vector<std::uint32_t>& rows, const std::vector<double>& weights, Cells& values,
              RandomBits& random) {
  shuffle_rows(rows, random);
  const auto counts = apportioned(weights, rows.size(), random);
  std::size_t next = 0;
  for (std::size_t value = 0; value < counts.size(); ++value) {
    for (std::uint64_t i = 0; i < counts[value]; ++i) {
      values[rows[next++]] = static_cast<std::uint32_t>(value);
    }
  }
}

class RowGenerator {
 public:
  RowGenerator(const GraphicalModel& model, std::uint64_t rows, RandomBits& random)
      : model_(model), rows_(rows), random_(random), cells_(model.sizes().size()) {}

  // The columns of a clique that have no values yet, given those that have.
  void fill(std::size_t clique) {
    ColumnSet known;
    for (const auto column : model_.tree().cliques[clique]) {
      if (!cells_[column].empty()) known.push_back(column);
    }
    for (const auto column : model_.tree().cliques[clique]) {
      if (cells_[column].empty()) {
        give_column(clique, known, column);
        known.insert(std::lower_bound(known.begin(), known.end(), column), column);
      }
    }
  }
  [[nodiscard]] std::vector<Cells> taken() { return std::move(cells_); }

 private:
  void give_column(std::size_t clique, const ColumnSet& known, std::size_t column) {
    const auto& columns = model_.tree().cliques[clique];
    const auto& sizes = model_.sizes();
    const auto& counts = model_.clique(clique);
    const auto agree = static_cast<std::size_t>(cells_over(known, sizes));
    const auto where = places(columns, known, sizes);
    const auto value = places(columns, {column}, sizes);
    std::vector<std::vector<double>> weights(agree, std::vector<double>(sizes[column]));
    for (std::size_t i = 0; i < counts.size(); ++i) weights[where[i]][value[i]] += counts[i];
    std::vector<std::vector<std::uint32_t>> alike(agree);
    for (std::uint64_t row = 0; row < rows_; ++row) {
      std::size_t cell = 0;
      for (const auto other : known) cell = cell * sizes[other] + cells_[other][row];
      alike[cell].push_back(static_cast<std::uint32_t>(row));
    }
    cells_[column].resize(rows_);
    for (std::size_t cell = 0; cell < agree; ++cell) {
      if (!alike[cell].empty()) give_out(alike[cell], weights[cell], cells_[column], random_);
    }
  }

  const GraphicalModel& model_;
  std::uint64_t rows_;
  RandomBits& random_;
  std::vector<Cells> cells_;
};

}  // namespace

std::vector<std::uint64_t> apportioned(const std::vector<double>& weights, std::uint64_t count,
                                       RandomBits& random) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double start = static_cast<double>(random.word() >> 11U) * 0x1.0p-53;
  // What rounding leaves over goes to the last that has a part at all.
  std::size_t last = weights.size() - 1;
  while (sum > 0 && last > 0 && !(weights[last] > 0)) --last;
  std::vector<std::uint64_t> counts(weights.size());
  double upto = 0;
  std::uint64_t given = 0;
  for (std::size_t i = 0; i <= last; ++i) {
    upto += sum > 0 ? weights[i] / sum : 1 / static_cast<double>(weights.size());
    const auto reached =
        i == last ? count
                  : std::min(count, static_cast<std::uint64_t>(
                                        std::floor(upto * static_cast<double>(count) + start)));
    counts[i] = reached - std::min(reached, given);
    given = std::max(given, reached);
  }
  return counts;
}

std::vector<std::vector<std::uint32_t>> generate(const SyntheticModel& synthetic,
                                                 std::uint64_t rows, RandomBits& random) {
  RowGenerator generator(synthetic.model, rows, random);
  generator.fill(0);
  for (const auto& link : synthetic.model.tree().links) generator.fill(link.child);
  std::vector<Cells> columns = generator.taken();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Grouping& grouping = synthetic.groupings[c];
    std::vector<std::vector<std::uint32_t>> members(grouping.groups);
    for (std::size_t row = 0; row < rows; ++row) {
      members[columns[c][row]].push_back(static_cast<std::uint32_t>(row));
    }
    for (std::size_t group = 0; group < grouping.groups; ++group) {
      std::vector<double> shares(grouping.shares.size());
      for (std::size_t cell = 0; cell < shares.size(); ++cell) {
        if (grouping.group_of[cell] == group) shares[cell] = grouping.shares[cell];
      }
      if (!members[group].empty()) give_out(members[group], shares, columns[c], random);
    }
  }
  return columns;
}

}  // namespace pratique::dp
