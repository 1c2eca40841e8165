// The methods by name: what the command line, the map of risk and utility and the workbench call.
//
//   levels                   full-domain, at levels that the user chose
//   optimal                  full-domain, the best levels there are (optimal.h)
//   local                    optimal, then the suppressed records grouped again (local.h)
//   mondrian                 top-down cuts (mondrian.h)
//   cluster-up, cluster-down local recoding by clustering (clustering.h)
//   suppress-cells           few single cells become * (value_suppression.h)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/tables/model.h"
#include "pratique/tables/optimal.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

struct Method {
  std::string name = "optimal";
  std::vector<int> levels = {};  // of `levels`, beside the attributes
  double suppression = 0;        // share of records that may be left out
  LevelMetric metric = LevelMetric::lm;
  std::optional<CellStyle> style = {};  // of local recoding; labels for local, else free
  std::optional<double> time_limit = {};
  bool relaxed = false;           // mondrian
  const Column* label = nullptr;  // mondrian: the class label the release is for
};

[[nodiscard]] const std::vector<std::string>& method_names();

struct Protected {
  Recoding recoding;
  std::optional<std::vector<int>> levels;  // of full-domain methods
  std::optional<double> lower_bound;       // when the search ended before it was sure
  std::string note;                        // what the user must know, or empty
};

// Throws Error::check when the models cannot be satisfied within the suppression allowed.
[[nodiscard]] Protected protect(const ProtectionInput& input, const Models& models,
                                const Method& method, Progress& progress = Progress::silent());

}  // namespace pratique::tables
