#include "pratique/server/openapi.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "pratique/core/ascii.h"
#include "pratique/core/version.h"
#include "pratique/net/problem.h"

namespace pratique::server {
namespace {

Json reference(const std::string& name) { return {{"$ref", "#/components/schemas/" + name}}; }

Json problem_answer() {
  return {{"description", "what is wrong and how to mend it"},
          {"content", {{"application/problem+json", {{"schema", reference("Problem")}}}}}};
}

Json parameters_of(const RouteDescription& route) {
  Json list = Json::array();
  for (const auto& parameter : route.parameters) {
    list.push_back({{"name", parameter.name},
                    {"in", parameter.in_path ? "path" : "query"},
                    {"required", parameter.in_path},
                    {"description", parameter.description},
                    {"schema", {{"type", parameter.number ? "integer" : "string"}}}});
  }
  return list;
}

Json operation(const RouteDescription& route) {
  Json answer = {{"description", net::status_title(route.status)}};
  if (!route.answer.empty()) {
    const Json item = reference(route.answer);
    const Json schema = route.list ? Json{{"type", "array"}, {"items", item}} : item;
    answer["content"] = {{route.type, {{"schema", schema}}}};
  } else if (route.status != 204 && route.status != 303) {
    answer["content"] = {{route.type, Json::object()}};
  }
  Json json = {
      {"summary", route.summary},
      {"responses", {{std::to_string(route.status), answer}, {"default", problem_answer()}}}};
  if (!route.parameters.empty()) json["parameters"] = parameters_of(route);
  if (route.body == "bytes") {
    json["requestBody"] = {{"required", true},
                           {"content", {{"application/octet-stream", Json::object()}}}};
  } else if (route.body == "json") {
    json["requestBody"] = {{"required", true},
                           {"content", {{"application/json", {{"schema", {{"type", "object"}}}}}}}};
  }
  return json;
}

Json value_schema(const CommandOption& option) {
  // Text may be given as a number, as on a command line.
  Json value = {{"type", option.kind == OptionKind::flag     ? Json("boolean")
                         : option.kind == OptionKind::number ? Json("number")
                                                             : Json{"string", "number"}}};
  if (!option.choices.empty() && !option.per_column) value["enum"] = option.choices;
  Json schema =
      option.repeat ? Json{{"oneOf", {value, {{"type", "array"}, {"items", value}}}}} : value;
  std::string description = option.description;
  if (holds_path(option.kind)) {
    description += " (a path inside the data folder)";
  }
  schema["description"] = description;
  return schema;
}

std::string operation_of(const Command& command) {
  std::string name = command.path();
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

Json command_operation(const Command& command) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const auto& option : command.options) {
    properties[option.name] = value_schema(option);
    if (option.required) required.push_back(option.name);
  }
  Json options = {
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) options["required"] = required;
  const auto least = static_cast<std::size_t>(
      std::count_if(command.inputs.begin(), command.inputs.end(),
                    [](const CommandInput& input) { return input.required; }));
  std::string names;
  for (const auto& input : command.inputs) names += (names.empty() ? "" : ", ") + input.name;
  Json inputs = {{"type", "array"},
                 {"items", {{"type", "string"}}},
                 {"minItems", least},
                 {"description", names}};
  if (command.inputs.empty() || !command.inputs.back().repeat) {
    inputs["maxItems"] = command.inputs.size();
  }
  Json schema = {{"type", "object"},
                 {"properties", {{"inputs", inputs}, {"options", options}}},
                 {"additionalProperties", false}};
  return {{"summary", command.description},
          {"operationId", operation_of(command)},
          {"requestBody",
           {{"required", true}, {"content", {{"application/json", {{"schema", schema}}}}}}},
          {"responses",
           {{"202",
             {{"description", "the job, queued"},
              {"content", {{"application/json", {{"schema", reference("Job")}}}}}}},
            {"default", problem_answer()}}}};
}

// Every property is always there, but for those that are named so.
Json object_schema(std::initializer_list<std::pair<const char*, Json>> properties,
                   std::initializer_list<const char*> sometimes = {}) {
  Json json = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  for (const auto& [name, schema] : properties) {
    json["properties"][name] = schema;
    const std::string key = name;
    if (std::count(sometimes.begin(), sometimes.end(), key) == 0) json["required"].push_back(key);
  }
  return json;
}

Json schemas() {
  const Json text = {{"type", "string"}};
  const Json maybe_text = {{"type", {"string", "null"}}};
  const Json whole = {{"type", "integer"}};
  const Json maybe_whole = {{"type", {"integer", "null"}}};
  const Json object = {{"type", "object"}};
  const Json maybe_object = {{"type", {"object", "null"}}};
  const Json texts = {{"type", "array"}, {"items", text}};
  const Json objects = {{"type", "array"}, {"items", object}};
  const Json states = {
      {"type", "string"},
      {"enum", {"queued", "running", "done", "failed", "cancelled", "interrupted"}}};
  Json all = Json::object();
  all["Problem"] = object_schema(
      {{"type", text},
       {"title", text},
       {"status", whole},
       {"detail", text},
       {"hint", text},
       {"facts", object},
       {"place",
        object_schema({{"file", text}, {"line", whole}, {"column", whole}}, {"line", "column"})}},
      {"hint", "facts", "place"});
  all["Job"] = object_schema({{"id", text},
                              {"number", whole},
                              {"noun", text},
                              {"verb", text},
                              {"command", text},
                              {"arguments", texts},
                              {"request", maybe_object},
                              {"state", states},
                              {"exit", maybe_whole},
                              {"version", text},
                              {"created", text},
                              {"started", maybe_text},
                              {"ended", maybe_text},
                              {"progress", maybe_object},
                              {"points", objects},
                              {"problem", {{"anyOf", {reference("Problem"), {{"type", "null"}}}}}},
                              {"result", maybe_object}},
                             {"result"});
  all["File"] = object_schema({{"path", text},
                               {"bytes", whole},
                               {"modified", text},
                               {"kind", text},
                               {"ledger", object_schema({{"path", text}, {"entry", whole}})}},
                              {"ledger"});
  all["Undo"] = object_schema({{"undo", text}});
  all["Status"] = object_schema({{"version", text},
                                 {"data", text},
                                 {"limits", object},
                                 {"loopback", {{"type", "boolean"}}},
                                 {"confined", {{"type", "boolean"}}}});
  all["Command"] = object_schema({{"noun", text},
                                  {"verb", text},
                                  {"description", text},
                                  {"inputs", objects},
                                  {"options", objects},
                                  {"quick", {{"type", "boolean"}}}});
  all["Rows"] = object_schema({{"columns", texts},
                               {"rows", {{"type", "array"}, {"items", texts}}},
                               {"offset", whole},
                               {"total", maybe_whole}});
  all["Distributions"] = object_schema({{"rows", whole}, {"columns", objects}});
  return all;
}

}  // namespace

Json openapi_document(const std::vector<RouteDescription>& routes, const Catalogue& catalogue) {
  Json paths = Json::object();
  for (const auto& route : routes) {
    paths[route.pattern][lower(route.method)] = operation(route);
  }
  for (const auto& command : catalogue.commands()) {
    paths["/api/v1/" + command.path()]["post"] = command_operation(command);
  }
  return {{"openapi", "3.1.0"},
          {"info",
           {{"title", "Pratique"},
            {"version", kVersion},
            {"description",
             "The command line over HTTP: POST starts a command as a job, with the same options "
             "and the same JSON keys."}}},
          {"servers", {{{"url", "/"}}}},
          {"security", {{{"token", Json::array()}}, {{"cookie", Json::array()}}}},
          {"paths", std::move(paths)},
          {"components",
           {{"schemas", schemas()},
            {"securitySchemes",
             {{"token", {{"type", "http"}, {"scheme", "bearer"}}},
              {"cookie", {{"type", "apiKey"}, {"in", "cookie"}, {"name", "pratique_PORT"}}}}}}}};
}

}  // namespace pratique::server
