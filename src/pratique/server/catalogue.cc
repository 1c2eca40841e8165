#include "pratique/server/catalogue.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace pratique::server {

std::string_view name_of(OptionKind kind) {
  switch (kind) {
    case OptionKind::flag:
      return "flag";
    case OptionKind::number:
      return "number";
    case OptionKind::list:
      return "list";
    case OptionKind::pairs:
      return "pairs";
    case OptionKind::file:
      return "file";
    case OptionKind::folder:
      return "folder";
    case OptionKind::out:
      return "out";
    case OptionKind::key:
      return "key";
    case OptionKind::file_pairs:
      return "file_pairs";
    case OptionKind::text:
      break;
  }
  return "text";
}

std::string path_of(const std::string& noun, const std::string& verb) {
  std::string words = noun.empty() ? verb : noun + "/" + verb;
  std::replace(words.begin(), words.end(), ' ', '/');
  return words;
}

const CommandOption* Command::option(std::string_view name) const {
  const auto option =
      std::find_if(options.begin(), options.end(),
                   [&](const CommandOption& candidate) { return candidate.name == name; });
  return option == options.end() ? nullptr : &*option;
}

const Command* Catalogue::find(std::string_view path) const {
  const auto command =
      std::find_if(commands_.begin(), commands_.end(),
                   [&](const Command& candidate) { return candidate.path() == path; });
  return command == commands_.end() ? nullptr : &*command;
}

Json to_json(const Catalogue& catalogue) {
  Json list = Json::array();
  for (const auto& command : catalogue.commands()) {
    Json inputs = Json::array();
    for (const auto& input : command.inputs) {
      inputs.push_back({{"name", input.name},
                        {"kind", name_of(input.kind)},
                        {"description", input.description},
                        {"required", input.required},
                        {"repeat", input.repeat}});
    }
    Json options = Json::array();
    for (const auto& option : command.options) {
      Json declared = {{"name", option.name},
                       {"kind", name_of(option.kind)},
                       {"type", option.type},
                       {"group", option.group},
                       {"description", option.description},
                       {"required", option.required},
                       {"default", option.fallback.empty() ? Json(nullptr) : Json(option.fallback)},
                       {"repeat", option.repeat},
                       {"commas", option.commas}};
      if (!option.otherwise.empty()) declared["otherwise"] = option.otherwise;
      if (!option.instead.empty()) declared["instead"] = option.instead;
      if (!option.choices.empty()) declared["choices"] = option.choices;
      if (std::isfinite(option.low)) declared["low"] = option.low;
      if (std::isfinite(option.high)) declared["high"] = option.high;
      if (option.open) declared["open"] = true;
      if (option.per_column) declared["per_column"] = true;
      options.push_back(std::move(declared));
    }
    list.push_back({{"noun", command.noun},
                    {"verb", command.verb},
                    {"description", command.description},
                    {"inputs", std::move(inputs)},
                    {"options", std::move(options)},
                    {"quick", command.quick}});
  }
  return list;
}

}  // namespace pratique::server
