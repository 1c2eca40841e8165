// What facts from the web tell about the values that a list with names left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/fusion/flow/named_people.h"

namespace pratique::fusion::flow {

struct WebRequest {
  std::string release;
  std::string auxiliary;
  NameRequest names;
  std::string target;
  std::string rules;
  std::string truth;
  std::string truth_key;
  std::string learn;
  std::string out;
  std::optional<double> fail_above;
  std::vector<std::string> number_forms = {};  // COLUMN=FORM
};

[[nodiscard]] Outcome web(const WebRequest& request, const Run& run);

}  // namespace pratique::fusion::flow
