#include "pratique/tables/method/randomised_release.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pratique/core/error.h"

namespace pratique::tables {
namespace {

constexpr double kShort = 1 - 1e-9;

void check_delta(double delta) {
  if (delta > 0 && delta < 1) return;
  throw Error::input(fmt::format("Delta-growth takes a Delta between 0 and 1, not {}", delta))
      .hint("0.2 lets no belief grow by more than 20 points");
}

void check_shares(std::size_t shares, std::size_t values) {
  if (shares == values) return;
  throw Error::input(fmt::format("{} shares do not match a matrix of {} values", shares, values))
      .hint("give one share per value of the domain");
}

}  // namespace

double amplification(const TransitionMatrix& matrix) {
  double gamma = 1;
  for (std::size_t y = 0; y < matrix.size(); ++y) {
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (std::size_t x = 0; x < matrix.size(); ++x) {
      least = std::min(least, matrix.at(x, y));
      most = std::max(most, matrix.at(x, y));
    }
    if (most == 0) continue;
    if (least == 0) return std::numeric_limits<double>::infinity();
    gamma = std::max(gamma, most / least);
  }
  return gamma;
}

double worst_posterior(double gamma, double prior) {
  if (prior == 0) return 0;
  // Divided by gamma, so that an infinite one gives 1.
  return prior / (prior + (1 - prior) / gamma);
}

double worst_growth(double gamma) {
  // (s - 1) / (s + 1) in a form that an infinite gamma does not break.
  return 1 - 2 / (std::sqrt(gamma) + 1);
}

double growth(const TransitionMatrix& matrix, std::span<const double> prior) {
  check_shares(prior.size(), matrix.size());
  const auto released = matrix.released(prior);
  double largest = 0;
  for (std::size_t y = 0; y < matrix.size(); ++y) {
    if (released[y] == 0) continue;
    double gained = 0;
    for (std::size_t x = 0; x < matrix.size(); ++x) {
      gained += std::max(0.0, prior[x] * (matrix.at(x, y) / released[y] - 1));
    }
    largest = std::max(largest, gained);
  }
  return largest;
}

double amplification_limit(double rho1, double rho2) {
  if (!(0 < rho1 && rho1 < rho2 && rho2 < 1)) {
    throw Error::input(fmt::format("{}-to-{} privacy is not a bound", rho1, rho2))
        .hint("give 0 < rho1 < rho2 < 1, for example 0.1 and 0.5");
  }
  return rho2 * (1 - rho1) / (rho1 * (1 - rho2));
}

bool limits_breaches(double gamma, double rho1, double rho2) {
  return amplification_limit(rho1, rho2) > gamma;
}

bool limits_growth(double gamma, double delta) {
  check_delta(delta);
  return worst_growth(gamma) <= delta;
}

double gamma_for_breaches(double rho1, double rho2) {
  return std::max(1.0, kShort * amplification_limit(rho1, rho2));
}

double gamma_for_growth(double delta) {
  check_delta(delta);
  const double root = (1 + delta) / (1 - delta);
  return std::max(1.0, kShort * root * root);
}

GammaDiagonal::GammaDiagonal(std::size_t values, double gamma)
    : values_(values), gamma_(gamma), x_(1 / (gamma + static_cast<double>(values) - 1)) {
  if (values == 0) throw Error::input("a randomised release needs at least one value");
  if (!(gamma >= 1) || std::isinf(gamma)) {
    throw Error::input(fmt::format("{} is not an amplification", gamma))
        .hint("gamma is a finite number of at least 1; choose it from rho1 and rho2");
  }
}

TransitionMatrix GammaDiagonal::matrix() const {
  std::vector<std::vector<double>> rows(values_, std::vector<double>(values_, x_));
  for (std::size_t i = 0; i < values_; ++i) rows[i][i] = diagonal();
  return TransitionMatrix(std::move(rows));
}

std::vector<Code> GammaDiagonal::draw(std::span<const Code> codes, NoiseSource& noise) const {
  std::vector<Code> drawn;
  drawn.reserve(codes.size());
  for (const Code code : codes) {
    drawn.push_back(noise.chance((gamma_ - 1) * x_) ? code
                                                    : static_cast<Code>(noise.below(values_)));
  }
  return drawn;
}

std::vector<double> GammaDiagonal::reconstruct(std::span<const double> released) const {
  check_shares(released.size(), values_);
  if (gamma_ == 1) {
    throw Error::input("nothing can be reconstructed: at gamma = 1 the release tells nothing")
        .hint("release with a larger gamma");
  }
  std::vector<double> shares;
  for (const double share : released) shares.push_back((share - x_) / ((gamma_ - 1) * x_));
  return shares;
}

Column randomised_release(const Column& column, double gamma, NoiseSource& noise,
                          std::span<const std::string> domain) {
  Column out;
  out.name = column.name;
  if (domain.empty()) {
    // A value of the dictionary that no record holds is no part of the domain: it may come from
    // records that were left out.
    const auto counts = column.counts();
    for (Code code = 0; code < counts.size(); ++code) {
      if (counts[code] > 0) out.dictionary.intern(column.dictionary.value(code));
    }
  }
  for (const auto& value : domain) out.dictionary.intern(value);

  std::vector<Code> codes;
  codes.reserve(column.codes.size());
  for (const Code code : column.codes) {
    const auto place = out.dictionary.find(column.dictionary.value(code));
    if (!place) {
      throw Error::input(fmt::format("{} has values outside its domain", column.name))
          .hint("add them to the domain; the missing value is one of them where cells are empty");
    }
    codes.push_back(*place);
  }
  if (codes.empty()) return out;
  out.codes = GammaDiagonal(out.dictionary.size(), gamma).draw(codes, noise);
  return out;
}

Reconstruction reconstruct(const TransitionMatrix& matrix, std::span<const double> released,
                           double tolerance, std::size_t most_iterations) {
  const std::size_t n = matrix.size();
  check_shares(released.size(), n);
  Reconstruction result;
  result.shares.assign(n, 1 / static_cast<double>(n));
  while (!result.converged && result.iterations < most_iterations) {
    const auto expected = matrix.released(result.shares);
    double moved = 0;
    double total = 0;
    std::vector<double> next(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (expected[j] > 0) next[i] += released[j] * matrix.at(i, j) / expected[j];
      }
      next[i] *= result.shares[i];
      total += next[i];
    }
    if (!(total > 0)) {
      throw Error::input("the released shares cannot come from this matrix")
          .hint("give the matrix the release was made with, its values in the same order");
    }
    for (std::size_t i = 0; i < n; ++i) {
      next[i] /= total;
      moved += std::abs(next[i] - result.shares[i]);
    }
    result.shares = std::move(next);
    result.converged = moved < tolerance;
    ++result.iterations;
  }
  return result;
}

}  // namespace pratique::tables
