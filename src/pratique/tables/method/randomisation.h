// Columns that leave changed by chance, record by record, before any method sees the table.
//
// Two kinds: perturbation (perturbation.h), which promises uncertainty and no more, and randomised
// release (randomised_release.h), which bounds what anybody may come to believe. Methods and models
// then work on the table as it will leave; so do claims, since they are about the file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/crypto/noise_source.h"
#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"
#include "pratique/tables/method/perturbation.h"
#include "pratique/tables/model/belief_bounds.h"

namespace pratique::tables {

struct Randomisation {
  std::map<std::string, Perturbation> perturbations;  // by column
  std::vector<BeliefBound> beliefs;                   // bounds on what may be believed of a column

  [[nodiscard]] bool empty() const { return perturbations.empty() && beliefs.empty(); }
};

struct RandomisedColumn {
  std::string column;
  std::string operation;  // noise:0.1, gamma-diagonal:9, ...
  double changed = 0;     // share of the records whose cell is another than it was
  // Of numbers: mean squared difference over the variance of the original.
  std::optional<double> squared_error;
  // Of a randomised release: the operator's amplification, and every value that it may give.
  double gamma = 0;
  std::vector<std::string> values;
};

struct RandomisedTable {
  GroupedTable table;
  std::vector<RandomisedColumn> columns;
};

// `hierarchies` by column, for perturbation within a level. A column may be randomised once. Throws
// Error when an operator does not suit its column.
[[nodiscard]] RandomisedTable randomise(const GroupedTable& table,
                                        const Randomisation& randomisation,
                                        const std::map<std::string, Hierarchy>& hierarchies,
                                        NoiseSource& noise);

// The claims of a release of these columns (verify/claims.h).
[[nodiscard]] Json belief_claims(const std::vector<BeliefBound>& beliefs,
                                 const std::vector<RandomisedColumn>& columns);

}  // namespace pratique::tables
