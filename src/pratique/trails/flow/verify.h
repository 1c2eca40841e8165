// Whether published lists are k-unlinkable, decided from the lists alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pratique/trails/flow/sides.h"

namespace pratique::trails::flow {

struct VerifyRequest {
  Sides trails = {};
  std::uint64_t k = 2;
  std::string view = "external";
  std::string submitted = {};
  std::string submitted_identified = {};
  std::optional<std::uint64_t> coalition = {};  // makes the view contributor
  std::string truth = {};
};

[[nodiscard]] Outcome verify_lists(const VerifyRequest& request, const Run& run);

}  // namespace pratique::trails::flow
