// Every metric of a release at once, as results and maps show them.
#pragma once

#include <optional>

#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/tables/classification.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

struct Utility {
  double lm = 0;
  double ncp = 0;
  double dm = 0;
  double c_avg = 0;
  double are = 0;
  // Only with a class label.
  std::optional<double> cm;
  std::optional<ClassificationAccuracy> accuracy;
};

// C_AVG needs k (0: left 0). `label` may be null.
[[nodiscard]] Utility measure_utility(const ProtectionInput& input, const Recoding& recoding,
                                      std::uint64_t k, const Column* label,
                                      Progress& progress = Progress::silent());

// lm, ncp, dm, c_avg, are, and with a label cm and accuracy{released, original, majority}
[[nodiscard]] Json to_json(const Utility& utility);

}  // namespace pratique::tables
