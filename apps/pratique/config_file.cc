#include "config_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/data/schema.h"
#include "pratique/data/settings.h"
#include "pratique/server/child_process.h"
#include "pratique/tables/model/model_kind.h"

namespace pratique::app {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The workbench checks the paths of a request; it does not look into the files that one names.
// Hierarchies are an exception, as in `hierarchies`: a job checks what it opens.
void refuse_path_in_job(const Option& option, const Setting& setting) {
  const bool word = std::all_of(setting.values.begin(), setting.values.end(),
                                [&](const auto& value) { return contains(option.instead, value); });
  if (!holds_path(option.type) || option.type >= ValueType::column_hierarchy || word ||
      !server::in_job()) {
    return;
  }
  throw Error::input(
      fmt::format("the workbench takes no path from a --config file: '{}'", setting.key))
      .at(setting.place)
      .hint(fmt::format("Give --{} as an option.", setting.key));
}

// What the keys of a file mean to a verb.
class ConfigKeys {
 public:
  ConfigKeys(const CommandLine& program, const Verb& verb, const Verb& common)
      : verb_(verb), common_(common) {
    if (verb.reads_schema) others_.assign(Schema::kKeys.begin(), Schema::kKeys.end());
    for (const auto* options : {&verb.options, &common.options}) {
      for (const auto& option : *options) {
        // `identifiers: pseudonym` is the option, `identifiers: [name]` the role.
        const bool role = contains(others_, option.name) && option.type != ValueType::choice;
        if (is_key(option) && !role) names_.push_back(option.name);
      }
    }
    for (const auto& sibling : program.verbs) {
      if (verb.noun.empty() || sibling.noun != verb.noun) continue;
      if (sibling.reads_schema) add_others(Names(Schema::kKeys.begin(), Schema::kKeys.end()));
      for (const auto& option : sibling.options) {
        if (is_key(option)) add_others({option.name});
      }
    }
  }

  [[nodiscard]] const Names& names() const { return names_; }
  [[nodiscard]] const Names& others() const { return others_; }
  [[nodiscard]] const Option& option(const std::string& key) const {
    const Option* own = verb_.find(key);
    return own != nullptr ? *own : *common_.find(key);
  }

 private:
  static bool is_key(const Option& option) { return !option.is_input() && option.name != "config"; }

  void add_others(const Names& keys) {
    for (const auto& key : keys) {
      if (!contains(names_, key) && !contains(others_, key)) others_.push_back(key);
    }
  }

  const Verb& verb_;
  const Verb& common_;
  Names names_;
  Names others_;
};

Error said_twice(const Setting& setting, const std::string& what, std::string_view key,
                 const std::string& option) {
  return Error::input(fmt::format("{} is said twice: by '{}' and by '{}'", what, key, option))
      .at(setting.place)
      .hint("Keep one of the two.");
}

// Options and the schema's keys of one file: a contradiction between them could release a column.
void refuse_said_twice(const Schema& schema, const Setting& setting, const Names& values) {
  const std::pair<std::string_view, const Names&> roles[] = {
      {"identifiers", schema.identifiers},
      {"quasi_identifiers", schema.quasi_identifiers},
      {"sensitive", schema.sensitive},
      {"insensitive", schema.insensitive}};
  if (setting.key == "id" || setting.key == "qi") {
    const auto& [key, columns] = roles[setting.key == "id" ? 0 : 1];
    if (!columns.empty()) throw said_twice(setting, "a role of columns", key, setting.key);
    for (const auto& [other, taken] : roles) {
      for (const auto& column : values) {
        if (contains(taken, column)) {
          throw said_twice(setting, fmt::format("the role of '{}'", column), other, setting.key);
        }
      }
    }
  }
  if (setting.key == "hierarchy" && !schema.hierarchies.empty()) {
    throw said_twice(setting, "a hierarchy", "hierarchies", setting.key);
  }
  for (const auto& model : schema.models) {
    if (model.key != setting.key) continue;
    throw said_twice(setting, model.key, "models: " + model.key, setting.key);
  }
}

Schema schema_of(const Verb& verb, const std::string& text, const std::string& path) {
  if (!verb.reads_schema) return {};
  return Schema::parse_yaml(text, path, tables::model_keys(), Schema::OtherKeys::allowed);
}

}  // namespace

std::vector<std::string> in_parts(const Option& option, const std::vector<std::string>& words) {
  if (!option.commas) return words;
  Names parts;
  for (const auto& word : words) {
    const auto items = split_at_commas(word);
    parts.insert(parts.end(), items.begin(), items.end());
  }
  return parts;
}

std::set<std::string> apply_config(const CommandLine& program, const Verb& verb, const Verb& common,
                                   const std::string& path, const std::set<std::string>& given) {
  const ConfigKeys keys(program, verb, common);
  const std::string text = read_file(path);
  const auto settings = parse_settings(text, path, keys.names(), keys.others());
  const Schema schema = schema_of(verb, text, path);
  std::set<std::string> named;
  for (const auto& setting : settings) {
    const Option& option = keys.option(setting.key);
    const Names values = setting.list ? setting.values : in_parts(option, setting.values);
    refuse_said_twice(schema, setting, values);
    named.insert(setting.key);
    if (given.contains(setting.key)) continue;
    refuse_path_in_job(option, setting);
    try {
      if (setting.values.size() > 1 && !option.takes_several()) {
        throw Error::input(option.shown() + " takes one value, not a list");
      }
      option.set(values);
    } catch (const Error& error) {
      throw Error(error).at(setting.place);
    }
  }
  return named;
}

}  // namespace pratique::app
