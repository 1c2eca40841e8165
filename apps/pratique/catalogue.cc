#include "catalogue.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace pratique::app {
namespace {

using server::OptionKind;

// What CLI11 does not know of an option: that its text is the path of a file that is read.
constexpr std::array<std::string_view, 25> kFiles = {
    "config",     "population",   "register", "queries",  "key",    "rules",     "privacy",
    "known",      "original",     "world",    "data",     "policy", "release",   "targets",
    "identified", "deidentified", "truth",    "accounts", "people", "auxiliary", "report",
    "learn",      "ru-map",       "from",     "adversary"};

// Some are named alike and are no path: the column that names people, a name for the people.
bool is_path(std::string_view name, std::string_view description) {
  return std::find(kFiles.begin(), kFiles.end(), name) != kFiles.end() &&
         !description.starts_with("column") && !description.starts_with("the column") &&
         !description.starts_with("a column") && !description.starts_with("a name");
}

// optimal and local of TEXT:{optimal,local}
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find(":{");
  const auto close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 2, close - open - 2), ',');
}

// 5 of "patients that known codes must match (default: 5)"
std::string default_of(const CLI::Option& option) {
  constexpr std::string_view before = "(default: ";
  const std::string& text = option.get_description();
  const auto begin = text.find(before);
  const auto end = text.find(')', begin == std::string::npos ? 0 : begin);
  if (begin == std::string::npos || end == std::string::npos) return {};
  return text.substr(begin + before.size(), end - begin - before.size());
}

bool is_number(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.starts_with("INT") || type.starts_with("UINT") || type.starts_with("FLOAT");
}

OptionKind kind_of(const CLI::Option& option, const std::string& name) {
  const std::string& text = option.get_description();
  if (option.get_items_expected_max() == 0) return OptionKind::flag;
  if (option.get_delimiter() != '\0') return OptionKind::list;
  if (name == "out") return OptionKind::out;
  // A model's number is read by the model: "K: k-anonymity, ...".
  if (is_number(option) || text.starts_with("K: ")) return OptionKind::number;
  if (text.starts_with("COLUMN=")) return OptionKind::pairs;
  if (is_path(name, text)) return OptionKind::file;
  return OptionKind::text;
}

server::Command command_of(const CLI::App& app, std::string noun) {
  server::Command command{std::move(noun), app.get_name(), app.get_description(), {}, {}};
  for (const auto* option : app.get_options()) {
    const bool repeat = option->get_items_expected_max() > 1;
    if (option->get_positional()) {
      command.inputs.push_back({option->get_name(true), OptionKind::file, option->get_description(),
                                option->get_required(), repeat});
      continue;
    }
    if (option->get_lnames().empty()) continue;
    const std::string& name = option->get_lnames().front();
    if (name == "help" || name == "json") continue;
    const bool commas = option->get_delimiter() != '\0';
    command.options.push_back({name, kind_of(*option, name), option->get_description(),
                               option->get_required(), default_of(*option), repeat || commas,
                               commas, choices_of(*option)});
  }
  return command;
}

void add_commands(const CLI::App& app, const std::string& noun,
                  std::vector<server::Command>& commands) {
  static const std::set<std::string> endless = {"help", "serve"};
  for (const auto* child : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (endless.contains(child->get_name())) continue;
    const bool leaf = child->get_subcommands([](const CLI::App*) { return true; }).empty();
    if (leaf) {
      commands.push_back(command_of(*child, noun));
    } else {
      add_commands(*child, noun.empty() ? child->get_name() : noun + "/" + child->get_name(),
                   commands);
    }
  }
}

}  // namespace

server::Catalogue catalogue_of(const CLI::App& program) {
  std::vector<server::Command> commands;
  add_commands(program, "", commands);
  return server::Catalogue(std::move(commands));
}

}  // namespace pratique::app
