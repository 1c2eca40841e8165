// Bounds on what anybody may come to believe of a record's value once its column has left
// randomised (method/randomised_release.h): rho1-to-rho2 privacy (Evfimievski, Gehrke, Srikant
// 2003), no belief of at most rho1 grows beyond rho2; or no belief grows by more than delta.
//
// They are no predicate on classes: the column is randomised before any method sees the table.
#pragma once

#include <optional>
#include <string>

#include "pratique/tables/model/model_kind.h"

namespace pratique::tables {

struct BeliefBound {
  std::string column;
  double rho1 = 0;
  double rho2 = 0;
  std::optional<double> growth = {};  // instead of rho1 and rho2
};

// --rho RHO1:RHO2[@COLUMN], --growth DELTA[@COLUMN]
extern const ModelKind belief_bounds_kind;

}  // namespace pratique::tables
