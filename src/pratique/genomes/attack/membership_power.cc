#include "pratique/genomes/attack/membership_power.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace pratique::genomes {
namespace {

double normal_tail(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

// P(X >= hits) for X binomial.
double binomial_tail(std::uint64_t hits, std::uint64_t of, double probability) {
  if (hits == 0) return 1;
  if (probability <= 0) return 0;
  if (probability >= 1) return 1;
  const auto n = static_cast<double>(of);
  double sum = 0;
  for (std::uint64_t k = hits; k <= of; ++k) {
    const auto x = static_cast<double>(k);
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) +
                    x * std::log(probability) + (n - x) * std::log1p(-probability));
  }
  return std::min(sum, 1.0);
}

}  // namespace

double normal_quantile(double probability) {
  if (probability <= 0) return -std::numeric_limits<double>::infinity();
  if (probability >= 1) return std::numeric_limits<double>::infinity();
  double low = -40;
  double high = 40;
  constexpr int kHalvings = 100;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (1 - normal_tail(middle) < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

NullDistribution::NullDistribution(std::vector<double> values) : values_(std::move(values)) {
  std::sort(values_.begin(), values_.end());
  if (values_.empty()) return;
  for (const double value : values_) mean_ += value;
  mean_ /= static_cast<double>(values_.size());
  double squares = 0;
  for (const double value : values_) squares += (value - mean_) * (value - mean_);
  if (values_.size() > 1) deviation_ = std::sqrt(squares / static_cast<double>(values_.size() - 1));
}

double NullDistribution::threshold(double rate) const {
  constexpr double kFewestBeyond = 5;
  const auto beyond = static_cast<std::size_t>(rate * static_cast<double>(values_.size()));
  if (static_cast<double>(beyond) >= kFewestBeyond) return values_[values_.size() - beyond - 1];
  return mean_ + deviation_ * normal_quantile(1 - rate);
}

double NullDistribution::lower_threshold(double rate) const {
  constexpr double kFewestBeyond = 5;
  const auto beyond = static_cast<std::size_t>(rate * static_cast<double>(values_.size()));
  if (static_cast<double>(beyond) >= kFewestBeyond) return values_[beyond];
  return mean_ - deviation_ * normal_quantile(1 - rate);
}

double NullDistribution::p_value(double value) const {
  if (deviation_ <= 0) return value > mean_ ? 0 : 1;
  return normal_tail((value - mean_) / deviation_);
}

MeasuredShare measured_share(std::uint64_t hits, std::uint64_t of) {
  MeasuredShare measured;
  if (of == 0) return measured;
  measured.share = static_cast<double>(hits) / static_cast<double>(of);
  constexpr double kEachSide = 0.025;
  constexpr int kHalvings = 60;
  const auto solve = [&](const auto& too_small) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      (too_small(middle) ? low : high) = middle;
    }
    return (low + high) / 2;
  };
  measured.low =
      hits == 0 ? 0 : solve([&](double p) { return binomial_tail(hits, of, p) < kEachSide; });
  measured.high =
      hits == of ? 1
                 : solve([&](double p) { return 1 - binomial_tail(hits + 1, of, p) > kEachSide; });
  return measured;
}

MeasuredShare power_at(const NullDistribution& null, const std::vector<double>& members,
                       double rate) {
  const double threshold = null.threshold(rate);
  const auto hits = std::count_if(members.begin(), members.end(),
                                  [&](double value) { return value > threshold; });
  return measured_share(static_cast<std::uint64_t>(hits), members.size());
}

double area_under_curve(const std::vector<double>& members, const std::vector<double>& others) {
  if (members.empty() || others.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted = others;
  std::sort(sorted.begin(), sorted.end());
  double pairs = 0;
  for (const double value : members) {
    const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), value);
    pairs += static_cast<double>(low - sorted.begin()) + 0.5 * static_cast<double>(high - low);
  }
  return pairs / (static_cast<double>(members.size()) * static_cast<double>(others.size()));
}

}  // namespace pratique::genomes
