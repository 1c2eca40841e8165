#include "pratique/tables/model/internal/model_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pratique/data/number.h"

namespace pratique::tables {

std::vector<ModelSetting> ModelSettings::of(std::string_view key) const {
  std::vector<ModelSetting> settings;
  std::copy_if(schema_.models.begin(), schema_.models.end(), std::back_inserter(settings),
               [&](const ModelSetting& setting) { return setting.key == key; });
  return settings;
}

Error ModelSettings::error(const ModelSetting& setting, const std::string& problem,
                           const std::string& hint) {
  Error error = Error::input(fmt::format("--{} {}: {}", setting.key, setting.value, problem));
  if (!setting.place.empty()) error.at(setting.place);
  return error.hint(hint);
}

ModelSettings::Word ModelSettings::word_of(const ModelSetting& setting) {
  const auto at = setting.value.find('@');
  if (at == std::string::npos) return {setting.value, {}};
  if (at + 1 == setting.value.size()) {
    throw error(setting, "there is no column after @", "Write for example 3@diagnosis.");
  }
  return {setting.value.substr(0, at), setting.value.substr(at + 1)};
}

double ModelSettings::number(const ModelSetting& setting, const std::string& text, double low,
                             double high, const std::string& form) {
  const bool written_as_number = is_number(text);
  const double value = written_as_number ? to_double(text) : 0;
  if (!written_as_number || !(value >= low && value <= high) || !std::isfinite(value)) {
    const std::string range = std::isinf(high) ? fmt::format("of at least {}", low)
                                               : fmt::format("from {} to {}", low, high);
    throw error(setting, fmt::format("'{}' is not a number {}", text, range),
                fmt::format("Write --{} {}.", setting.key, form));
  }
  return value;
}

std::uint64_t ModelSettings::whole(const ModelSetting& setting, const std::string& text,
                                   std::uint64_t low, const std::string& form, double high) {
  const double value = number(setting, text, static_cast<double>(low), high, form);
  if (value != std::floor(value)) {
    throw error(setting, fmt::format("'{}' is not a whole number", text),
                fmt::format("Write --{} {}.", setting.key, form));
  }
  return static_cast<std::uint64_t>(value);
}

std::pair<std::string, std::string> ModelSettings::split(const ModelSetting& setting,
                                                         const std::string& text, char sign,
                                                         const std::string& form) {
  const auto place = text.find(sign);
  if (place == std::string::npos) {
    throw error(setting, fmt::format("there is no '{}' in it", sign),
                fmt::format("Write --{} {}.", setting.key, form));
  }
  return {text.substr(0, place), text.substr(place + 1)};
}

void ModelSettings::take(const ModelSetting& setting, const std::string& column) {
  if (taken_.emplace(setting.key, column).second) return;
  throw error(setting,
              column.empty() ? "this is requested twice"
                             : fmt::format("this is requested twice for '{}'", column),
              "Keep one of the two.");
}

std::vector<std::string> ModelSettings::columns_of(const ModelSetting& setting,
                                                   const std::string& column) const {
  if (!column.empty()) {
    const Role role = schema_.role_of(column);
    if (role == Role::identifier || role == Role::quasi_identifier) {
      throw error(setting,
                  fmt::format("'{}' is {} {}", column, role == Role::identifier ? "an" : "a",
                              to_string(role)),
                  "Name a sensitive attribute.");
    }
    return {column};
  }
  if (schema_.sensitive.empty()) {
    throw error(setting, "there is no sensitive attribute for this",
                fmt::format("Name it with --sensitive COLUMN, or here: --{} {}@COLUMN.",
                            setting.key, setting.value));
  }
  return schema_.sensitive;
}

bool ModelSettings::has_word_of_its_own(const std::string& key, const std::string& column) const {
  return std::any_of(schema_.models.begin(), schema_.models.end(), [&](const auto& other) {
    const auto at = other.value.find('@');
    return other.key == key && at != std::string::npos && other.value.substr(at + 1) == column;
  });
}

void ModelSettings::check_heard(const std::string& key, const std::string& about) const {
  for (const auto& setting : of(key)) {
    const std::string column = word_of(setting).column;
    const bool heard = std::any_of(taken_.begin(), taken_.end(), [&](const auto& taken) {
      return taken.first == about && (column.empty() || taken.second == column);
    });
    if (heard) continue;
    Error error = Error::input(
        column.empty() ? fmt::format("--{} is given, but no --{}", key, about)
                       : fmt::format("--{} is given for '{}', but no --{}", key, column, about));
    if (!setting.place.empty()) error.at(setting.place);
    throw error.hint(fmt::format("Ask for --{} too, or leave --{} out.", about, key));
  }
}

}  // namespace pratique::tables
