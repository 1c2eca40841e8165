// The models and methods for sets of codes, in one table. A method is a file with one function and
// one line in methods().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/codes/recoding.h"
#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/data/code_rules.h"

namespace pratique::codes {

struct Policy;

struct Parameters {
  std::uint64_t k = 5;
  int m = 2;
  const Policy* policy = nullptr;  // of the model policy
  // Models with sensitive codes.
  double h = 2;
  int p = 2;
  double rho = 0.5;
  std::vector<std::string> sensitive = {};
  // Models with rules.
  double c = 0.5;
  std::vector<CodeRule> rules = {};
};

// What a method is given.
struct Task {
  const CodeSets& sets;
  const CodeTree* tree;  // null when no hierarchy was given
  Parameters parameters;
};

struct Method {
  std::string_view model;
  std::string_view name;
  std::string_view summary;
  bool needs_tree;
  Recoding (*run)(const Task& task, Progress& progress);  // null: disassociation.h
  // Says in the claim what the model is and its parameters; null for the claim of km.
  void (*claim)(const Parameters& parameters, Json& claim) = nullptr;
};

// By model; the first method of a model is its default.
[[nodiscard]] std::span<const Method> methods();
// Throws an Error that names what there is. An empty name is the model's default.
[[nodiscard]] const Method& find_method(const std::string& model, const std::string& name);

// What no method can do without: as many patients as k, a hierarchy where it is needed, and so on.
void check(const Method& method, const Task& task);
// Checks and runs it. The method of table+codes runs by itself (table_codes.h).
[[nodiscard]] Recoding protect(const Method& method, const Task& task, Progress& progress);

// What the manifest promises (verify/claims.h) of a release with these labels. `patient` and `code`
// are the columns of a long release, empty for sets.
[[nodiscard]] Json claim_of(const Method& method, const Parameters& parameters,
                            const Recoding& recoding, const std::string& patient,
                            const std::string& code);

}  // namespace pratique::codes
