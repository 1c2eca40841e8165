#include "pratique/tables/attack/learned_inference.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "pratique/core/error.h"
#include "pratique/tables/attack/internal/judge.h"
#include "pratique/tables/attack/internal/respelt.h"
#include "pratique/tables/model/spelling.h"

namespace pratique::tables {
namespace {

constexpr Code kUnlearned = kNoCode;

// The sensitive values of a release without their spellings, and how many records have each.
struct Labels {
  Labels(const CountedTable& release, const Column& sensitive) {
    const Column joined = without_spellings(sensitive);
    const auto any = sensitive.dictionary.find(kSuppressed);
    std::vector<Code> number(joined.dictionary.size(), kUnlearned);
    of_row.reserve(sensitive.codes.size());
    for (std::size_t row = 0; row < sensitive.codes.size(); ++row) {
      if (any && sensitive.codes[row] == *any) {
        of_row.push_back(kUnlearned);
        continue;
      }
      Code& label = number[joined.codes[row]];
      if (label == kUnlearned) {
        label = static_cast<Code>(records.size());
        records.push_back(0);
        cell.push_back(sensitive.codes[row]);
      }
      of_row.push_back(label);
      records[label] += static_cast<double>(release.count(row));
    }
  }

  std::vector<Code> of_row;  // kUnlearned: '*'
  std::vector<double> records;
  std::vector<Code> cell;  // one released cell of the label
};

// What a column's values say of the labels, as logarithms. Entries are sparse: a value that no
// record of a label may have gets that label's `unseen` and nothing else.
class LearnedColumn {
 public:
  struct Entry {
    Code label;
    double log_lift;  // beyond `unseen`
  };

  LearnedColumn(const CountedTable& release, const Column& cells, const Column& known,
                const Labels& labels, const internal::ColumnMatches& matches) {
    const auto people = known.counts();
    // How many people of the register each cell may stand for.
    std::vector<double> covered(cells.dictionary.size(), 0);
    for (Code value = 0; value < people.size(); ++value) {
      for (const Code cell : matches.cells_containing(value)) {
        covered[cell] += static_cast<double>(people[value]);
      }
    }
    const auto records = records_by_cell(release, cells, labels);
    const auto everybody = static_cast<double>(known.codes.size());
    std::vector<double> weight(labels.records.size(), 0);
    std::vector<Code> touched;
    begin_.push_back(0);
    used_.reserve(people.size());
    for (Code value = 0; value < people.size(); ++value) {
      const auto containing = matches.cells_containing(value);
      used_.push_back(!containing.empty());
      for (const Code cell : containing) {
        for (const auto& [label, count] : records[cell]) {
          if (weight[label] == 0) touched.push_back(label);
          // The value's part of the cell, over its share p of the register.
          weight[label] += count * everybody / covered[cell];
        }
      }
      for (const Code label : touched) {
        entries_.push_back({label, std::log1p(weight[label] / LearnedInference::kPrior)});
        weight[label] = 0;
      }
      touched.clear();
      begin_.push_back(entries_.size());
    }
  }

  [[nodiscard]] bool used(Code value) const { return used_[value]; }
  [[nodiscard]] std::span<const Entry> entries(Code value) const {
    return std::span(entries_).subspan(begin_[value], begin_[value + 1] - begin_[value]);
  }

 private:
  struct Counted {
    Code label;
    double records;
  };
  static std::vector<std::vector<Counted>> records_by_cell(const CountedTable& release,
                                                           const Column& cells,
                                                           const Labels& labels) {
    const CodedColumn coded = CodedColumn::of(cells);
    std::vector<Code> shifted;  // labels beside '*', which is one more
    shifted.reserve(labels.of_row.size());
    for (const Code label : labels.of_row) shifted.push_back(label == kUnlearned ? 0 : label + 1);
    const auto parts = EquivalenceClasses::of(std::span(&coded, 1), cells.codes.size())
                           .refined_by({shifted, labels.records.size() + 1});
    const auto counts = records_per_class(parts, release);
    std::vector<std::vector<Counted>> records(cells.dictionary.size());
    for (ClassId part = 0; part < parts.count(); ++part) {
      const std::uint32_t row = parts.representative(part);
      if (labels.of_row[row] == kUnlearned) continue;
      records[cells.codes[row]].push_back({labels.of_row[row], static_cast<double>(counts[part])});
    }
    return records;
  }

  std::vector<bool> used_;  // by value: some cell contains it
  std::vector<std::size_t> begin_;
  std::vector<Entry> entries_;
};

struct Guess {
  bool tried = false;
  Code label = kUnlearned;
  double belief = 0;
};

class NaiveBayesAdversary {
 public:
  NaiveBayesAdversary(const Labels& labels, std::vector<LearnedColumn> columns)
      : columns_(std::move(columns)) {
    for (const double records : labels.records) {
      frequency_.push_back(std::log(records));
      unseen_.push_back(std::log(LearnedInference::kPrior / (records + LearnedInference::kPrior)));
    }
  }

  // `values` beside the columns.
  [[nodiscard]] Guess guess(std::span<const Code> values) const {
    double used = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c) used += columns_[c].used(values[c]) ? 1 : 0;
    if (used == 0 || frequency_.empty()) return {};
    std::vector<double> score(frequency_.size());
    for (std::size_t label = 0; label < score.size(); ++label) {
      score[label] = frequency_[label] + used * unseen_[label];
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      for (const auto& entry : columns_[c].entries(values[c])) score[entry.label] += entry.log_lift;
    }
    const auto best = std::max_element(score.begin(), score.end());
    double sum = 0;
    for (const double other : score) sum += std::exp(other - *best);
    return {true, static_cast<Code>(best - score.begin()), 1 / sum};
  }

 private:
  std::vector<LearnedColumn> columns_;
  std::vector<double> frequency_;  // by label, as logarithms
  std::vector<double> unseen_;
};

}  // namespace

LearnedInference attack_by_learning(const CountedTable& counted, const Table& register_table,
                                    const std::vector<std::string>& on,
                                    const std::string& sensitive, const std::optional<Truth>& truth,
                                    const Hierarchies& hierarchies, const CellReadings& readings) {
  const Table& release = counted.table;
  const Labels labels(counted, release.column(sensitive));
  const Table known = internal::respelt(register_table, release, on, hierarchies);
  std::vector<LearnedColumn> columns;
  columns.reserve(on.size());
  for (std::size_t c = 0; c < on.size(); ++c) {
    const Column& cells = release.column(on[c]);
    const internal::ColumnMatches matches(cells.dictionary, known.columns[c].dictionary,
                                          internal::hierarchy_of(hierarchies, on[c]),
                                          internal::reading_of(readings, on[c]));
    columns.emplace_back(counted, cells, known.columns[c], labels, matches);
  }
  const NaiveBayesAdversary adversary(labels, std::move(columns));
  const auto alike = EquivalenceClasses::of(known, column_indices(known, on));
  std::vector<Guess> guesses(alike.count());
  std::vector<Code> values(on.size());
  for (ClassId id = 0; id < alike.count(); ++id) {
    for (std::size_t c = 0; c < on.size(); ++c) {
      values[c] = known.columns[c].codes[alike.representative(id)];
    }
    guesses[id] = adversary.guess(values);
  }

  LearnedInference result;
  result.values = labels.records.size();
  for (const double records : labels.records) {
    result.learned_from += static_cast<std::uint64_t>(records);
  }
  for (ClassId id = 0; id < alike.count(); ++id) {
    if (!guesses[id].tried) continue;
    result.targets += alike.size(id);
    result.mean_belief += guesses[id].belief * alike.size(id);
    if (guesses[id].belief >= LearnedInference::kConfident) result.confident += alike.size(id);
  }
  if (result.targets > 0) result.mean_belief /= static_cast<double>(result.targets);
  if (!truth || result.targets == 0) return result;

  const internal::Judge judge(release, register_table, {}, sensitive, *truth, hierarchies,
                              readings);
  const auto usual = std::max_element(labels.records.begin(), labels.records.end());
  const Code usual_cell = labels.cell[static_cast<std::size_t>(usual - labels.records.begin())];
  LearnedInference::Judged judged;
  for (std::size_t target = 0; target < alike.rows(); ++target) {
    const Guess& guess = guesses[alike.class_of(target)];
    if (!guess.tried || !judge.knows(target)) continue;
    const bool right = judge.value_holds(target, labels.cell[guess.label]);
    const bool confident = guess.belief >= LearnedInference::kConfident;
    ++judged.targets;
    judged.right += right ? 1U : 0U;
    judged.usual += judge.value_holds(target, usual_cell) ? 1U : 0U;
    judged.confident += confident ? 1U : 0U;
    judged.confident_right += confident && right ? 1U : 0U;
  }
  result.judged = judged;
  return result;
}

Json to_json(const LearnedInference& inference) {
  Json json = {{"learned_from", inference.learned_from},
               {"values", inference.values},
               {"targets", inference.targets},
               {"mean_belief", inference.mean_belief},
               {"confident", inference.confident}};
  if (!inference.judged) return json;
  const auto& judged = *inference.judged;
  const auto share = [](std::uint64_t part, std::uint64_t of) {
    return of == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(of);
  };
  json["judged"] = judged.targets;
  json["right_share"] = share(judged.right, judged.targets);
  json["usual_share"] = share(judged.usual, judged.targets);
  if (judged.confident > 0) {
    json["confident_right_share"] = share(judged.confident_right, judged.confident);
  }
  return json;
}

}  // namespace pratique::tables
