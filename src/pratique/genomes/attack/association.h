// The test of one SNP for association with a trait, on alleles: what a genome-wide association
// study prints, and what can be read back from it.
//
//   chi-square = (f - q)^2 / (p (1 - p) (1 / a + 1 / b)),  p = (a f + b q) / (a + b)
//
// with f the frequency among a alleles of cases and q that among b alleles of controls; one degree
// of freedom. Given q, a, b and the direction, f follows from the p-value (Wang et al., Learning
// your identity and disease from research papers, CCS 2009, section 4): the statistic grows with
// |f - q|.
#pragma once

#include <optional>

namespace pratique::genomes {

struct AssociationSizes {
  double case_alleles = 0;
  double control_alleles = 0;
};

[[nodiscard]] double association_chi_square(double cases, double controls,
                                            const AssociationSizes& sizes);
[[nodiscard]] double p_value_of(double chi_square);
[[nodiscard]] double chi_square_of(double p_value);

// The frequency among cases; `higher` than among controls, or lower. Nothing where no frequency
// has this p-value in this direction.
[[nodiscard]] std::optional<double> frequency_from_p_value(double p_value, double controls,
                                                           bool higher,
                                                           const AssociationSizes& sizes);

}  // namespace pratique::genomes
