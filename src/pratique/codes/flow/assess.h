// What codes give away before anything is done, and what an adversary finds in a release of codes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/codes/attack/assess.h"
#include "pratique/codes/flow/code_input.h"
#include "pratique/kind/own_forms.h"
#include "pratique/kind/run.h"

namespace pratique::codes::flow {

struct AssessRequest {
  std::string file = {};
  std::string population = {};
  std::string out = {};
  codes::AssessOptions assess = {};
  std::optional<std::uint64_t> seed = {};
  CodeInput codes = {};
};
[[nodiscard]] Outcome assess(const AssessRequest& request, const Run& run);

struct AttackRequest {
  std::string release = {};
  std::string known = {};
  std::vector<std::string> discharge = {};
  std::string names = {};            // a list that names the people of the summaries
  std::vector<std::string> on = {};  // by these columns, which both have
  release::SaidForms forms = {};     // of them
  bool rows_are_people = false;      // each line of the list is somebody else's
  std::string truth = {};
  std::string sensitive = {};
  std::uint64_t k = 5;
  std::optional<double> fail_above = {};
  CodeInput codes = {};
};
// Passes where no larger share than `fail_above` is re-identified, or named by an insider who knows
// whole sets.
[[nodiscard]] Outcome attack(const AttackRequest& request, const Run& run);

}  // namespace pratique::codes::flow
