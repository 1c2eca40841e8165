// How well a statistic tells members from others: thresholds, power, area under the curve.
#pragma once

#include <cstdint>
#include <vector>

namespace pratique::genomes {

// The distribution of a statistic over people who are not in the pool.
class NullDistribution {
 public:
  explicit NullDistribution(std::vector<double> values);

  // Exceeded by a share `rate` of the null: its quantile where at least five people are beyond it,
  // else that of the normal distribution with the null's mean and deviation.
  [[nodiscard]] double threshold(double rate) const;
  [[nodiscard]] double lower_threshold(double rate) const;
  // The chance of at least this value, by the normal distribution.
  [[nodiscard]] double p_value(double value) const;
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double deviation() const { return deviation_; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  std::vector<double> values_;  // ascending
  double mean_ = 0;
  double deviation_ = 0;
};

struct MeasuredShare {
  double share = 0;
  // 95 %, Clopper and Pearson (1934): never too narrow, however few people there are.
  double low = 0;
  double high = 1;
};
[[nodiscard]] MeasuredShare measured_share(std::uint64_t hits, std::uint64_t of);

[[nodiscard]] MeasuredShare power_at(const NullDistribution& null,
                                     const std::vector<double>& members, double rate);
// The chance that a member has a larger value than another; ties count half.
[[nodiscard]] double area_under_curve(const std::vector<double>& members,
                                      const std::vector<double>& others);

[[nodiscard]] double normal_quantile(double probability);

}  // namespace pratique::genomes
