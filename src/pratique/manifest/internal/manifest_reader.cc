#include "pratique/manifest/internal/manifest_reader.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace pratique {

ManifestReader::ManifestReader(const Json& object, std::string name, const std::string& place)
    : object_(object), name_(std::move(name)), place_(place) {
  if (!object.is_object()) throw wrong("", "is not an object");
}

bool ManifestReader::has(const char* key) const { return object_.contains(key); }

std::string ManifestReader::text(const char* key) const {
  const Json& value = at(key);
  if (!value.is_string()) throw wrong(key, "is not text");
  return value.get<std::string>();
}

std::uint64_t ManifestReader::whole(const char* key) const {
  const Json& value = at(key);
  if (!value.is_number_unsigned()) throw wrong(key, "is not a whole number");
  return value.get<std::uint64_t>();
}

const Json& ManifestReader::object(const char* key) const {
  const Json& value = at(key);
  if (!value.is_object()) throw wrong(key, "is not an object");
  return value;
}

const Json& ManifestReader::list(const char* key) const {
  const Json& value = at(key);
  if (!value.is_array()) throw wrong(key, "is not a list");
  return value;
}

std::string ManifestReader::text_or_none(const char* key) const {
  return has(key) ? text(key) : std::string();
}

std::uint64_t ManifestReader::whole_or_none(const char* key) const {
  return has(key) ? whole(key) : 0;
}

void ManifestReader::each(const char* key,
                          const std::function<void(const ManifestReader&)>& use) const {
  std::size_t place = 0;
  for (const auto& element : list(key))
    use(ManifestReader(element, fmt::format("{}[{}]", inner(key), place++), place_));
}

Error ManifestReader::wrong(const std::string& key, const std::string& what) const {
  return Manifest::malformed(place_, fmt::format("{} {}", inner(key), what));
}

const Json& ManifestReader::at(const char* key) const {
  const auto value = object_.find(key);
  if (value == object_.end()) throw wrong(key, "is missing");
  return *value;
}

std::string ManifestReader::inner(const std::string& key) const {
  if (key.empty()) return name_.empty() ? "the whole" : name_;
  return name_.empty() ? key : name_ + "." + key;
}

ResultFigure read_figure(const ManifestReader& reader) {
  const auto unit = unit_from_text(reader.text("unit"));
  if (!unit) throw reader.wrong("unit", "is not number, share or people");
  return {reader.text("key"), *unit, reader.text("words")};
}

Json to_json(const std::vector<ResultFigure>& figures) {
  Json all = Json::array();
  for (const auto& figure : figures) {
    all.push_back({{"key", figure.key}, {"unit", to_text(figure.unit)}, {"words", figure.words}});
  }
  return all;
}

}  // namespace pratique
