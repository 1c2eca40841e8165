#include "pratique/fusion/regression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "pratique/core/parallel.h"

namespace pratique::fusion {
namespace {

constexpr std::size_t kMostValues = 100;  // of a column that become flags
constexpr std::uint64_t kFewestSharing = 3;
constexpr std::size_t kFolds = 5;
constexpr std::size_t kRowsPerBlock = 4096;
constexpr std::array<double, 5> kPenalties = {0.1, 1, 10, 100, 1000};

// Sums over rows of x x^T, x y, x and y: all that least squares needs. Sums of parts add up, so
// that cross-validation subtracts a fold instead of summing anew.
struct Moments {
  explicit Moments(std::size_t features) : p(features), xx(p * p, 0), xy(p, 0), x(p, 0) {}

  void add(const double* row, double target) {
    for (std::size_t i = 0; i < p; ++i) {
      if (row[i] == 0) continue;
      for (std::size_t j = 0; j <= i; ++j) xx[i * p + j] += row[i] * row[j];
      xy[i] += row[i] * target;
      x[i] += row[i];
    }
    y += target;
    ++rows;
  }
  void add(const Moments& other, double sign) {
    const auto combine = [&](std::vector<double>& to, const std::vector<double>& from) {
      for (std::size_t i = 0; i < to.size(); ++i) to[i] += sign * from[i];
    };
    combine(xx, other.xx);
    combine(xy, other.xy);
    combine(x, other.x);
    y += sign * other.y;
    rows += sign * other.rows;
  }

  std::size_t p;
  std::vector<double> xx;  // below and on the diagonal
  std::vector<double> xy;
  std::vector<double> x;
  double y = 0;
  double rows = 0;
};

struct Fit {
  std::vector<double> weights;
  double constant = 0;
};

// Solves (X^T X - x x^T / n + penalty I) w = X^T y - x y / n by Cholesky; the penalty makes the
// matrix positive definite.
Fit solve(const Moments& sums, double penalty) {
  const std::size_t p = sums.p;
  std::vector<double> a(p * p, 0);
  Fit fit;
  fit.weights.resize(p);
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      a[i * p + j] = sums.xx[i * p + j] - sums.x[i] * sums.x[j] / sums.rows;
    }
    a[i * p + i] += penalty;
    fit.weights[i] = sums.xy[i] - sums.x[i] * sums.y / sums.rows;
  }
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i * p + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * p + k] * a[j * p + k];
      a[i * p + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / a[j * p + j];
    }
  }
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t k = 0; k < i; ++k) fit.weights[i] -= a[i * p + k] * fit.weights[k];
    fit.weights[i] /= a[i * p + i];
  }
  for (std::size_t i = p; i-- > 0;) {
    for (std::size_t k = i + 1; k < p; ++k) fit.weights[i] -= a[k * p + i] * fit.weights[k];
    fit.weights[i] /= a[i * p + i];
  }
  fit.constant = sums.y / sums.rows;
  for (std::size_t i = 0; i < p; ++i) fit.constant -= fit.weights[i] * sums.x[i] / sums.rows;
  return fit;
}

double apply(const Fit& fit, const double* row) {
  double value = fit.constant;
  for (std::size_t i = 0; i < fit.weights.size(); ++i) value += fit.weights[i] * row[i];
  return value;
}

double best_penalty(const std::vector<double>& matrix, const std::vector<double>& targets,
                    std::size_t p, const Moments& all, const std::vector<Moments>& folds) {
  double best = kPenalties.back();
  double least = std::numeric_limits<double>::infinity();
  for (const double penalty : kPenalties) {
    double squares = 0;
    for (std::size_t f = 0; f < folds.size(); ++f) {
      Moments rest = all;
      rest.add(folds[f], -1);
      const Fit fit = solve(rest, penalty);
      for (std::size_t row = f; row < targets.size(); row += folds.size()) {
        const double off = apply(fit, matrix.data() + row * p) - targets[row];
        squares += off * off;
      }
    }
    if (squares < least) {
      least = squares;
      best = penalty;
    }
  }
  return best;
}

}  // namespace

void RidgeRegression::choose_features(const People& people, const std::vector<std::size_t>& rows,
                                      const std::vector<std::string>& ignored) {
  for (const auto& name : column_names(people)) {
    if (std::find(ignored.begin(), ignored.end(), name) != ignored.end()) continue;
    const PeopleColumn column(people, name);
    std::map<std::string_view, std::uint64_t> counts;
    std::uint64_t known = 0;
    std::uint64_t numbers = 0;
    for (const auto row : rows) {
      const auto text = column.text(row);
      if (text.empty() || text == "*") continue;
      ++known;
      ++counts[text];
    }
    for (const auto& [text, count] : counts) numbers += std::isnan(middle_of(text)) ? 0 : count;
    if (known == 0) continue;
    if (10 * numbers >= 9 * known) {
      features_.push_back({name, Feature::Kind::number});
      if (known < rows.size()) features_.push_back({name, Feature::Kind::unknown});
      continue;
    }
    std::vector<std::pair<std::uint64_t, std::string_view>> shared;
    for (const auto& [text, count] : counts) {
      if (count >= kFewestSharing) shared.emplace_back(count, text);
    }
    std::sort(shared.begin(), shared.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    if (shared.size() > kMostValues) shared.resize(kMostValues);
    for (const auto& [count, text] : shared) {
      features_.push_back({name, Feature::Kind::value, std::string(text)});
    }
  }
}

std::vector<double> RidgeRegression::encode(const People& people,
                                            const std::vector<std::size_t>& rows) const {
  const std::size_t p = features_.size();
  std::vector<double> matrix(rows.size() * p, 0);
  std::map<std::string_view, double> middles;
  for (std::size_t f = 0; f < p; ++f) {
    const Feature& feature = features_[f];
    const PeopleColumn column(people, feature.column);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto text = column.text(rows[i]);
      double value = feature.mean;  // what is not known is as usual
      if (feature.kind == Feature::Kind::value) {
        value = text == feature.value ? 1 : 0;
      } else {
        const auto place = middles.find(text);
        const double middle =
            place != middles.end() ? place->second : (middles[text] = middle_of(text));
        if (feature.kind == Feature::Kind::unknown) {
          value = std::isnan(middle) ? 1 : 0;
        } else if (!std::isnan(middle)) {
          value = middle;
        }
      }
      matrix[i * p + f] = (value - feature.mean) / feature.deviation;
    }
  }
  return matrix;
}

RidgeRegression::RidgeRegression(const People& people, const std::vector<double>& targets,
                                 const std::vector<std::string>& ignored) {
  std::vector<std::size_t> rows;
  std::vector<double> known;
  for (std::size_t row = 0; row < targets.size(); ++row) {
    if (std::isnan(targets[row])) continue;
    rows.push_back(row);
    known.push_back(targets[row]);
  }
  choose_features(people, rows, ignored);
  const std::size_t p = features_.size();
  for (std::size_t f = 0; f < p; ++f) {
    const PeopleColumn column(people, features_[f].column);
    if (features_[f].kind != Feature::Kind::number) continue;
    double sum = 0;
    double count = 0;
    for (const auto row : rows) {
      const double middle = middle_of(column.text(row));
      if (std::isnan(middle)) continue;
      sum += middle;
      ++count;
    }
    features_[f].mean = count > 0 ? sum / count : 0;
  }
  std::vector<double> matrix = encode(people, rows);
  const auto n = static_cast<double>(rows.size());
  for (std::size_t f = 0; f < p; ++f) {
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) sum += matrix[i * p + f];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double off = matrix[i * p + f] - sum / n;
      squares += off * off;
    }
    const double deviation = squares > 0 ? std::sqrt(squares / n) : 1;
    if (features_[f].kind != Feature::Kind::number) features_[f].mean = sum / n;
    features_[f].deviation = deviation;
  }
  matrix = encode(people, rows);

  mean_target_ = std::accumulate(known.begin(), known.end(), 0.0) / n;
  std::vector<double> centred = known;
  for (auto& target : centred) target -= mean_target_;
  const std::size_t parts = std::min(kFolds, rows.size());
  std::vector<Moments> folds(parts, Moments(p));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    folds[i % parts].add(matrix.data() + i * p, centred[i]);
  }
  Moments all(p);
  for (const auto& fold : folds) all.add(fold, 1);
  penalty_ = parts < 2 ? kPenalties.back() : best_penalty(matrix, centred, p, all, folds);
  const Fit fit = solve(all, penalty_);
  weights_ = fit.weights;
  mean_target_ += fit.constant;
}

std::vector<double> RidgeRegression::estimate(const People& people) const {
  const Fit fit{weights_, mean_target_};
  std::vector<double> values(people.rows());
  parallel_blocks(values.size(), kRowsPerBlock, [&](std::size_t begin, std::size_t end) {
    std::vector<std::size_t> rows(end - begin);
    std::iota(rows.begin(), rows.end(), begin);
    const std::vector<double> matrix = encode(people, rows);
    for (const auto row : rows) {
      values[row] = apply(fit, matrix.data() + (row - begin) * weights_.size());
    }
  });
  return values;
}

}  // namespace pratique::fusion
