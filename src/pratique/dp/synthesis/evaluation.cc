#include "pratique/dp/synthesis/evaluation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "pratique/crypto/random.h"

namespace pratique::dp {
namespace {

using Cells = std::vector<std::uint32_t>;

// Columns have at most 2^16 cells, so three fit into a key.
std::uint64_t key_over(const EncodedRows& rows, std::size_t row, const ColumnSet& columns,
                       const std::vector<std::size_t>& sizes) {
  std::uint64_t key = 0;
  for (const auto column : columns) key = key * sizes[column] + rows.cells[column][row];
  return key;
}

Cells cells_of(const EncodedRows& rows, std::size_t row) {
  Cells cells;
  for (const auto& column : rows.cells) cells.push_back(column[row]);
  return cells;
}

void add_sets(std::size_t columns, std::size_t together, ColumnSet& begun,
              std::vector<ColumnSet>& all) {
  if (begun.size() == together) {
    all.push_back(begun);
    return;
  }
  for (std::size_t next = begun.empty() ? 0 : begun.back() + 1; next < columns; ++next) {
    begun.push_back(next);
    add_sets(columns, together, begun, all);
    begun.pop_back();
  }
}

class NaiveBayes {
 public:
  NaiveBayes(const EncodedRows& rows, const std::vector<std::size_t>& sizes, std::size_t label)
      : label_(label), of_label_(sizes[label]) {
    for (std::size_t c = 0; c < sizes.size(); ++c) {
      counts_.emplace_back(c == label ? 0 : sizes[c] * sizes[label]);
      cells_.push_back(static_cast<double>(sizes[c]));
    }
    for (std::size_t row = 0; row < rows.counts.size(); ++row) {
      const auto weight = static_cast<double>(rows.counts[row]);
      const std::uint32_t value = rows.cells[label][row];
      of_label_[value] += weight;
      for (std::size_t c = 0; c < sizes.size(); ++c) {
        if (c != label) counts_[c][rows.cells[c][row] * of_label_.size() + value] += weight;
      }
    }
  }

  [[nodiscard]] double accuracy(const EncodedRows& rows) const {
    double right = 0;
    for (std::size_t row = 0; row < rows.counts.size(); ++row) {
      if (guess(rows, row) == rows.cells[label_][row]) {
        right += static_cast<double>(rows.counts[row]);
      }
    }
    return right / std::max(1.0, static_cast<double>(rows.rows()));
  }

 private:
  [[nodiscard]] std::size_t guess(const EncodedRows& rows, std::size_t row) const {
    std::size_t best = 0;
    double highest = 0;
    for (std::size_t value = 0; value < of_label_.size(); ++value) {
      double score = std::log(of_label_[value] + 1);
      for (std::size_t c = 0; c < counts_.size(); ++c) {
        if (c == label_) continue;
        const double seen = counts_[c][rows.cells[c][row] * of_label_.size() + value];
        score += std::log((seen + 1) / (of_label_[value] + cells_[c]));
      }
      if (value == 0 || score > highest) {
        best = value;
        highest = score;
      }
    }
    return best;
  }

  std::size_t label_;
  std::vector<double> of_label_;
  std::vector<std::vector<double>> counts_;  // by column: cell, then label
  std::vector<double> cells_;
};

std::size_t most_frequent(const EncodedRows& rows, std::size_t column, std::size_t cells) {
  std::vector<std::uint64_t> counts(cells);
  for (std::size_t row = 0; row < rows.counts.size(); ++row) {
    counts[rows.cells[column][row]] += rows.counts[row];
  }
  return static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

// Different rows, each once.
std::vector<Cells> different_rows(const EncodedRows& rows) {
  std::vector<Cells> distinct;
  for (std::size_t row = 0; row < rows.counts.size(); ++row) {
    if (rows.counts[row] > 0) distinct.push_back(cells_of(rows, row));
  }
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return distinct;
}

std::vector<Cells> drawn_rows(const EncodedRows& rows, std::size_t most, SeededRandom& random) {
  std::vector<std::size_t> all;
  for (std::size_t row = 0; row < rows.counts.size(); ++row) {
    all.insert(all.end(), rows.counts[row], row);
  }
  std::vector<Cells> drawn;
  for (std::size_t i = 0; i < all.size() && drawn.size() < most; ++i) {
    std::swap(all[i], all[i + random.below(all.size() - i)]);
    drawn.push_back(cells_of(rows, all[i]));
  }
  return drawn;
}

// In how many columns the nearest differs.
std::size_t nearest(const Cells& target, const std::vector<Cells>& rows) {
  std::size_t least = target.size();
  for (const auto& row : rows) {
    std::size_t different = 0;
    for (std::size_t c = 0; c < target.size() && different < least; ++c) {
      different += target[c] != row[c] ? 1U : 0U;
    }
    least = std::min(least, different);
    if (least == 0) break;
  }
  return least;
}

}  // namespace

double total_variation(const EncodedRows& a, const EncodedRows& b, const ColumnSet& columns,
                       const std::vector<std::size_t>& sizes) {
  std::vector<std::pair<std::uint64_t, double>> shares;
  for (const auto& [rows, sign] : {std::pair(&a, 1.0), std::pair(&b, -1.0)}) {
    const double one = sign / std::max(1.0, static_cast<double>(rows->rows()));
    for (std::size_t row = 0; row < rows->counts.size(); ++row) {
      shares.emplace_back(key_over(*rows, row, columns, sizes),
                          one * static_cast<double>(rows->counts[row]));
    }
  }
  std::sort(shares.begin(), shares.end());
  double distance = 0;
  for (std::size_t i = 0; i < shares.size();) {
    double difference = 0;
    const std::uint64_t key = shares[i].first;
    for (; i < shares.size() && shares[i].first == key; ++i) difference += shares[i].second;
    distance += std::abs(difference) / 2;
  }
  return distance;
}

MarginalErrors marginal_errors(const EncodedRows& original, const EncodedRows& synthetic,
                               const std::vector<std::size_t>& sizes, std::size_t together,
                               Progress& progress) {
  MarginalErrors errors;
  ColumnSet begun;
  add_sets(sizes.size(), together, begun, errors.columns);
  progress.begin("comparing marginals", errors.columns.size());
  for (const auto& columns : errors.columns) {
    progress.advance(1);
    errors.distances.push_back(total_variation(original, synthetic, columns, sizes));
    errors.mean += errors.distances.back() / static_cast<double>(errors.columns.size());
    errors.worst = std::max(errors.worst, errors.distances.back());
  }
  return errors;
}

ClassifierAccuracy classifier_accuracy(const EncodedRows& original, const EncodedRows& synthetic,
                                       const std::vector<std::size_t>& sizes, std::size_t label,
                                       std::uint64_t seed) {
  SeededRandom random(seed);
  EncodedRows train{.cells = original.cells, .counts = original.counts};
  EncodedRows test = train;
  for (std::size_t row = 0; row < original.counts.size(); ++row) {
    std::uint64_t tests = 0;
    for (std::uint64_t i = 0; i < original.counts[row]; ++i)
      tests += random.below(10) < 3 ? 1U : 0U;
    test.counts[row] = tests;
    train.counts[row] -= tests;
  }
  const std::size_t usual = most_frequent(train, label, sizes[label]);
  double are_usual = 0;
  for (std::size_t row = 0; row < test.counts.size(); ++row) {
    if (test.cells[label][row] == usual) are_usual += static_cast<double>(test.counts[row]);
  }
  return {NaiveBayes(synthetic, sizes, label).accuracy(test),
          NaiveBayes(train, sizes, label).accuracy(test),
          are_usual / std::max(1.0, static_cast<double>(test.rows()))};
}

MembershipAttack membership_attack(const EncodedRows& members, const EncodedRows& others,
                                   const EncodedRows& synthetic, std::uint64_t seed) {
  constexpr std::size_t kTried = 2000;
  SeededRandom random(seed);
  const auto rows = different_rows(synthetic);
  const std::size_t columns = synthetic.cells.size();
  std::vector<std::vector<double>> shares;  // of each side: by how many columns the nearest differs
  MembershipAttack attack;
  for (const auto* side : {&members, &others}) {
    const auto targets = drawn_rows(*side, kTried, random);
    (side == &members ? attack.members : attack.others) = targets.size();
    std::vector<double> share(columns + 1);
    for (const auto& target : targets) {
      share[nearest(target, rows)] += 1 / static_cast<double>(targets.size());
    }
    shares.push_back(std::move(share));
  }
  double ahead = 0;
  for (std::size_t distance = 0; distance <= columns; ++distance) {
    ahead += shares[0][distance] - shares[1][distance];
    attack.advantage = std::max(attack.advantage, ahead);
  }
  return attack;
}

LinkageAttack linkage_attack(const EncodedRows& original, const EncodedRows& synthetic,
                             const std::vector<std::size_t>& sizes, std::size_t guessed) {
  const auto known_of = [&](const EncodedRows& rows, std::size_t row) {
    Cells cells = cells_of(rows, row);
    cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(guessed));
    return cells;
  };
  std::map<Cells, std::vector<std::uint64_t>> alike;  // counts of the guessed column
  for (std::size_t row = 0; row < synthetic.counts.size(); ++row) {
    auto& counts = alike[known_of(synthetic, row)];
    counts.resize(sizes[guessed]);
    counts[synthetic.cells[guessed][row]] += synthetic.counts[row];
  }
  std::map<Cells, std::pair<std::uint64_t, std::uint32_t>> people;  // how many, and one's value
  for (std::size_t row = 0; row < original.counts.size(); ++row) {
    auto& [count, value] = people[known_of(original, row)];
    count += original.counts[row];
    value = original.cells[guessed][row];
  }
  const std::size_t usual = most_frequent(original, guessed, sizes[guessed]);
  LinkageAttack attack;
  for (const auto& [known, person] : people) {
    if (person.first != 1) continue;
    ++attack.targets;
    const auto like = alike.find(known);
    if (like == alike.end()) continue;
    ++attack.linked;
    const auto& counts = like->second;
    const auto best =
        static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    attack.right += best == person.second ? 1U : 0U;
    attack.right_without += usual == person.second ? 1U : 0U;
  }
  return attack;
}

}  // namespace pratique::dp
