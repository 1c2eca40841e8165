// A list with names, released so that it resists estimates from web facts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/fusion/flow/named_people.h"
#include "pratique/fusion/fred.h"

namespace pratique::fusion::flow {

struct FredRequest {
  std::string file;
  std::string auxiliary;
  std::string attack_set;
  NameRequest names;
  std::vector<std::string> quasi_identifiers;
  std::vector<std::string> identifiers;       // left out
  std::vector<std::string> insensitive = {};  // leave as they are
  std::vector<std::string> allowed = {};      // of these, those that may whatever they look like
  bool rows_are_people = false;               // each is somebody else's, though the key repeats
  std::string target;
  std::string rules;
  std::string learn;
  fusion::FredOptions fred;
  std::string method = "microaggregate";
  std::optional<std::uint64_t> seed;
  std::vector<std::string> date_forms = {};    // COLUMN=FORM
  std::vector<std::string> number_forms = {};  // the same of numbers with commas
  std::string charts;
  std::string out;
};

[[nodiscard]] Outcome fred(const FredRequest& request, const Run& run);

}  // namespace pratique::fusion::flow
