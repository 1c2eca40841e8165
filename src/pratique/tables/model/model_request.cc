#include "pratique/tables/model/model_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/tables/model/internal/model_settings.h"
#include "pratique/tables/model/spelling.h"

namespace pratique::tables {
namespace {

using Names = std::vector<std::string>;

void add_once(Names& names, const std::string& name) {
  if (name.empty()) return;
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

void check_keys(const Schema& schema) {
  const Names keys = model_keys();
  for (const auto& setting : schema.models) {
    if (std::find(keys.begin(), keys.end(), setting.key) != keys.end()) continue;
    throw ModelSettings::error(setting, "there is no such model",
                               fmt::format("Choose one of {}.", fmt::join(keys, ", ")));
  }
}

}  // namespace

bool ModelRequest::needs_population() const {
  return std::any_of(models.begin(), models.end(),
                     [](const AskedModel& model) { return model.needs_population; });
}

std::vector<std::string> ModelRequest::sensitive_columns() const {
  Names names;
  for (const auto& model : models) add_once(names, model.column);
  return names;
}

std::vector<std::string> ModelRequest::withheld_columns() const {
  Names names;
  for (const auto& model : models) add_once(names, model.withheld);
  return names;
}

ModelRequest read_model_request(const Schema& schema) {
  check_keys(schema);
  ModelSettings settings(schema);
  ModelRequest request;
  for (const ModelKind* kind : model_kinds()) kind->read(settings, request);
  if (request.models.empty() && request.beliefs.empty()) {
    throw Error::input("no privacy model was asked for")
        .hint("Ask for at least one, for example --k 5.");
  }
  return request;
}

ModelAttribute ModelParts::attribute(const std::string& column) const {
  return {index(column), column, attributes_ > 1};
}

ModelAttribute ModelParts::counted_attribute(const std::string& column) const {
  const auto& columns = input_.sensitive;
  const auto last = std::find_if(columns.rbegin(), columns.rend(), [&](const Column* candidate) {
    return candidate->name == column;
  });
  return {static_cast<std::size_t>(columns.rend() - last) - 1, column, attributes_ > 1};
}

const Column& ModelParts::counted_column(const std::string& column) const {
  return *input_.sensitive[counted_attribute(column).index];
}

std::size_t ModelParts::index(const std::string& column) const {
  const auto& columns = input_.sensitive;
  const auto place = std::find_if(columns.begin(), columns.end(), [&](const Column* candidate) {
    return candidate->name == column;
  });
  return static_cast<std::size_t>(place - columns.begin());
}

const Column& ModelParts::column(const std::string& column) const {
  return *input_.sensitive[index(column)];
}

const Hierarchy* ModelParts::hierarchy(const std::string& column) const {
  const auto tree = context_.hierarchies.find(column);
  return tree == context_.hierarchies.end() ? nullptr : tree->second;
}

const PopulationFile& ModelParts::population(const std::string& key) const {
  if (input_.population == nullptr || !context_.population) {
    throw Error::input(fmt::format("--{} counts people of a population, and none was given", key))
        .hint("Name it with --population FILE: a table of people with the quasi-identifiers.");
  }
  return *context_.population;
}

Models make_models(const ModelRequest& request, const ModelContext& context,
                   ProtectionInput& input) {
  const Names attributes = request.sensitive_columns();
  Names columns = attributes;
  for (const auto& name : request.withheld_columns()) add_once(columns, name);
  input.sensitive.clear();
  input.respelled.clear();
  for (const auto& name : columns) input.sensitive.push_back(&context.table.column(name));
  for (const auto& name : attributes) {
    auto joined = joined_spellings(context.table.column(name));
    if (!joined) continue;
    input.respelled.push_back(std::make_shared<const Column>(std::move(*joined)));
    input.sensitive.push_back(input.respelled.back().get());
  }
  const ModelParts parts(attributes.size(), context, input);
  Models models;
  for (const auto& asked : request.models) models.push_back(asked.make(parts));
  return models;
}

Json claims_of(const Models& models, const ProtectionInput& input, const Recoding& recoding) {
  std::vector<std::string> quasi_identifiers;
  for (const auto& attribute : input.attributes) quasi_identifiers.push_back(attribute.name);
  Json claims = Json::array();
  for (const auto& model : models) {
    claims.push_back(model->claim(quasi_identifiers));
    model->complete_claim(input, recoding, claims.back());
  }
  return claims;
}

}  // namespace pratique::tables
