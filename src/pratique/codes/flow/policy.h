// Policies made from data and from hierarchies, read from files, and what a release still serves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/codes/flow/code_input.h"
#include "pratique/codes/model/policy.h"
#include "pratique/kind/run.h"

namespace pratique::codes::flow {

struct PrivacyPolicyRequest {
  std::string discharge = {};
  std::string data = {};
  std::string out = {};
  CodeInput codes = {};
};
[[nodiscard]] Outcome privacy_policy(const PrivacyPolicyRequest& request, const Run& run);

struct UtilityPolicyRequest {
  std::string file = {};
  std::string hierarchy = {};
  std::string diseases = {};
  std::uint64_t level = 1;
  std::string out = {};
  CodeInput codes = {};
};
[[nodiscard]] Outcome utility_policy(const UtilityPolicyRequest& request, const Run& run);

struct GwasRequest {
  std::string release = {};
  std::string original = {};
  std::string diseases = "gwas";
  CodeInput codes = {};
};
[[nodiscard]] Outcome gwas(const GwasRequest& request, const Run& run);

}  // namespace pratique::codes::flow
