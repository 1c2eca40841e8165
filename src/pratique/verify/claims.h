// Re-derives claims about a table from the released file alone, from their definitions.
//
// A claim is one JSON object of a manifest's "claims":
//
//   {"model": "k-anonymity", "quasi_identifiers": [...], "k": 5}
//   {"model": "distinct-l-diversity", "quasi_identifiers": [...], "sensitive": "s", "l": 3}
//   {"model": "entropy-l-diversity",  ... "l": 3}
//   {"model": "alpha", ... "sensitive": "s", "alpha": 0.5}
//   {"model": "t-closeness", ... "sensitive": "s", "distance": "equal", "t": 0.2}
//
// Two records are in one class when their quasi-identifier cells are equal as text. Records whose
// every quasi-identifier is suppressed are a class like any other: an adversary who knows that a
// target is in the table and in no other class finds it among them. The counting is done in SQL, so
// that nothing is shared with the methods that make releases.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"

namespace pratique::verify {

struct ClaimResult {
  std::string model;
  std::string attribute;  // the sensitive attribute, where the model has one
  double required = 0;
  double achieved = 0;
  bool holds = false;
  std::string explanation;  // in plain words, without a value of the data
};

[[nodiscard]] ClaimResult verify_claim(Engine& engine, const Source& release, const Json& claim,
                                       Progress& progress);

}  // namespace pratique::verify
