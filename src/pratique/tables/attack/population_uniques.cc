#include "pratique/tables/attack/population_uniques.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace pratique::tables {
namespace {

// How many classes have a size.
using ClassesBySize = std::map<std::uint64_t, std::uint64_t>;

// Where the function is largest between the ends, if it rises and then falls.
template <class Function>
double place_of_maximum(double low, double high, const Function& function) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double left = high - golden * (high - low);
  double right = low + golden * (high - low);
  double at_left = function(left);
  double at_right = function(right);
  constexpr int kSteps = 60;
  for (int step = 0; step < kSteps && high - low > 1e-9; ++step) {
    if (at_left < at_right) {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = function(right);
    } else {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = function(left);
    }
  }
  return (low + high) / 2;
}

// Pitman's sampling formula with 0 < alpha < 1 and theta > -alpha.
class PitmanSample {
 public:
  explicit PitmanSample(const ClassesBySize& classes) : classes_(classes) {
    for (const auto& [size, count] : classes) {
      records_ += static_cast<double>(size * count);
      count_ += static_cast<double>(count);
    }
  }

  // Up to what depends on neither: log of the product over i = 1 .. u - 1 of (theta + i alpha),
  // less that over i = 1 .. n - 1 of (theta + i), and for each class of j records the product over
  // i = 1 .. j - 1 of (i - alpha).
  [[nodiscard]] double log_likelihood(double theta, double alpha) const {
    double sum = (count_ - 1) * std::log(alpha) + std::lgamma(theta / alpha + count_) -
                 std::lgamma(theta / alpha + 1) - std::lgamma(theta + records_) +
                 std::lgamma(theta + 1);
    const double alone = std::lgamma(1 - alpha);
    for (const auto& [size, count] : classes_) {
      sum += static_cast<double>(count) * (std::lgamma(static_cast<double>(size) - alpha) - alone);
    }
    return sum;
  }

  // The chance that a record that is alone stays so until there are so many people.
  [[nodiscard]] double chance_to_stay_alone(double population) const {
    constexpr double kLeast = 1e-4;
    constexpr double kMost = 1 - 1e-6;
    // theta + alpha runs over all magnitudes.
    const double largest = std::log(1e3 * records_ + 1);
    const auto theta_of = [&](double alpha) {
      return std::exp(place_of_maximum(std::log(1e-6), largest,
                                       [&](double exponent) {
                                         return log_likelihood(std::exp(exponent) - alpha, alpha);
                                       })) -
             alpha;
    };
    const double alpha = place_of_maximum(
        kLeast, kMost, [&](double tried) { return log_likelihood(theta_of(tried), tried); });
    const double theta = theta_of(alpha);
    const auto to = [&](double people) {
      return std::lgamma(theta + alpha + people - 1) - std::lgamma(theta + people);
    };
    return std::exp(to(population) - to(records_));
  }

 private:
  const ClassesBySize& classes_;
  double records_ = 0;
  double count_ = 0;
};

// 1 + X people in a class, X negative binomial (a, p), of whom each is drawn with the chance pi.
class NegativeBinomialSample {
 public:
  NegativeBinomialSample(const ClassesBySize& classes, double chance)
      : classes_(classes), chance_(chance) {
    for (const auto& [size, count] : classes) {
      records_ += static_cast<double>(size * count);
      count_ += static_cast<double>(count);
    }
  }

  // The chance that a record that is alone in the sample is alone among all.
  [[nodiscard]] double chance_to_be_alone() const {
    const double exponent = place_of_maximum(std::log(1e-4), std::log(1e4), [&](double log_a) {
      const double a = std::exp(log_a);
      return log_likelihood(a, p_of(a));
    });
    const double a = std::exp(exponent);
    const double p = p_of(a);
    return std::min(1.0, chance_ * std::pow(p, a) / std::exp(log_drawn(1, a, p)));
  }

 private:
  [[nodiscard]] double of_drawn(double p) const { return p / (p + chance_ * (1 - p)); }

  // Of negative binomial numbers.
  [[nodiscard]] static double log_number(double i, double a, double p) {
    return std::lgamma(a + i) - std::lgamma(a) - std::lgamma(i + 1) + a * std::log(p) +
           (i > 0 ? i * std::log1p(-p) : 0);
  }

  // That i people of a class are in the sample.
  [[nodiscard]] double log_drawn(double i, double a, double p) const {
    const double drawn = of_drawn(p);
    const double others = (1 - chance_) * std::exp(log_number(i, a, drawn));
    return std::log(chance_ * (i > 0 ? std::exp(log_number(i - 1, a, drawn)) : 0) + others);
  }

  [[nodiscard]] double seen(double a, double p) const {
    return 1 - (1 - chance_) * std::pow(of_drawn(p), a);
  }

  // By which the classes that are seen have so many records each: the fewer the larger p.
  [[nodiscard]] double p_of(double a) const {
    const double wanted = records_ / count_;
    double low = -30;  // log p
    double high = -1e-12;
    constexpr int kSteps = 80;
    for (int step = 0; step < kSteps; ++step) {
      const double middle = (low + high) / 2;
      const double p = std::exp(middle);
      const double mean = chance_ * (1 + a * (1 - p) / p) / seen(a, p);
      (mean > wanted ? low : high) = middle;
    }
    return std::exp((low + high) / 2);
  }

  [[nodiscard]] double log_likelihood(double a, double p) const {
    double sum = -count_ * std::log(seen(a, p));
    for (const auto& [size, count] : classes_)
      sum += static_cast<double>(count) * log_drawn(static_cast<double>(size), a, p);
    return std::isfinite(sum) ? sum : -std::numeric_limits<double>::max();
  }

  const ClassesBySize& classes_;
  double chance_;
  double records_ = 0;
  double count_ = 0;
};

double log_choose(double all, double some) {
  return std::lgamma(all + 1) - std::lgamma(some + 1) - std::lgamma(all - some + 1);
}

double zayatz_chance(const ClassesBySize& classes, double records, double population) {
  // That of `size` people one is drawn, and all the others of the sample are of the others.
  const auto drawn_once = [&](double size) {
    if (population - size < records - 1) return 0.0;
    return size *
           std::exp(log_choose(population - size, records - 1) - log_choose(population, records));
  };
  double all = 0;
  double alone = 0;
  for (const auto& [size, count] : classes) {
    const double part = static_cast<double>(count) * drawn_once(static_cast<double>(size));
    all += part;
    if (size == 1) alone = part;
  }
  return all > 0 ? alone / all : 0;
}

}  // namespace

PopulationUniques estimate_population_uniques(const std::vector<std::uint64_t>& class_sizes,
                                              std::uint64_t population) {
  ClassesBySize classes;
  for (const auto size : class_sizes) ++classes[size];
  const auto records = std::accumulate(class_sizes.begin(), class_sizes.end(), std::uint64_t{0});
  PopulationUniques result;
  result.population = population;
  const auto n = static_cast<double>(records);
  const auto people = static_cast<double>(population);
  result.sampling_fraction = population > 0 ? n / people : 0;
  const auto alone = classes.find(1);
  if (alone == classes.end()) return result;
  result.sample = alone->second;
  const auto uniques = static_cast<double>(result.sample);
  result.zayatz = uniques * zayatz_chance(classes, n, people);
  // Nobody shares a class with anybody in the sample: no model is likelier than another.
  const bool any_alike = classes.size() > 1;
  result.snb = uniques * (population > records && any_alike
                              ? NegativeBinomialSample(classes, n / people).chance_to_be_alone()
                              : 1);
  result.pitman =
      uniques * (population > records ? PitmanSample(classes).chance_to_stay_alone(people) : 1);
  return result;
}

}  // namespace pratique::tables
