// Reads one object of a manifest by its keys; every error says which.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "pratique/core/json.h"
#include "pratique/manifest/manifest.h"

namespace pratique {

class ManifestReader {
 public:
  ManifestReader(const Json& object, std::string name, const std::string& place)
      : object_(object), name_(std::move(name)), place_(place) {
    if (!object.is_object()) throw wrong("", "is not an object");
  }

  [[nodiscard]] bool has(const char* key) const { return object_.contains(key); }
  [[nodiscard]] std::string text(const char* key) const {
    const Json& value = at(key);
    if (!value.is_string()) throw wrong(key, "is not text");
    return value.get<std::string>();
  }
  [[nodiscard]] std::uint64_t whole(const char* key) const {
    const Json& value = at(key);
    if (!value.is_number_unsigned()) throw wrong(key, "is not a whole number");
    return value.get<std::uint64_t>();
  }
  [[nodiscard]] const Json& object(const char* key) const {
    const Json& value = at(key);
    if (!value.is_object()) throw wrong(key, "is not an object");
    return value;
  }
  [[nodiscard]] const Json& list(const char* key) const {
    const Json& value = at(key);
    if (!value.is_array()) throw wrong(key, "is not a list");
    return value;
  }
  // What may be missing.
  [[nodiscard]] std::string text_or_none(const char* key) const {
    return has(key) ? text(key) : std::string();
  }
  [[nodiscard]] std::uint64_t whole_or_none(const char* key) const {
    return has(key) ? whole(key) : 0;
  }
  // Each member of a list of objects.
  template <typename Use>
  void each(const char* key, Use use) const {
    std::size_t place = 0;
    for (const auto& element : list(key))
      use(ManifestReader(element, fmt::format("{}[{}]", inner(key), place++), place_));
  }

  [[nodiscard]] Error wrong(const std::string& key, const std::string& what) const {
    return Manifest::malformed(place_, fmt::format("{} {}", inner(key), what));
  }

 private:
  [[nodiscard]] const Json& at(const char* key) const {
    const auto value = object_.find(key);
    if (value == object_.end()) throw wrong(key, "is missing");
    return *value;
  }
  [[nodiscard]] std::string inner(const std::string& key) const {
    if (key.empty()) return name_.empty() ? "the whole" : name_;
    return name_.empty() ? key : name_ + "." + key;
  }

  const Json& object_;
  std::string name_;
  const std::string& place_;
};

[[nodiscard]] inline ResultFigure read_figure(const ManifestReader& reader) {
  const auto unit = unit_from_text(reader.text("unit"));
  if (!unit) throw reader.wrong("unit", "is not number, share or people");
  return {reader.text("key"), *unit, reader.text("words")};
}

[[nodiscard]] inline Json to_json(const std::vector<ResultFigure>& figures) {
  Json all = Json::array();
  for (const auto& figure : figures) {
    all.push_back({{"key", figure.key}, {"unit", to_text(figure.unit)}, {"words", figure.words}});
  }
  return all;
}

}  // namespace pratique
