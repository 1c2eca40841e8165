// The YAML form of a Schema.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/data/internal/yaml_tree.h"
#include "pratique/data/schema.h"
#include "pratique/data/table.h"
#include "pratique/data/utf8.h"

namespace pratique {
namespace {

using Kind = YamlNode::Kind;
using OtherKeys = Schema::OtherKeys;

class SchemaReader {
 public:
  explicit SchemaReader(const std::vector<std::string>& model_keys) : model_keys_(model_keys) {}

  Schema read(const YamlNode& document, OtherKeys others) {
    if (document.kind != Kind::map) {
      throw error(document, "the schema has no keys and values")
          .hint("Write for example: quasi_identifiers: [age, zip]");
    }
    std::set<std::string> seen;
    for (std::size_t i = 0; i + 1 < document.items.size(); i += 2) {
      const YamlNode& value = document.items[i + 1];
      const std::string key = name(document.items[i], "a key");
      const auto known =
          std::find_if(keys().begin(), keys().end(), [&](const Key& k) { return k.name == key; });
      if (known == keys().end() && others == OtherKeys::allowed) continue;
      if (known == keys().end()) throw unknown_key(document.items[i], key);
      if (!seen.insert(key).second) {
        throw error(document.items[i], fmt::format("the key '{}' appears twice", key))
            .hint("Join the two.");
      }
      if (value.kind == Kind::null || (others == OtherKeys::allowed && is_option(key, value)))
        continue;
      (this->*known->read)(*known, value);
    }
    check_hierarchies();
    return std::move(schema_);
  }

 private:
  struct Key {
    std::string_view name;
    void (SchemaReader::*read)(const Key& key, const YamlNode& value);
    std::vector<std::string> Schema::*columns = nullptr;
  };
  static std::span<const Key> keys() {
    static constexpr Key kKeys[] = {
        {"identifiers", &SchemaReader::read_columns, &Schema::identifiers},
        {"quasi_identifiers", &SchemaReader::read_columns, &Schema::quasi_identifiers},
        {"sensitive", &SchemaReader::read_columns, &Schema::sensitive},
        {"insensitive", &SchemaReader::read_columns, &Schema::insensitive},
        {"hierarchies", &SchemaReader::read_hierarchies},
        {"models", &SchemaReader::read_models},
    };
    return kKeys;
  }

  // `identifiers: pseudonym` says what is done with them, not which they are.
  static bool is_option(const std::string& key, const YamlNode& value) {
    constexpr std::array<std::string_view, 3> kTreatments = {"drop", "pseudonym", "surrogate"};
    return key == "identifiers" && value.kind == Kind::scalar &&
           std::find(kTreatments.begin(), kTreatments.end(), value.text) != kTreatments.end();
  }

  static Error error(const YamlNode& node, const std::string& message) {
    return Error::input(message).at(node.place);
  }

  static Error unknown_key(const YamlNode& node, const std::string& key) {
    std::vector<std::string> names;
    for (const auto& known : keys()) names.emplace_back(known.name);
    return unknown_key(node, key, names);
  }

  static Error unknown_key(const YamlNode& node, const std::string& key,
                           const std::vector<std::string>& names) {
    const auto near = nearest_names(names, key);
    return error(node, fmt::format("there is no key {}", in_quotes(key)))
        .hint(near.empty() ? fmt::format("The keys are: {}.", fmt::join(names, ", "))
                           : fmt::format("Did you mean {}?", fmt::join(near, " or ")));
  }

  static std::string name(const YamlNode& node, const std::string& what) {
    if (node.kind != Kind::scalar || node.text.empty()) {
      throw error(node, fmt::format("{} is not a name", what))
          .hint("Write a name, in quotes if it has special characters.");
    }
    return node.text;
  }

  void read_columns(const Key& key, const YamlNode& value) {
    if (value.kind != Kind::list) {
      throw error(value, fmt::format("{} must be a list of columns", key.name))
          .hint(fmt::format("Write {}: [{}]", key.name,
                            value.kind == Kind::scalar ? value.text : "age, zip"));
    }
    for (const YamlNode& item : value.items) {
      const std::string column = name(item, fmt::format("{}: a column", key.name));
      const auto [role, is_new] = roles_.emplace(column, key.name);
      if (!is_new) {
        throw error(item, role->second == key.name
                              ? fmt::format("{}: column '{}' appears twice", key.name, column)
                              : fmt::format("{}: column '{}' is also in {}", key.name, column,
                                            role->second))
            .hint("Give each column one role.");
      }
      (schema_.*key.columns).push_back(column);
    }
  }

  void read_hierarchies(const Key& key, const YamlNode& value) {
    if (value.kind != Kind::map) {
      throw error(value, fmt::format("{} must name a hierarchy for each column", key.name))
          .hint("Write a line for each, indented: age: interval:5,10,20");
    }
    for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
      const YamlNode& at = value.items[i];
      const std::string column = name(at, fmt::format("{}: a column", key.name));
      const std::string spec =
          name(value.items[i + 1], fmt::format("{}: the hierarchy of '{}'", key.name, column));
      if (!schema_.hierarchies.emplace(column, spec).second) {
        throw error(at, fmt::format("{}: column '{}' appears twice", key.name, column))
            .hint("Keep one of the two.");
      }
      hierarchy_places_.emplace(column, at.place);
    }
  }

  void read_models(const Key& key, const YamlNode& value) {
    if (value.kind == Kind::map) {
      std::set<std::string> seen;
      for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
        const YamlNode& at = value.items[i];
        const std::string model = name(at, fmt::format("{}: a model", key.name));
        if (!seen.insert(model).second) {
          throw error(at, fmt::format("{}: '{}' appears twice", key.name, model))
              .hint(fmt::format("Join the two: {}: [3@diagnosis, 2@ward]", model));
        }
        read_model(at, model, value.items[i + 1]);
      }
      return;
    }
    if (value.kind != Kind::list) {
      throw error(value, fmt::format("{} must name models and their values", key.name))
          .hint("Write a line for each, indented: k: 5");
    }
    for (const YamlNode& item : value.items) {
      if (item.kind != Kind::map) {
        throw error(item, fmt::format("{}: an item is not a model and its value", key.name))
            .hint("Write each item as: - k: 5");
      }
      read_models(key, item);
    }
  }

  void read_model(const YamlNode& at, const std::string& model, const YamlNode& value) {
    if (std::find(model_keys_.begin(), model_keys_.end(), model) == model_keys_.end()) {
      throw unknown_key(at, model, model_keys_);
    }
    const auto add = [&](const YamlNode& word) {
      if (word.kind != Kind::scalar || word.text.empty()) {
        throw error(word, fmt::format("models: '{}' needs a value", model))
            .hint(fmt::format("Write what --{} takes, or a list of it.", model));
      }
      schema_.models.push_back({model, word.text, word.place});
    };
    if (value.kind != Kind::list) return add(value);
    for (const YamlNode& word : value.items) add(word);
  }

  void check_hierarchies() const {
    for (const auto& [column, place] : hierarchy_places_) {
      if (schema_.role_of(column) != Role::identifier) continue;
      throw Error::input(fmt::format("hierarchies: '{}' is an identifier", column))
          .at(place)
          .hint("Identifiers are never released, so they need none; or give it another role.");
    }
  }

  const std::vector<std::string>& model_keys_;
  Schema schema_;
  std::map<std::string, std::string_view> roles_;  // column to the key that names it
  std::map<std::string, std::string> hierarchy_places_;
};

}  // namespace

Schema Schema::parse_yaml(std::string_view text, const std::string& place,
                          const std::vector<std::string>& model_keys, OtherKeys others) {
  const YamlNode document = parse_yaml_tree(text, place);
  if (document.kind == YamlNode::Kind::null) {
    throw Error::input("the schema is empty")
        .at(place)
        .hint("Write for example: quasi_identifiers: [age, zip]");
  }
  return SchemaReader(model_keys).read(document, others);
}

Schema Schema::read_yaml(const std::string& path, const std::vector<std::string>& model_keys,
                         OtherKeys others) {
  return parse_yaml(read_file(path), path, model_keys, others);
}

}  // namespace pratique
