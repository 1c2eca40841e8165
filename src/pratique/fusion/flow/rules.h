// A file of rules drafted from data, to be edited.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/fusion/flow/named_people.h"
#include "pratique/fusion/name_matching.h"
#include "pratique/fusion/rule_drafting.h"

namespace pratique::fusion::flow {

struct RulesRequest {
  std::string from;
  std::string target;
  std::vector<std::string> inputs;
  std::string auxiliary;
  std::string key;
  std::string auxiliary_key;
  fusion::NameMatching matching;
  fusion::Drafting drafting;
  bool tune = false;
  std::vector<std::string> number_forms = {};  // COLUMN=FORM
  std::string out;
};

[[nodiscard]] Outcome draft(const RulesRequest& request, const Run& run);

}  // namespace pratique::fusion::flow
