// Every metric of a release at once, as results and maps show them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/tables/metric/classification.h"
#include "pratique/tables/metric/query_error.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

struct Utility {
  double lm = 0;
  double ncp = 0;
  double dm = 0;
  double c_avg = 0;
  double um = 0;
  double are = 0;
  std::vector<std::pair<std::string, double>> column_loss;  // by name: LM of the column alone
  // By name, of numbers and dates: see squared_error.h.
  std::vector<std::pair<std::string, double>> squared_error;
  // Only with a class label.
  std::optional<double> cm;
  std::optional<ClassificationAccuracy> accuracy;
};

struct UtilityOptions {
  std::uint64_t k = 0;                                // of C_AVG
  const Column* label = nullptr;                      // of CM and accuracy
  const std::vector<CountQuery>* workload = nullptr;  // of ARE; generated when not given
};
[[nodiscard]] Utility measure_utility(const ProtectionInput& input, const Recoding& recoding,
                                      const UtilityOptions& options,
                                      Progress& progress = Progress::silent());

// lm, ncp, dm, c_avg, um, are, column_loss{column}, squared_error{column}, and with a label cm and
// accuracy{released, original, majority}
[[nodiscard]] Json to_json(const Utility& utility);

}  // namespace pratique::tables
