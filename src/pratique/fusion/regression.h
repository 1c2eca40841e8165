// The plain adversary who has a sample with known targets: linear least squares with a ridge
// penalty on everything the release and the web say.
//
// A column whose known cells in the sample are mostly numbers is a number (an interval counts as
// its middle) and a flag for not known; else each of its values that several sampled people share
// is a flag. Columns are standardised. The penalty is the one of a few that does best in five-fold
// cross-validation.
#pragma once

#include <string>
#include <vector>

#include "pratique/fusion/people.h"

namespace pratique::fusion {

class RidgeRegression {
 public:
  // Learns from the rows of `people` whose target is a number; there must be one. Columns in
  // `ignored` (as fcl_identifier writes them) are not looked at.
  RidgeRegression(const People& people, const std::vector<double>& targets,
                  const std::vector<std::string>& ignored);

  [[nodiscard]] std::vector<double> estimate(const People& people) const;
  [[nodiscard]] double penalty() const { return penalty_; }

 private:
  struct Feature {
    std::string column;
    enum class Kind { number, unknown, value } kind = Kind::number;
    std::string value = {};  // of a flag
    double mean = 0;
    double deviation = 1;
  };
  void choose_features(const People& people, const std::vector<std::size_t>& rows,
                       const std::vector<std::string>& ignored);
  // By row of the list, then feature; standardised.
  [[nodiscard]] std::vector<double> encode(const People& people,
                                           const std::vector<std::size_t>& rows) const;

  std::vector<Feature> features_;
  std::vector<double> weights_;
  double mean_target_ = 0;
  double penalty_ = 0;
};

}  // namespace pratique::fusion
