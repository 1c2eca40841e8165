// The YAML form of a Schema. The only file that knows the YAML library.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/data/schema.h"
#include "pratique/data/table.h"
#include "pratique/data/utf8.h"

namespace pratique {
namespace {

// The library recurses once per level of nesting and takes its time over long keys; a schema needs
// little of either.
constexpr std::size_t kLargest = 1U << 20U;
constexpr std::size_t kDeepest = 50;

class SchemaReader {
  using Names = std::vector<std::string>;

 public:
  explicit SchemaReader(const std::string& place) : place_(place) {}

  Schema read(std::string_view text) {
    guard(text);
    const std::vector<YAML::Node> documents = load(text);
    if (documents.empty() || documents.front().IsNull()) {
      throw Error::input("the schema says nothing")
          .at(place_)
          .hint("Write for example: quasi_identifiers: [age, zip]");
    }
    if (documents.size() > 1) {
      throw error(documents[1], "there is a second document")
          .hint("Keep one schema in a file: take out the line ---.");
    }
    read_document(documents.front());
    return std::move(schema_);
  }

 private:
  struct Key {
    std::string_view name;
    void (SchemaReader::*read)(const std::string& key, const YAML::Node& value);
  };
  static std::span<const Key> keys() {
    // What else a run is told (models, methods) gets its line here.
    static constexpr Key kKeys[] = {
        {"identifiers", &SchemaReader::read_columns},
        {"quasi_identifiers", &SchemaReader::read_columns},
        {"sensitive", &SchemaReader::read_columns},
        {"insensitive", &SchemaReader::read_columns},
        {"hierarchies", &SchemaReader::read_hierarchies},
    };
    return kKeys;
  }

  [[nodiscard]] std::string at(const YAML::Mark& mark) const {
    if (mark.is_null()) return place_;
    return fmt::format("{}:{}:{}", place_, mark.line + 1, mark.column + 1);
  }
  [[nodiscard]] Error error(const YAML::Node& node, const std::string& message) const {
    return Error::input(message).at(at(node.Mark()));
  }

  // Brackets and indents open at the same time bound how deep the library can get.
  void guard(std::string_view text) const {
    if (text.size() > kLargest) {
      throw Error::input("the schema is larger than 1 MB")
          .at(place_)
          .hint("Check that this is the schema and not the data.");
    }
    std::size_t line = 1;
    std::size_t depth = 0;
    std::size_t indicators = 0;  // a line of - - - - nests without brackets
    for (const char c : text) {
      if (c == '\n') {
        ++line;
        indicators = 0;
      }
      if (c == '[' || c == '{') ++depth;
      if ((c == ']' || c == '}') && depth > 0) --depth;
      if (c == '-' || c == '?' || c == ':') ++indicators;
      if (c == '\0' || depth > kDeepest || indicators > 20 * kDeepest) {
        throw Error::input(c == '\0' ? "the schema has a NUL byte" : "the schema nests too deeply")
            .at(fmt::format("{}:{}", place_, line))
            .hint("Check that this is the schema and not the data.");
      }
    }
  }

  [[nodiscard]] std::vector<YAML::Node> load(std::string_view text) const {
    try {
      return YAML::LoadAll(std::string(text));
    } catch (const YAML::Exception& failure) {
      throw Error::input(fmt::format("the schema is not YAML: {}", failure.msg))
          .at(at(failure.mark))
          .hint("Indent with spaces, write lists as [a, b], and quote names with : or #.");
    } catch (const std::exception& failure) {
      throw Error::input(fmt::format("the schema is not YAML: {}", failure.what())).at(place_);
    }
  }

  std::string name(const YAML::Node& node, const std::string& what) const {
    if (!node.IsScalar() || node.Scalar().empty()) {
      throw error(node, fmt::format("{} is not a name", what))
          .hint("Write a name, in quotes if it has special characters.");
    }
    return node.Scalar();
  }

  void read_document(const YAML::Node& document) {
    if (!document.IsMap()) {
      throw error(document, "the schema is not a list of keys and values")
          .hint("Write for example: quasi_identifiers: [age, zip]");
    }
    std::set<std::string> seen;
    for (const auto& entry : document) {
      const std::string key = name(entry.first, "a key");
      const auto known =
          std::find_if(keys().begin(), keys().end(), [&](const Key& k) { return k.name == key; });
      if (known == keys().end()) throw unknown_key(entry.first, key);
      if (!seen.insert(key).second) {
        throw error(entry.first, fmt::format("the key '{}' is here twice", key))
            .hint("Join the two.");
      }
      if (!entry.second.IsNull()) (this->*known->read)(key, entry.second);
    }
    for (const auto& [column, mark] : hierarchy_marks_) {
      const auto role = roles_.find(column);
      if (role != roles_.end() && role->second == "identifiers") {
        throw Error::input(fmt::format("hierarchies: '{}' is an identifier", column))
            .at(at(mark))
            .hint("Identifiers are never released, so they need none; or give it another role.");
      }
    }
  }

  [[nodiscard]] Error unknown_key(const YAML::Node& node, const std::string& key) const {
    std::vector<std::string> names;
    for (const auto& known : keys()) names.emplace_back(known.name);
    const auto near = nearest_names(names, key);
    return error(node, fmt::format("there is no key {}", in_quotes(key)))
        .hint(near.empty() ? fmt::format("The keys are: {}.", fmt::join(names, ", "))
                           : fmt::format("Did you mean {}?", fmt::join(near, " or ")));
  }

  Names& list(const std::string& key) {
    if (key == "identifiers") return schema_.identifiers;
    if (key == "quasi_identifiers") return schema_.quasi_identifiers;
    return key == "sensitive" ? schema_.sensitive : schema_.insensitive;
  }

  void read_columns(const std::string& key, const YAML::Node& value) {
    if (!value.IsSequence()) {
      throw error(value, fmt::format("{} must be a list of columns", key))
          .hint(fmt::format("Write {}: [{}]", key,
                            value.IsScalar() ? value.Scalar() : std::string("age, zip")));
    }
    for (const auto& item : value) {
      const std::string column = name(item, fmt::format("{}: a column", key));
      const auto [role, is_new] = roles_.emplace(column, key);
      if (!is_new) {
        throw error(item,
                    role->second == key
                        ? fmt::format("{}: column '{}' is here twice", key, column)
                        : fmt::format("{}: column '{}' is in {} too", key, column, role->second))
            .hint("Give each column one role.");
      }
      list(key).push_back(column);
    }
  }

  void read_hierarchies(const std::string& key, const YAML::Node& value) {
    if (!value.IsMap()) {
      throw error(value, fmt::format("{} must name a hierarchy for each column", key))
          .hint("Write a line for each, indented: age: interval:5,10,20");
    }
    for (const auto& entry : value) {
      const std::string column = name(entry.first, fmt::format("{}: a column", key));
      const std::string spec =
          name(entry.second, fmt::format("{}: the hierarchy of '{}'", key, column));
      if (!schema_.hierarchies.emplace(column, spec).second) {
        throw error(entry.first, fmt::format("{}: column '{}' is here twice", key, column))
            .hint("Keep one of the two.");
      }
      hierarchy_marks_.emplace(column, entry.first.Mark());
    }
  }

  const std::string& place_;
  Schema schema_;
  std::map<std::string, std::string> roles_;  // column to the key that names it
  std::map<std::string, YAML::Mark> hierarchy_marks_;
};

}  // namespace

Schema Schema::parse_yaml(std::string_view text, const std::string& place) {
  return SchemaReader(place).read(text);
}

Schema Schema::read_yaml(const std::string& path) { return parse_yaml(read_file(path), path); }

}  // namespace pratique
