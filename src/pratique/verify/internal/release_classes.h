// The classes of a release, counted by the engine: records whose quasi-identifier cells are equal
// as text. Where a column says whose each row is, people are counted, each once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {

// Counts of the values of one column in a class; a value appears once, in the order of codes.
using Histogram = std::vector<std::pair<Code, double>>;

struct ReleaseClass {
  std::uint32_t representative = 0;  // a row of ReleaseClasses::cells
  double records = 0;
  std::vector<Histogram> values = {};  // beside the columns counted
};

struct ReleaseClasses {
  Table cells;  // the quasi-identifiers, then the columns counted
  std::size_t width = 0;
  std::vector<ReleaseClass> classes;

  [[nodiscard]] const Dictionary& values(std::size_t counted) const {
    return cells.columns[width + counted].dictionary;
  }
  // The class's cells in the quasi-identifiers.
  [[nodiscard]] std::vector<std::string> cells_of(const ReleaseClass& group) const;

  // The worst class by `measure`; for a release without records, `without_records`.
  [[nodiscard]] double largest(double without_records,
                               const std::function<double(const ReleaseClass&)>& measure) const;
  [[nodiscard]] double smallest(double without_records,
                                const std::function<double(const ReleaseClass&)>& measure) const;
};

// By the quasi_identifiers and the person of the claim. Throws where a person has several values of
// a column counted: no model here says what such a person counts as.
[[nodiscard]] ReleaseClasses count_classes(const ClaimContext& context,
                                           const std::vector<std::string>& counted);

}  // namespace pratique::verify
