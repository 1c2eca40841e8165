#include "pratique/genomes/attack/association.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pratique::genomes {

double association_chi_square(double cases, double controls, const AssociationSizes& sizes) {
  const double a = sizes.case_alleles;
  const double b = sizes.control_alleles;
  const double pooled = (a * cases + b * controls) / (a + b);
  const double variance = pooled * (1 - pooled) * (1 / a + 1 / b);
  return variance > 0 ? (cases - controls) * (cases - controls) / variance : 0;
}

double p_value_of(double chi_square) { return std::erfc(std::sqrt(chi_square / 2)); }

double chi_square_of(double p_value) {
  constexpr double kLeast = 1e-300;
  // erfc falls: halve the interval until it is found, also far out where quantiles round to 1.
  const double wanted = std::clamp(p_value, kLeast, 1.0);
  double low = 0;
  double high = 40;
  constexpr int kHalvings = 80;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::numbers::sqrt2) > wanted ? low : high) = middle;
  }
  return low * low;
}

std::optional<double> frequency_from_p_value(double p_value, double controls, bool higher,
                                             const AssociationSizes& sizes) {
  const double wanted = chi_square_of(p_value);
  double near = controls;
  double far = higher ? 1.0 : 0.0;
  if (association_chi_square(far, controls, sizes) < wanted) return std::nullopt;
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (near + far) / 2;
    (association_chi_square(middle, controls, sizes) < wanted ? near : far) = middle;
  }
  return (near + far) / 2;
}

}  // namespace pratique::genomes
