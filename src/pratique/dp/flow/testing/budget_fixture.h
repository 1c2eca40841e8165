// What tests of flows of differential privacy share: a table, and a budget for it that is so large
// that noise is next to nothing, so that answers can be held against counting. A count that costs
// 50 is wrong with a chance of 2 e^-50.
//
// Include <nlohmann/json.hpp> before it, as every file does that reads JSON (core/json.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pratique/dp/flow/budget.h"
#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::dp::flow {

class BudgetFixture : public FlowFixture {
 protected:
  std::string ledger = path("budget");

  void open_budget_for(const std::string& data, double epsilon = 1000, double delta = 0.0001,
                       const std::string& person = "", std::uint64_t max_rows = 1) const {
    OpenRequest request{.ledger = ledger, .data = data, .epsilon = epsilon, .delta = delta};
    request.person = person;
    request.max_rows = max_rows;
    request.rows_are_people = true;
    (void)open(request, run());
  }
  [[nodiscard]] Json budget_now() const { return *budget({.ledger = ledger}, run()).result; }
  [[nodiscard]] std::uint64_t charges() const { return budget_now().at("entries"); }
  static unsigned mode_of(const std::string& path) {
    return static_cast<unsigned>(std::filesystem::status(path).permissions());
  }
  // In the order of the file.
  static bool any_note(const Json& result, const std::string& words) {
    for (const auto& note : result.value("notes", Json::array())) {
      if (note.get<std::string>().find(words) != std::string::npos) return true;
    }
    return false;
  }
};

}  // namespace pratique::dp::flow
