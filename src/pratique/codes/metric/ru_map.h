// The map of risk against utility for codes (as tables/metric/ru_map.h for tables): a point for
// every setting that was tried.
//
// Risk is the share of patients whom an insider names who knows everybody's codes and compares
// whole sets (attack/whole_sets.h): what models against a few known codes leave open. Utility is
// 1 - NCP (metrics.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/codes/attack/attack.h"
#include "pratique/codes/attack/whole_sets.h"
#include "pratique/codes/metric/metrics.h"
#include "pratique/core/chart.h"
#include "pratique/core/json.h"

namespace pratique::codes {

inline constexpr const char* kNamedShare =
    "share of patients whom an insider names who knows all codes";

struct CodeSetting {
  std::string model;
  std::string method;
  std::uint64_t k = 0;
  int m = 0;               // 0 where the model has none
  double suppression = 0;  // that may be used

  [[nodiscard]] std::string text() const;  // local k=5 m=2
};

struct CodeRuPoint {
  CodeSetting setting;
  Metrics metrics;
  Exposure all_codes_known;
  WholeSetExposure whole_set_known;
  double seconds = 0;
  std::string command;  // that makes the release
  bool pareto = false;

  [[nodiscard]] double risk() const;
  [[nodiscard]] double usefulness() const { return 1 - metrics.ncp; }
};

[[nodiscard]] Chart ru_chart(const std::vector<CodeRuPoint>& points,
                             std::optional<std::size_t> chosen);
// model,method,k,m,suppression,risk,utility,are_one_code,pareto,chosen,seconds,command
[[nodiscard]] std::string to_csv(const std::vector<CodeRuPoint>& points,
                                 std::optional<std::size_t> chosen);
// model, method, k, m (where the model has one), suppression
[[nodiscard]] Json to_json(const CodeSetting& setting);
// The setting, risk, utility, pareto, seconds, command, metrics{}, all_codes_known{},
// whole_set_known{}
[[nodiscard]] Json to_json(const CodeRuPoint& point);

}  // namespace pratique::codes
