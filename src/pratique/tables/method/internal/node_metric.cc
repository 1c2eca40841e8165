#include "pratique/tables/method/internal/node_metric.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "pratique/tables/metric/metrics.h"

namespace pratique::tables::internal {
namespace {

// By node: what a cell of it costs, as the metrics of a release say.
std::vector<double> cell_losses(LevelMetric metric, const Attribute& attribute) {
  if (metric == LevelMetric::ncp) return node_penalties(attribute);
  return node_losses(attribute);
}

// LM and NCP: the mean over all cells of a loss between 0 and 1 that grows with the level.
//
// Bound: let s records be suppressed for sure. They cost `cell` in each of their m cells. Each of
// the others costs the less of its loss and (suppressed) m * cell: a concave function of its loss,
// hence no less than the straight line between its ends, the least and the largest loss that a
// record can have at these levels. The losses of the others are at least all losses less the s
// largest of each attribute.
class CellLoss final : public NodeMetric {
 public:
  CellLoss(LevelMetric metric, const ProtectionInput& input, const std::vector<LevelCodes>& codes,
           double suppressed_cell)
      : cell_(suppressed_cell),
        records_(records_of(input)),
        cells_(static_cast<double>(records_ * codes.size())) {
    for (std::size_t a = 0; a < codes.size(); ++a) {
      std::vector<std::uint64_t> lowest(codes[a].distinct(0), 0);
      const auto& column = input.attributes[a].column->codes;
      for (std::size_t group = 0; group < column.size(); ++group) {
        lowest[codes[a].lowest()[column[group]]] += (*input.counts)[group];
      }
      const std::vector<double> losses = cell_losses(metric, input.attributes[a]);
      auto& levels = attributes_.emplace_back();
      for (int level = 0; level < codes[a].height(); ++level) {
        Level& at = levels.emplace_back();
        at.records.resize(codes[a].distinct(level), 0);
        const auto& raise = codes[a].raise(0, level);
        for (std::size_t code = 0; code < lowest.size(); ++code) {
          at.records[raise[code]] += lowest[code];
        }
        for (Code code = 0; code < at.records.size(); ++code) {
          at.loss.push_back(losses[codes[a].node(level, code)]);
          at.total += at.loss[code] * static_cast<double>(at.records[code]);
          at.largest_first.push_back(code);
        }
        std::stable_sort(at.largest_first.begin(), at.largest_first.end(),
                         [&](Code x, Code y) { return at.loss[x] > at.loss[y]; });
      }
    }
  }

  [[nodiscard]] double cost(const Levels& levels, const NodeOutcome& outcome) const override {
    if (cells_ == 0) return 0;
    double sum = suppressed_cost(outcome.suppressed);
    for (std::size_t a = 0; a < levels.size(); ++a) {
      const Level& at = level(a, levels[a]);
      for (std::size_t code = 0; code < at.loss.size(); ++code) {
        sum += at.loss[code] *
               static_cast<double>(at.records[code] - outcome.suppressed_by_code[a][code]);
      }
    }
    return sum / cells_;
  }

  [[nodiscard]] double lower_bound(const Levels& levels, std::uint64_t suppressed) const override {
    if (cells_ == 0) return 0;
    double rest = 0;
    double least = 0;
    double largest = 0;
    for (std::size_t a = 0; a < levels.size(); ++a) {
      const Level& at = level(a, levels[a]);
      rest += at.total;
      least += at.loss[at.largest_first.back()];
      largest += at.loss[at.largest_first.front()];
      std::uint64_t left = suppressed;
      for (const Code code : at.largest_first) {
        if (left == 0) break;
        const std::uint64_t taken = std::min(left, at.records[code]);
        rest -= at.loss[code] * static_cast<double>(taken);
        left -= taken;
      }
    }
    const auto others = static_cast<double>(records_ - suppressed);
    const double whole = cell_ * static_cast<double>(levels.size());
    const double from = std::min(least, whole);
    const double rise = largest > least ? (std::min(largest, whole) - from) / (largest - least) : 0;
    const double kept = others * from + rise * std::max(0.0, rest - others * least);
    return (kept + suppressed_cost(suppressed)) / cells_;
  }

 private:
  struct Level {
    std::vector<double> loss;            // by code
    std::vector<std::uint64_t> records;  // by code
    double total = 0;
    std::vector<Code> largest_first;  // by loss
  };
  [[nodiscard]] const Level& level(std::size_t a, int level) const {
    return attributes_[a][static_cast<std::size_t>(level)];
  }
  [[nodiscard]] double suppressed_cost(std::uint64_t suppressed) const {
    return cell_ * static_cast<double>(suppressed * attributes_.size());
  }

  std::vector<std::vector<Level>> attributes_;
  double cell_;
  std::uint64_t records_;
  double cells_;
};

// What a metric on class sizes knows of a node before its classes are counted.
class ClassBound {
 public:
  ClassBound(const ProtectionInput& input, const std::vector<LevelCodes>& codes)
      : codes_(codes), records_(static_cast<double>(records_of(input))) {
    groups_ = static_cast<double>(std::count_if(input.counts->begin(), input.counts->end(),
                                                [](std::uint64_t count) { return count > 0; }));
  }
  [[nodiscard]] double records() const { return records_; }
  [[nodiscard]] double most_classes(const Levels& levels) const {
    double cells = 1;
    for (std::size_t a = 0; a < levels.size(); ++a) {
      cells *= static_cast<double>(codes_[a].distinct(levels[a]));
    }
    return std::min(cells, groups_);
  }

 private:
  const std::vector<LevelCodes>& codes_;
  double records_;
  double groups_;
};

class Discernibility final : public NodeMetric {
 public:
  explicit Discernibility(ClassBound bound) : bound_(bound) {}

  [[nodiscard]] double cost(const Levels& /*levels*/, const NodeOutcome& outcome) const override {
    return static_cast<double>(outcome.squares) +
           static_cast<double>(outcome.suppressed) * bound_.records();
  }
  // A suppressed record costs no less than its class would, and C classes of n records have a sum
  // of squares of at least n * n / C.
  [[nodiscard]] double lower_bound(const Levels& levels, std::uint64_t suppressed) const override {
    const double rest = bound_.records() - static_cast<double>(suppressed);
    const double classes = bound_.most_classes(levels);
    return static_cast<double>(suppressed) * bound_.records() +
           (classes > 0 ? rest * rest / classes : 0);
  }

 private:
  ClassBound bound_;
};

class AverageClassSize final : public NodeMetric {
 public:
  AverageClassSize(ClassBound bound, std::uint64_t allowed) : bound_(bound), allowed_(allowed) {}

  [[nodiscard]] double cost(const Levels& /*levels*/, const NodeOutcome& outcome) const override {
    return size(bound_.records() - static_cast<double>(outcome.suppressed),
                static_cast<double>(outcome.classes));
  }
  // As many records as may be are suppressed, and no class has fewer than one.
  [[nodiscard]] double lower_bound(const Levels& levels,
                                   std::uint64_t /*suppressed*/) const override {
    const double left = std::max(0.0, bound_.records() - static_cast<double>(allowed_));
    return std::max(bound_.records() > 0 ? 1.0 : 0.0, size(left, bound_.most_classes(levels)));
  }

 private:
  [[nodiscard]] double size(double records, double classes) const {
    if (bound_.records() == 0) return 0;
    return classes > 0 ? records / classes : std::numeric_limits<double>::infinity();
  }
  ClassBound bound_;
  std::uint64_t allowed_;
};

class SuppressedRecords final : public NodeMetric {
 public:
  [[nodiscard]] double cost(const Levels& /*levels*/, const NodeOutcome& outcome) const override {
    return static_cast<double>(outcome.suppressed);
  }
  [[nodiscard]] double lower_bound(const Levels& /*levels*/,
                                   std::uint64_t suppressed) const override {
    return static_cast<double>(suppressed);
  }
};

}  // namespace

std::unique_ptr<NodeMetric> NodeMetric::make(LevelMetric metric, const ProtectionInput& input,
                                             const std::vector<LevelCodes>& codes,
                                             double suppressed_cell, std::uint64_t allowed) {
  switch (metric) {
    case LevelMetric::dm:
      return std::make_unique<Discernibility>(ClassBound(input, codes));
    case LevelMetric::c_avg:
      return std::make_unique<AverageClassSize>(ClassBound(input, codes), allowed);
    case LevelMetric::suppressed:
      return std::make_unique<SuppressedRecords>();
    case LevelMetric::lm:
    case LevelMetric::ncp:
      break;
  }
  return std::make_unique<CellLoss>(metric, input, codes, suppressed_cell);
}

}  // namespace pratique::tables::internal
