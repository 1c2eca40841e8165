#include "pratique/fusion/inference.h"

#include <algorithm>
#include <cmath>

namespace pratique::fusion {
namespace {

constexpr std::size_t kCells = 512;

double both(Conjunction how, double a, double b) {
  switch (how) {
    case Conjunction::minimum:
      return std::min(a, b);
    case Conjunction::product:
      return a * b;
    case Conjunction::bounded:
      break;
  }
  return std::max(0.0, a + b - 1);
}

double either(Disjunction how, double a, double b) {
  switch (how) {
    case Disjunction::maximum:
      return std::max(a, b);
    case Disjunction::probabilistic:
      return a + b - a * b;
    case Disjunction::bounded:
      break;
  }
  return std::min(1.0, a + b);
}

double added(Accumulation how, double a, double b) {
  switch (how) {
    case Accumulation::maximum:
      return std::max(a, b);
    case Accumulation::probabilistic:
      return a + b - a * b;
    case Accumulation::bounded_sum:
      return std::min(1.0, a + b);
    case Accumulation::normalised_sum:
      break;
  }
  return a + b;
}

// The larger truth is that of the condition: whether it may hold.
double truth_of(const Rule& rule, const RuleBlock& block, std::span<const Truth* const> inputs,
                std::vector<Truth>& nodes) {
  nodes.clear();
  for (const auto& node : rule.condition) {
    switch (node.kind) {
      case ConditionNode::Kind::is:
        nodes.push_back(inputs[node.left][node.right]);
        break;
      case ConditionNode::Kind::negation:
        nodes.push_back({1 - nodes[node.left].most, 1 - nodes[node.left].least});
        break;
      case ConditionNode::Kind::conjunction: {
        const Truth a = nodes[node.left];
        const Truth b = nodes[node.right];
        nodes.push_back(
            {both(block.conjunction, a.least, b.least), both(block.conjunction, a.most, b.most)});
        break;
      }
      case ConditionNode::Kind::disjunction: {
        const Truth a = nodes[node.left];
        const Truth b = nodes[node.right];
        nodes.push_back({either(block.disjunction, a.least, b.least),
                         either(block.disjunction, a.most, b.most)});
        break;
      }
    }
  }
  return nodes.back().most;
}

}  // namespace

std::vector<Truth> fuzzify(const Variable& variable, const Input& input, Reading reading) {
  const Interval domain = variable.domain();
  Input known = input;
  if (known.empty()) known.push_back(domain);
  // An interval without an end reaches as far as the sets do.
  for (auto& interval : known) {
    if (std::isinf(interval.low)) interval.low = std::min(domain.low, interval.high);
    if (std::isinf(interval.high)) interval.high = std::max(domain.high, interval.low);
  }
  std::vector<Truth> truths;
  for (const auto& term : variable.terms) {
    Truth truth{1, 0};
    double mean = 0;
    for (const auto& interval : known) {
      const Truth bounds = membership_over(term.set, interval);
      truth.least = std::min(truth.least, bounds.least);
      truth.most = std::max(truth.most, bounds.most);
      mean += mean_membership(term.set, interval) / static_cast<double>(known.size());
    }
    mean = std::min(mean, 1.0);
    truths.push_back(reading == Reading::possible ? truth : Truth{mean, mean});
  }
  return truths;
}

Inference::Inference(const FuzzySystem& system, std::size_t output)
    : system_(system), output_(output) {
  const OutputVariable& variable = system.outputs[output];
  const auto [low, high] = variable.domain();
  if (variable.method == Defuzzification::singletons || !(low < high)) return;
  const double width = (high - low) / static_cast<double>(kCells);
  for (std::size_t c = 0; c < kCells; ++c) edges_.push_back(low + width * static_cast<double>(c));
  edges_.push_back(high);
  for (const auto& term : variable.terms) {
    if (const auto* linear = std::get_if<LinearSet>(&term.set)) {
      for (const auto& point : linear->points) {
        if (low < point.x && point.x < high) edges_.push_back(point.x);
      }
    }
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  for (const auto& term : variable.terms) {
    std::vector<double>& heights = degrees_.emplace_back();
    for (std::size_t c = 0; c + 1 < edges_.size(); ++c) {
      const double from = edges_[c];
      const double to = edges_[c + 1];
      if (std::holds_alternative<GaussianSet>(term.set)) {
        heights.push_back(membership(term.set, from));
        heights.push_back(membership(term.set, to));
        continue;
      }
      // A step may stand at the edge: the straight line inside says what the height is on this
      // side.
      const double near = membership(term.set, from + (to - from) / 3);
      const double far = membership(term.set, from + 2 * (to - from) / 3);
      heights.push_back(std::clamp(2 * near - far, 0.0, 1.0));
      heights.push_back(std::clamp(2 * far - near, 0.0, 1.0));
    }
    std::size_t first = 0;
    std::size_t last = heights.size();
    while (first < last && heights[first] == 0) ++first;
    while (last > first && heights[last - 1] == 0) --last;
    reach_.emplace_back(first, last);
  }
}

void Inference::fire(std::span<const Truth* const> inputs, std::vector<Fired>& fired) const {
  thread_local std::vector<Truth> nodes;
  fired.clear();
  for (const auto& block : system_.blocks) {
    for (const auto& rule : block.rules) {
      const double degree = rule.weight * truth_of(rule, block, inputs, nodes);
      if (degree <= 0) continue;
      for (const auto& conclusion : rule.conclusions) {
        if (conclusion.output != output_) continue;
        fired.push_back({conclusion.term, degree, block.activation});
      }
    }
  }
  if (system_.accumulation != Accumulation::maximum) return;
  // Of the rules with one conclusion only the strongest shows.
  std::sort(fired.begin(), fired.end(), [](const Fired& a, const Fired& b) {
    if (a.term != b.term) return a.term < b.term;
    if (a.activation != b.activation) return a.activation < b.activation;
    return a.degree > b.degree;
  });
  fired.erase(std::unique(fired.begin(), fired.end(),
                          [](const Fired& a, const Fired& b) {
                            return a.term == b.term && a.activation == b.activation;
                          }),
              fired.end());
}

void Inference::accumulate(const std::vector<Fired>& fired, std::vector<double>& heights) const {
  const std::size_t size = 2 * (edges_.size() - 1);
  heights.assign(size, 0);
  const Accumulation how = system_.accumulation;
  for (const auto& firing : fired) {
    const double* degrees = degrees_[firing.term].data();
    const double degree = firing.degree;
    const auto [first, last] = reach_[firing.term];
    if (how == Accumulation::maximum && firing.activation == Activation::minimum) {
      for (std::size_t i = first; i < last; ++i) {
        heights[i] = std::max(heights[i], std::min(degree, degrees[i]));
      }
      continue;
    }
    for (std::size_t i = first; i < last; ++i) {
      const double height = firing.activation == Activation::minimum ? std::min(degree, degrees[i])
                                                                     : degree * degrees[i];
      heights[i] = added(how, heights[i], height);
    }
  }
  if (how == Accumulation::normalised_sum) {
    const double most = *std::max_element(heights.begin(), heights.end());
    if (most > 1) {
      for (auto& height : heights) height /= most;
    }
  }
}

double Inference::centroid(const std::vector<double>& heights) const {
  double area = 0;
  double moment = 0;
  for (std::size_t c = 0; c + 1 < edges_.size(); ++c) {
    const double width = edges_[c + 1] - edges_[c];
    const double left = heights[2 * c];
    const double right = heights[2 * c + 1];
    area += width * (left + right) / 2;
    moment += width * (edges_[c] * (left + right) / 2 + width * (left + 2 * right) / 6);
  }
  return area > 0 ? moment / area : std::nan("");
}

double Inference::bisector(const std::vector<double>& heights) const {
  const auto area_of = [&](std::size_t c) {
    return (edges_[c + 1] - edges_[c]) * (heights[2 * c] + heights[2 * c + 1]) / 2;
  };
  double area = 0;
  for (std::size_t c = 0; c + 1 < edges_.size(); ++c) area += area_of(c);
  if (area <= 0) return std::nan("");
  double wanted = area / 2;
  for (std::size_t c = 0; c + 1 < edges_.size(); ++c) {
    const double here = area_of(c);
    if (here < wanted) {
      wanted -= here;
      continue;
    }
    const double width = edges_[c + 1] - edges_[c];
    const double left = heights[2 * c];
    const double rise = heights[2 * c + 1] - left;
    const double share =
        std::abs(rise) < 1e-12
            ? wanted / (width * left)
            : (std::sqrt(std::max(0.0, left * left + 2 * rise * wanted / width)) - left) / rise;
    return edges_[c] + width * std::clamp(share, 0.0, 1.0);
  }
  return edges_.back();
}

double Inference::of_maxima(const std::vector<double>& heights) const {
  const double most = *std::max_element(heights.begin(), heights.end());
  if (most <= 0) return std::nan("");
  const auto is_most = [&](std::size_t i) { return heights[i] >= most - 1e-12; };
  const auto place = [&](std::size_t i) { return edges_[(i + 1) / 2]; };
  const Defuzzification method = system_.outputs[output_].method;
  if (method == Defuzzification::leftmost) {
    for (std::size_t i = 0; i < heights.size(); ++i) {
      if (is_most(i)) return place(i);
    }
  }
  if (method == Defuzzification::rightmost) {
    for (std::size_t i = heights.size(); i-- > 0;) {
      if (is_most(i)) return place(i);
    }
  }
  // Flat tops by their length; where there is none, the single highest points.
  double length = 0;
  double sum = 0;
  for (std::size_t c = 0; c + 1 < edges_.size(); ++c) {
    if (!is_most(2 * c) || !is_most(2 * c + 1)) continue;
    const double width = edges_[c + 1] - edges_[c];
    length += width;
    sum += width * (edges_[c] + edges_[c + 1]) / 2;
  }
  if (length > 0) return sum / length;
  double points = 0;
  double last = std::nan("");
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (!is_most(i) || place(i) == last) continue;
    last = place(i);
    sum += last;
    ++points;
  }
  return sum / points;
}

double Inference::of_singletons(const std::vector<Fired>& fired) const {
  const OutputVariable& variable = system_.outputs[output_];
  std::vector<double> degrees(variable.terms.size(), 0);
  for (const auto& firing : fired) {
    degrees[firing.term] = added(system_.accumulation, degrees[firing.term], firing.degree);
  }
  double weight = 0;
  double sum = 0;
  for (std::size_t t = 0; t < degrees.size(); ++t) {
    weight += degrees[t];
    sum += degrees[t] * std::get<Singleton>(variable.terms[t].set).at;
  }
  return weight > 0 ? sum / weight : std::nan("");
}

double Inference::defuzzify(const std::vector<Fired>& fired) const {
  const OutputVariable& variable = system_.outputs[output_];
  if (variable.method == Defuzzification::singletons) return of_singletons(fired);
  if (edges_.empty()) return variable.domain().low;
  thread_local std::vector<double> heights;
  accumulate(fired, heights);
  if (variable.method == Defuzzification::centroid) return centroid(heights);
  if (variable.method == Defuzzification::bisector) return bisector(heights);
  return of_maxima(heights);
}

Inference::Estimate Inference::estimate(std::span<const Truth* const> inputs) const {
  thread_local std::vector<Fired> fired;
  fire(inputs, fired);
  const double value = fired.empty() ? std::nan("") : defuzzify(fired);
  if (!std::isnan(value)) return {value, true};
  const OutputVariable& variable = system_.outputs[output_];
  const auto [low, high] = variable.domain();
  return {variable.default_value.value_or(low + (high - low) / 2), false};
}

}  // namespace pratique::fusion
