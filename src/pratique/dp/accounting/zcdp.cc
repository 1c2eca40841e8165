#include "pratique/dp/accounting/zcdp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pratique/core/error.h"

namespace pratique::dp {
namespace {

constexpr double kAgainstUser = 1e-12;  // far more than these formulas round

double epsilon_at_order(double rho, double delta, double order) {
  return rho * order +
         (-std::log(order * delta) + (order - 1) * std::log1p(-1 / order)) / (order - 1);
}

}  // namespace

double epsilon_of_zcdp(double rho, double delta) {
  if (!(delta > 0 && delta < 1) || !(rho >= 0)) {
    throw Error::input("zCDP needs a rho of at least 0 and a delta between 0 and 1");
  }
  if (rho == 0) return 0;
  // Orders 1 + e^x; the bound falls and then rises with x.
  double low = -20;
  double high = 60;
  for (int i = 0; i < 200; ++i) {
    const double a = low + (high - low) / 3;
    const double b = high - (high - low) / 3;
    if (epsilon_at_order(rho, delta, 1 + std::exp(a)) <
        epsilon_at_order(rho, delta, 1 + std::exp(b))) {
      high = b;
    } else {
      low = a;
    }
  }
  const double best = epsilon_at_order(rho, delta, 1 + std::exp((low + high) / 2));
  return std::max(0.0, best) * (1 + kAgainstUser) + kAgainstUser;
}

double zcdp_within(Epsilon epsilon, double delta) {
  double low = 0;
  double high = std::max(1.0, epsilon.value());
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (epsilon_of_zcdp(middle, delta) <= epsilon.value() ? low : high) = middle;
  }
  if (!(low > 0)) throw Error::input("epsilon and delta are too small for any noise");
  return low;
}

double zcdp_of_pure(Epsilon epsilon) { return epsilon.value() * epsilon.value() / 2; }

bool ZcdpFilter::admit(double rho) {
  if (!(rho >= 0) || spent_ + rho > limit_) return false;
  spent_ += rho * (1 + kAgainstUser);
  return true;
}

}  // namespace pratique::dp
