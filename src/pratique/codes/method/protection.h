// The methods for sets of codes, in one table: a method is a file with one function and one line in
// methods(). The models have a table of their own (model/model.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/codes/model/model.h"
#include "pratique/codes/recoding.h"
#include "pratique/core/json.h"
#include "pratique/core/progress.h"

namespace pratique::codes {

// What a method is given.
struct Task {
  const CodeSets& sets;
  const CodeTree* tree;  // null when no hierarchy was given
  Parameters parameters;
};

struct Method {
  std::string_view model;  // key
  std::string_view name;
  std::string_view summary;
  bool needs_tree;
  Recoding (*run)(const Task& task, Progress& progress);  // null: disassociation.h
  // Where it claims something else than its model.
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
