#include "pratique/tables/flow/internal/told_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "pratique/data/code_systems.h"

namespace pratique::tables::flow {

Json parameters_of(const ProtectRequest& options, const PreparedTable& prepared, Json told) {
  Json parameters = {{"method", options.method},
                     {"metric", options.metric},
                     {"suppression", options.suppression},
                     {"quasi_identifiers", prepared.schema.quasi_identifiers},
                     {"sensitive", prepared.schema.sensitive},
                     {"identifiers", prepared.schema.identifiers},
                     {"insensitive", prepared.schema.insensitive},
                     {"allowed", prepared.allowed},
                     {"identifier_treatment", options.identifiers},
                     {"hierarchies", std::move(told)},
                     {"models", Json::object()}};
  if (!prepared.by_default.empty()) parameters["default_hierarchies"] = prepared.by_default;
  for (const auto& setting : prepared.schema.models)
    parameters["models"][setting.key].push_back(setting.value);
  if (options.rows_are_people) parameters["rows_are_people"] = true;
  if (!prepared.max_loss.empty()) parameters["max_loss"] = prepared.max_loss;
  if (!prepared.max_level.empty()) parameters["max_level"] = prepared.max_level;
  if (!prepared.weights.empty()) parameters["weights"] = prepared.weights;
  return parameters;
}

Json given_hierarchies(const PreparedTable& prepared) {
  Json given = prepared.schema.hierarchies;
  for (const auto& name : prepared.by_default) given.erase(name);
  return given;
}

Json told_hierarchies(const PreparedTable& prepared, const Recoding& recoding) {
  Json told = given_hierarchies(prepared);
  for (const auto& name : prepared.by_default) {
    const auto& qi = prepared.schema.quasi_identifiers;
    const auto place = static_cast<std::size_t>(std::find(qi.begin(), qi.end(), name) - qi.begin());
    const Hierarchy& tree = prepared.hierarchies.at(name);
    const RecodedColumn& column = recoding.columns[place];
    const CodeSystem* system = find_code_system(prepared.schema.hierarchies.at(name));
    const bool shows_it =
        system != nullptr && std::any_of(column.codes.begin(), column.codes.end(), [&](Code code) {
          const auto& cell = column.values[code];
          const auto node = tree.find(cell);
          return node && *node != tree.root() && !system->normal(cell, true);
        });
    if (shows_it) told[name] = prepared.schema.hierarchies.at(name);
  }
  return told;
}

Json private_parameters_of(const PreparedTable& prepared) {
  Json parameters = {{"hierarchies", prepared.schema.hierarchies}};
  for (const auto& [column, form] : prepared.dates)
    parameters["dates"][column] = std::string(to_string(form));
  for (const auto& [column, form] : prepared.numbers)
    parameters["numbers"][column] = std::string(to_string(form));
  return parameters;
}

void add_kinds_of_models(Json& parameters, const Json& claims) {
  constexpr std::string_view diversity = "-l-diversity";
  for (const auto& claim : claims) {
    const auto model = claim.at("model").get<std::string>();
    if (model.ends_with(diversity)) {
      std::string kind = model.substr(0, model.size() - diversity.size());
      if (claim.contains("c")) kind += fmt::format(":{}", claim["c"].get<double>());
      parameters["diversity"][claim.at("sensitive").get<std::string>()] = kind;
    } else if (claim.contains("distance")) {
      parameters["distance"][claim.at("sensitive").get<std::string>()] = claim["distance"];
    }
  }
}

}  // namespace pratique::tables::flow
