// Trails of simulated worlds: how many are re-identified, by access and by locations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/trails/flow/sides.h"

namespace pratique::trails::flow {

struct SimulateRequest {
  std::uint64_t subjects = 1000;
  std::uint64_t locations = 10;
  std::string access = "uniform:0.5";
  double missing = 0;
  Sides like = {};  // lists whose rates the locations have; none: access and missing
  std::uint64_t times = 1;
  std::uint64_t runs = 100;
  std::string algorithm = "complete";
  bool grid = false;
  std::uint64_t first_locations = 3;
  std::uint64_t last_locations = 40;
  std::string world = {};
  std::string out = {};
  std::optional<std::uint64_t> seed = {};
};

[[nodiscard]] Outcome simulate(const SimulateRequest& request, const Run& run);

}  // namespace pratique::trails::flow
