// The models that a user asks for, in the words of flags and of YAML (model_kind.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/data/schema.h"
#include "pratique/tables/model/belief_bounds.h"
#include "pratique/tables/model/model.h"
#include "pratique/tables/model/model_kind.h"

namespace pratique::tables {

struct ModelRequest {
  std::vector<AskedModel> models;         // in the order of model_kinds()
  std::optional<std::string> population;  // the file's path
  std::vector<BeliefBound> beliefs;       // no predicate on classes: see randomisation.h

  [[nodiscard]] bool needs_population() const;
  // The columns that models look at, each once: sensitive attributes, and those that do not leave.
  [[nodiscard]] std::vector<std::string> sensitive_columns() const;
  [[nodiscard]] std::vector<std::string> withheld_columns() const;
};

// Of schema.models and the roles in the schema. Throws Error, placed where the word stands in its
// file, that says what is wrong and how to mend it; also when no model is asked for.
[[nodiscard]] ModelRequest read_model_request(const Schema& schema);

// `input` has its attributes, counts and population; its sensitive columns are set here to what the
// models look at.
[[nodiscard]] Models make_models(const ModelRequest& request, const ModelContext& context,
                                 ProtectionInput& input);

// Every model's claim about a release of this recoding: a list for release::publish.
[[nodiscard]] Json claims_of(const Models& models, const ProtectionInput& input,
                             const Recoding& recoding);

}  // namespace pratique::tables
