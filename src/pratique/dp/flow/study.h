// dp study: the parameters of the kd-tree, measured on a made table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pratique/kind/run.h"

namespace pratique::dp::flow {

struct StudyRequest {
  std::uint64_t rows = 1'000'000;
  std::uint64_t draws = 5;
  std::string vary;  // only what is about this parameter; empty: all
  std::optional<std::uint64_t> seed = {};
  std::string out = {};  // a table of all settings; empty: none
};
[[nodiscard]] Outcome study(const StudyRequest& request, const Run& run);

}  // namespace pratique::dp::flow
