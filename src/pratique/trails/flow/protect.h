// Trails from the lists to what each location may disclose: allocated, attacked before and after,
// verified, written with the manifest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/trails/flow/sides.h"
#include "pratique/trails/method/protection.h"

namespace pratique::trails::flow {

struct ProtectRequest {
  Sides sides = {};
  std::string method = "best";
  std::string maximise = "samples";
  std::uint64_t k = 0;
  bool secure = false;
  std::optional<std::uint64_t> coalition = {};  // makes it secure
  bool keep_copies = false;
  std::optional<std::uint64_t> runs = {};
  std::optional<std::uint64_t> seed = {};
  std::string out = {};

  [[nodiscard]] bool is_secure() const { return secure || coalition.has_value(); }
  [[nodiscard]] trails::ProtectRequest request(std::uint64_t chosen_seed) const {
    trails::ProtectRequest request;
    request.k = k;
    request.method = method;
    request.objective =
        maximise == "samples" ? trails::Objective::samples : trails::Objective::locations;
    request.secure = is_secure();
    request.coalition = coalition.value_or(1);
    request.keep_copies = keep_copies;
    request.runs = runs;
    request.seed = chosen_seed;
    return request;
  }
};

[[nodiscard]] Outcome protect(const ProtectRequest& request, const Run& run);

}  // namespace pratique::trails::flow
