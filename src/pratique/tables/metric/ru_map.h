// The R-U confidentiality map (Duncan, Keller-McNulty and Stokes 2001): risk against utility for
// every setting that was tried, so that a release is chosen by looking.
//
// Risk is the mean over records of 1 / class size; utility is 1 - LM (metrics.h). A point is Pareto
// when no other has at most its risk and at least its utility, and is better in one of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/chart.h"
#include "pratique/core/json.h"
#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/metric/utility.h"

namespace pratique::tables {

inline constexpr const char* kMeanRisk = "mean risk of a record (1 / class size)";

struct RuPoint {
  std::string method;
  std::uint64_t k = 0;
  Exposure exposure;
  Utility utility;
  std::uint64_t suppressed = 0;
  double seconds = 0;
  bool pareto = false;

  [[nodiscard]] double risk() const { return exposure.mean_risk(); }
  [[nodiscard]] double usefulness() const { return 1 - utility.lm; }
};

void mark_pareto(std::vector<RuPoint>& points);

// The tutorial's three approaches. Utility-bound (min_utility): of the points with at least that
// utility the one of least risk. Privacy-bound (max_risk, of the record most at risk): of the
// points with at most that risk the one of most utility. Both: within both bounds, the one of most
// utility. None when no point is within the bounds, or no bound is given.
[[nodiscard]] std::optional<std::size_t> choose(const std::vector<RuPoint>& points,
                                                std::optional<double> min_utility,
                                                std::optional<double> max_risk);

[[nodiscard]] Chart ru_chart(const std::vector<RuPoint>& points, std::optional<std::size_t> chosen);
// method,k,risk_mean,risk_max,utility,suppressed,pareto,chosen,seconds: a line per point.
[[nodiscard]] std::string to_csv(const std::vector<RuPoint>& points,
                                 std::optional<std::size_t> chosen);
// method, k, risk_mean, risk_max, utility, suppressed, pareto, seconds, unique, metrics{};
// sensitive_disclosed and believed (exposure.h) with a sensitive attribute
[[nodiscard]] Json to_json(const RuPoint& point);

}  // namespace pratique::tables
