#include "pratique/fusion/rule_tuning.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace pratique::fusion {
namespace {

constexpr std::size_t kMostRows = 300;
constexpr int kRounds = 4;
constexpr std::array<double, 6> kSteps = {0.5, -0.5, 0.25, -0.25, 0.125, -0.125};
constexpr double kWorthIt = 1e-3;  // of the error, for another round

// One number of a variable: every corner that has this value, or one of a Gaussian's two.
struct Knob {
  std::size_t variable = 0;  // inputs first, then the output
  double value = 0;          // of corners
  std::optional<std::size_t> gaussian = {};
  bool deviation = false;
};

class Tuner {
 public:
  Tuner(const FuzzySystem& system, std::size_t output, const Observations& observations,
        const std::vector<double>& targets, Reading reading, Progress& progress)
      : system_(system),
        output_(output),
        observations_(observations),
        reading_(reading),
        progress_(progress) {
    std::vector<std::size_t> known;
    for (std::size_t row = 0; row < targets.size(); ++row) {
      if (!std::isnan(targets[row])) known.push_back(row);
    }
    const std::size_t used = std::min(kMostRows, known.size());
    for (std::size_t i = 0; i < used; ++i) {
      rows_.push_back(known[i * known.size() / used]);
      targets_.push_back(targets[rows_.back()]);
    }
    truths_.resize(system_.inputs.size());
    for (std::size_t v = 0; v < truths_.size(); ++v) truths_[v] = fuzzified(v);
  }

  Tuned run() {
    Tuned tuned;
    double error = this->error();
    tuned.error_before = error;
    progress_.begin("tuning the rules", static_cast<std::uint64_t>(kRounds) * knobs().size());
    for (int round = 0; round < kRounds && !rows_.empty(); ++round) {
      const double began = error;
      for (std::size_t v = 0; v <= system_.inputs.size(); ++v) {
        // Corners move, so they are looked up by their place, not by their value.
        for (std::size_t place = 0; place < knobs_of(v).size(); ++place) {
          for (const double step : kSteps) {
            if (try_move(v, place, step, error)) {
              ++tuned.moves;
              break;
            }
          }
          progress_.advance(1);
        }
      }
      if (began - error < kWorthIt * began) break;
    }
    tuned.error_after = error;
    tuned.system = std::move(system_);
    return tuned;
  }

 private:
  Variable& variable(std::size_t v) {
    return v < system_.inputs.size() ? system_.inputs[v]
                                     : static_cast<Variable&>(system_.outputs[output_]);
  }

  std::vector<Knob> knobs_of(std::size_t v) {
    std::vector<Knob> knobs;
    std::vector<double> corners;
    const Variable& of = variable(v);
    for (std::size_t t = 0; t < of.terms.size(); ++t) {
      const FuzzySet& set = of.terms[t].set;
      if (const auto* linear = std::get_if<LinearSet>(&set)) {
        for (const auto& point : linear->points) corners.push_back(point.x);
      } else if (std::holds_alternative<GaussianSet>(set)) {
        knobs.push_back({v, 0, t, false});
        knobs.push_back({v, 0, t, true});
      } else if (v == system_.inputs.size()) {
        corners.push_back(std::get<Singleton>(set).at);
      }
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    for (const double corner : corners) knobs.push_back({v, corner, {}, false});
    return knobs;
  }

  std::vector<Knob> knobs() {
    std::vector<Knob> all;
    for (std::size_t v = 0; v <= system_.inputs.size(); ++v) {
      const auto some = knobs_of(v);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  // The neighbours that a corner may not pass; the outermost may go as far out as the sets are
  // wide.
  Interval room(const std::vector<Knob>& knobs, std::size_t place) {
    const Interval domain = variable(knobs[place].variable).domain();
    const double value = knobs[place].value;
    const double width = domain.high - domain.low;
    Interval free{value - width, value + width};
    for (const auto& other : knobs) {
      if (other.gaussian) continue;
      if (other.value < value) free.low = std::max(free.low, other.value);
      if (other.value > value) free.high = std::min(free.high, other.value);
    }
    return free;
  }

  bool try_move(std::size_t v, std::size_t place, double step, double& error) {
    const auto knobs = knobs_of(v);
    const Knob& knob = knobs[place];
    Variable& of = variable(v);
    const Variable before = of;
    if (knob.gaussian) {
      auto& set = std::get<GaussianSet>(of.terms[*knob.gaussian].set);
      if (knob.deviation) {
        set.deviation *= 1 + step;
      } else {
        set.mean += step * 2 * set.deviation;
      }
    } else {
      const Interval free = room(knobs, place);
      const double moved = step > 0 ? knob.value + step * (free.high - knob.value)
                                    : knob.value + step * (knob.value - free.low);
      if (!std::isfinite(moved) || moved <= free.low || moved >= free.high) return false;
      move_corners(of, knob.value, moved, v == system_.inputs.size());
    }
    std::vector<std::vector<Truth>> kept;
    if (v < truths_.size()) {
      kept = std::move(truths_[v]);
      truths_[v] = fuzzified(v);
    }
    const double now = this->error();
    if (now < error) {
      error = now;
      return true;
    }
    of = before;
    if (v < truths_.size()) truths_[v] = std::move(kept);
    return false;
  }

  static void move_corners(Variable& of, double from, double to, bool singletons) {
    for (auto& term : of.terms) {
      if (auto* linear = std::get_if<LinearSet>(&term.set)) {
        for (auto& point : linear->points) {
          if (point.x == from) point.x = to;
        }
      } else if (auto* single = std::get_if<Singleton>(&term.set);
                 single != nullptr && singletons) {
        if (single->at == from) single->at = to;
      }
    }
  }

  std::vector<std::vector<Truth>> fuzzified(std::size_t v) const {
    std::vector<std::vector<Truth>> truths(observations_.inputs[v].values.size());
    for (const auto row : rows_) {
      const auto value = observations_.inputs[v].of_row[row];
      if (truths[value].empty()) {
        truths[value] = fuzzify(system_.inputs[v], observations_.inputs[v].values[value], reading_);
      }
    }
    return truths;
  }

  [[nodiscard]] double error() {
    progress_.check();
    const Inference inference(system_, output_);
    std::vector<const Truth*> truths(truths_.size());
    double squares = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::size_t v = 0; v < truths.size(); ++v) {
        truths[v] = truths_[v][observations_.inputs[v].of_row[rows_[i]]].data();
      }
      const double off = inference.estimate(truths).value - targets_[i];
      squares += off * off;
    }
    return rows_.empty() ? 0 : squares / static_cast<double>(rows_.size());
  }

  FuzzySystem system_;
  std::size_t output_;
  const Observations& observations_;
  Reading reading_;
  Progress& progress_;
  std::vector<std::size_t> rows_;
  std::vector<double> targets_;
  std::vector<std::vector<std::vector<Truth>>> truths_;  // by input, value, term
};

}  // namespace

Tuned tune(const FuzzySystem& system, std::size_t output, const Observations& observations,
           const std::vector<double>& targets, Reading reading, Progress& progress) {
  return Tuner(system, output, observations, targets, reading, progress).run();
}

}  // namespace pratique::fusion
