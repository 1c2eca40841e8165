#include "let_go.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "pratique/core/error.h"
#include "pratique/kind/among.h"
#include "pratique/manifest/manifest.h"

namespace pratique::app {
namespace {

namespace fs = std::filesystem;

constexpr auto kSaidFirst = std::to_array<Figure>({
    {"allowed", "columns that leave as they are, whatever they look like"},
    {"rows_are_people", "every row was said to be a different person"},
});

// The files that the verb was given to read.
std::vector<std::string> files_read(const Verb& verb) {
  std::vector<std::string> files;
  for (const auto& option : verb.options) {
    if (option.type != ValueType::file_read) continue;
    const Json value = option.value();
    for (const auto& path : value.is_array() ? value : Json::array({value})) {
      if (path.is_string()) files.push_back(path.get<std::string>());
    }
  }
  return files;
}

}  // namespace

Json what_was_let_go(const Verb& verb) {
  Json said = Json::object();
  if (verb.makes_release) return said;
  std::vector<std::string> allowed;
  bool rows_are_people = false;
  for (const auto& file : files_read(verb)) {
    const std::string path = Manifest::path_of(file);
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) continue;
    try {
      const Json parameters = *Manifest::read(path).parameters;
      for (const auto& column : parameters.value("allowed", Json::array())) {
        if (column.is_string() && !release::among(allowed, column.get<std::string>()))
          allowed.push_back(column.get<std::string>());
      }
      const Json people = parameters.value("rows_are_people", Json());
      rows_are_people = rows_are_people || (people.is_boolean() && people.get<bool>());
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): whoever needs it says what is wrong
    }
  }
  if (!allowed.empty()) said["allowed"] = allowed;
  if (rows_are_people) said["rows_are_people"] = true;
  return said;
}

Json said_first(const Json& let_go, const Json& result) {
  if (let_go.empty() || !result.is_object()) return result;
  Json said = Json::object();
  for (const auto& [key, value] : let_go.items()) {
    if (!result.contains(key)) said[key] = value;
  }
  said.update(result);
  return said;
}

std::vector<Figure> with_words_for_it(std::span<const Figure> declared) {
  std::vector<Figure> figures(declared.begin(), declared.end());
  for (const auto& figure : kSaidFirst) {
    if (std::none_of(declared.begin(), declared.end(),
                     [&](const Figure& other) { return other.key == figure.key; }))
      figures.push_back(figure);
  }
  return figures;
}

}  // namespace pratique::app
