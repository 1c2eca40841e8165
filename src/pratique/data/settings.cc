#include "pratique/data/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "pratique/core/error.h"
#include "pratique/data/internal/yaml_tree.h"
#include "pratique/data/table.h"
#include "pratique/data/utf8.h"

namespace pratique {
namespace {

using Kind = YamlNode::Kind;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string scalar(const YamlNode& node, const std::string& key) {
  if (node.kind == Kind::scalar) return node.text;
  throw Error::input(fmt::format("'{}' is given something other than a value", key))
      .at(node.place)
      .hint(fmt::format("Write what --{} takes, or a list of it.", key));
}

std::vector<std::string> values_of(const YamlNode& node, const std::string& key) {
  std::vector<std::string> values;
  if (node.kind == Kind::scalar) {
    values.push_back(node.text);
  } else if (node.kind == Kind::list) {
    for (const auto& item : node.items) values.push_back(scalar(item, key));
  } else {
    for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
      values.push_back(scalar(node.items[i], key) + "=" + scalar(node.items[i + 1], key));
    }
  }
  return values;
}

}  // namespace

std::vector<Setting> parse_settings(std::string_view text, const std::string& place,
                                    const std::vector<std::string>& names,
                                    const std::vector<std::string>& others) {
  const YamlNode document = parse_yaml_tree(text, place);
  if (document.kind != Kind::map) {
    throw Error::input(document.kind == Kind::null ? "the file says nothing"
                                                   : "the file has no keys and values")
        .at(document.place.empty() ? place : document.place)
        .hint("Write for example: quasi_identifiers: [age, zip]");
  }
  std::vector<Setting> settings;
  std::set<std::string> seen;
  for (std::size_t i = 0; i + 1 < document.items.size(); i += 2) {
    const YamlNode& at = document.items[i];
    const YamlNode& value = document.items[i + 1];
    const bool theirs = contains(others, at.text);
    const bool ours = contains(names, at.text) && (!theirs || value.kind == Kind::scalar);
    if (at.kind != Kind::scalar || (!ours && !theirs)) {
      std::vector<std::string> all = names;
      all.insert(all.end(), others.begin(), others.end());
      const auto near = nearest_names(all, at.text);
      throw Error::input(fmt::format("there is no key {}", in_quotes(at.text)))
          .at(at.place)
          .hint(near.empty() ? fmt::format("The keys are: {}.", fmt::join(all, ", "))
                             : fmt::format("Did you mean {}?", fmt::join(near, " or ")));
    }
    if (!seen.insert(at.text).second) {
      throw Error::input(fmt::format("the key '{}' appears twice", at.text))
          .at(at.place)
          .hint("Join the two.");
    }
    if (!ours || value.kind == Kind::null) continue;
    settings.push_back(
        {at.text, values_of(value, at.text), value.place, value.kind != Kind::scalar});
  }
  return settings;
}

std::vector<std::string> split_at_commas(std::string_view word) {
  std::vector<std::string> items(1);
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word.substr(i).starts_with("\\,")) {
      items.back() += word[++i];
    } else if (word[i] == ',') {
      items.emplace_back();
    } else {
      items.back() += word[i];
    }
  }
  return items;
}

std::map<std::string, std::string> column_values(const std::vector<std::string>& pairs,
                                                 const std::string& flag,
                                                 const std::vector<std::string>& columns) {
  std::map<std::string, std::string> values;
  for (const auto& pair : pairs) {
    auto equals = pair.find('=');
    for (auto next = equals; next != std::string::npos; next = pair.find('=', next + 1)) {
      if (contains(columns, pair.substr(0, next))) equals = next;
    }
    if (equals == std::string::npos || equals == 0 || equals + 1 == pair.size()) {
      throw Error::input(fmt::format("{} takes COLUMN=VALUE, not '{}'", flag, pair));
    }
    if (!values.emplace(pair.substr(0, equals), pair.substr(equals + 1)).second) {
      throw Error::input(
          fmt::format("{} names the column '{}' twice", flag, pair.substr(0, equals)));
    }
  }
  return values;
}

}  // namespace pratique
