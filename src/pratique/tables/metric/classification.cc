#include "pratique/tables/metric/classification.h"

#include <algorithm>
#include <cmath>

#include "pratique/crypto/random.h"
#include "pratique/tables/metric/internal/cell_coverage.h"

namespace pratique::tables {
namespace {

constexpr double kTrainingShare = 0.7;

// How often each leaf of each attribute goes with each label.
class NaiveBayes {
 public:
  NaiveBayes(const ProtectionInput& input, std::size_t labels)
      : input_(input), labels_(labels), label_weight_(labels, 0) {
    for (const auto& attribute : input.attributes) {
      weight_.emplace_back(labels * (attribute.hierarchy->leaf_count() + 1), 0);
    }
  }

  void add_label(Code label, double records) { label_weight_[label] += records; }

  // Equal parts to all leaves in the spans, as differences: settle() adds them up.
  void add_spans(std::size_t attribute, Code label, const std::vector<RankSpan>& spans,
                 double records) {
    const auto leaves = leaves_in(spans);
    if (leaves == 0) return;
    const double part = records / static_cast<double>(leaves);
    for (const auto& span : spans) {
      at(attribute, label, span.first) += part;
      at(attribute, label, span.last + 1) -= part;
    }
  }

  void settle() {
    for (std::size_t a = 0; a < weight_.size(); ++a) {
      const std::uint32_t leaves = input_.attributes[a].hierarchy->leaf_count();
      for (Code label = 0; label < labels_; ++label) {
        for (std::uint32_t rank = 1; rank < leaves; ++rank) {
          at(a, label, rank) += at(a, label, rank - 1);
        }
      }
    }
  }

  [[nodiscard]] Code predict(std::size_t group) const {
    Code best = 0;
    double highest = -INFINITY;
    for (Code label = 0; label < labels_; ++label) {
      if (label_weight_[label] <= 0) continue;
      double score = std::log(label_weight_[label]);
      for (std::size_t a = 0; a < input_.attributes.size(); ++a) {
        const Attribute& attribute = input_.attributes[a];
        const std::uint32_t leaves = attribute.hierarchy->leaf_count();
        const std::uint32_t rank = attribute.rank[attribute.column->codes[group]];
        const double seen = std::max(0.0, weight_[a][label * (leaves + 1) + rank]);
        score += std::log((seen + 1) / (label_weight_[label] + leaves));
      }
      if (score > highest) {
        highest = score;
        best = label;
      }
    }
    return best;
  }

  [[nodiscard]] Code most_frequent() const {
    return static_cast<Code>(std::max_element(label_weight_.begin(), label_weight_.end()) -
                             label_weight_.begin());
  }

 private:
  double& at(std::size_t attribute, Code label, std::uint32_t rank) {
    const std::uint32_t leaves = input_.attributes[attribute].hierarchy->leaf_count();
    return weight_[attribute][label * (leaves + 1) + rank];
  }

  const ProtectionInput& input_;
  std::size_t labels_;
  std::vector<double> label_weight_;
  std::vector<std::vector<double>> weight_;  // by attribute; label by leaf, one place more each
};

}  // namespace

ClassificationAccuracy classification_accuracy(const ProtectionInput& input,
                                               const Recoding& recoding, const Column& label,
                                               std::uint64_t seed) {
  SeededRandom random(seed);
  std::vector<bool> trains(input.groups());
  for (std::size_t group = 0; group < trains.size(); ++group) {
    trains[group] = random.chance(kTrainingShare);
  }

  const std::size_t labels = label.dictionary.size();
  NaiveBayes original(input, labels);
  for (std::size_t group = 0; group < input.groups(); ++group) {
    const auto records = static_cast<double>((*input.counts)[group]);
    if (!trains[group] || records == 0) continue;
    original.add_label(label.codes[group], records);
    for (std::size_t a = 0; a < input.attributes.size(); ++a) {
      const Attribute& attribute = input.attributes[a];
      const std::uint32_t rank = attribute.rank[attribute.column->codes[group]];
      original.add_spans(a, label.codes[group], {{rank, rank}}, records);
    }
  }
  original.settle();

  NaiveBayes released(input, labels);
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const CellReader reader(input.attributes[a]);
    const RecodedColumn& column = recoding.columns[a];
    // Cells with the same label add up first: there are far fewer pairs than records.
    std::vector<double> weight(column.values.size() * labels, 0);
    for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
      if (!trains[recoding.groups[i]]) continue;
      const auto records = static_cast<double>(recoding.counts[i]);
      const Code of = label.codes[recoding.groups[i]];
      weight[column.codes[i] * labels + of] += records;
      if (a == 0) released.add_label(of, records);
    }
    for (std::size_t cell = 0; cell < column.values.size(); ++cell) {
      const auto spans = reader.spans(column.values[cell]);
      for (Code of = 0; of < labels; ++of) {
        if (weight[cell * labels + of] > 0) {
          released.add_spans(a, of, spans, weight[cell * labels + of]);
        }
      }
    }
  }
  released.settle();

  ClassificationAccuracy accuracy;
  double tested = 0;
  const Code majority = original.most_frequent();
  for (std::size_t group = 0; group < input.groups(); ++group) {
    const auto records = static_cast<double>((*input.counts)[group]);
    if (trains[group] || records == 0) continue;
    tested += records;
    const Code truth = label.codes[group];
    if (released.predict(group) == truth) accuracy.released += records;
    if (original.predict(group) == truth) accuracy.original += records;
    if (majority == truth) accuracy.majority += records;
  }
  if (tested > 0) {
    accuracy.released /= tested;
    accuracy.original /= tested;
    accuracy.majority /= tested;
  }
  return accuracy;
}

}  // namespace pratique::tables
