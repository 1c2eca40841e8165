// Which records with mistyped names are one person's, to build trails of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/trails/flow/sides.h"

namespace pratique::trails::flow {

struct ResolveRequest {
  std::vector<std::string> files = {};
  std::vector<std::string> fields = {};
  std::string location = "location";
  std::string truth = {};
  std::string out = {};
  double threshold = 0.9;
  std::optional<std::uint64_t> seed = {};
};

[[nodiscard]] Outcome resolve(const ResolveRequest& request, const Run& run);

}  // namespace pratique::trails::flow
