// Opening a budget, looking at it, choosing an epsilon, testing a mechanism.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"

namespace pratique::dp::flow {

struct OpenRequest {
  std::string ledger = {};
  std::string data = {};
  double epsilon = 1;
  double delta = 0;
  std::string person = {};
  bool rows_are_people = false;  // although a column that names people repeats
  std::uint64_t max_rows = 1;
  std::vector<std::string> tables = {};    // NAME=FILE
  std::vector<std::string> analysts = {};  // NAME=SHARE
  std::string registry = {};               // empty: beside the data
  bool additional = false;
};
[[nodiscard]] Outcome open(const OpenRequest& request, const Run& run);

struct BudgetRequest {
  std::string ledger = {};
};
[[nodiscard]] Outcome budget(const BudgetRequest& request, const Run& run);

struct ChooseRequest {
  double prior = 0;
  double factor = 2;
  std::uint64_t queries = 1;
};
[[nodiscard]] Outcome choose(const ChooseRequest& request, const Run& run);

struct TestRequest {
  std::string mechanism = {};
  double epsilon = 1;
  std::optional<std::uint64_t> runs = {};  // none: as many as suit the mechanism
};
[[nodiscard]] Outcome test(const TestRequest& request, const Run& run);

}  // namespace pratique::dp::flow
