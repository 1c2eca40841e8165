#include "pratique/verify/internal/claim_reader.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace pratique::verify {

Error malformed(const std::string& what) {
  return Error::input("the manifest's claims cannot be read: " + what)
      .hint("The manifest was changed by hand or comes from another version of pratique.");
}

std::vector<std::string> texts_of(const Json& list, const std::string& key) {
  if (!list.is_array()) throw malformed("no list '" + key + "'");
  std::vector<std::string> texts;
  for (const auto& text : list) {
    if (!text.is_string()) throw malformed("'" + key + "' holds something other than texts");
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

std::vector<std::string> names_in(const Json& claim, const std::string& key) {
  if (!claim.contains(key)) throw malformed("no list '" + key + "'");
  auto names = texts_of(claim[key], key);
  if (names.empty()) throw malformed("'" + key + "' is empty");
  return names;
}

std::string text_in(const Json& claim, const std::string& key) {
  if (!claim.contains(key) || !claim[key].is_string()) throw malformed("no text '" + key + "'");
  return claim[key].get<std::string>();
}

std::string person_in(const Json& claim) {
  return claim.contains("person") ? text_in(claim, "person") : std::string();
}

double number_in(const Json& claim, const std::string& key) {
  if (!claim.contains(key) || !claim[key].is_number()) throw malformed("no number '" + key + "'");
  const auto number = claim[key].get<double>();
  if (!std::isfinite(number) || number < 0) throw malformed("'" + key + "' is out of range");
  return number;
}

double count_in(const Json& claim, const std::string& key) {
  const double count = number_in(claim, key);
  if (count < 1) throw malformed("'" + key + "' is below 1, which every table satisfies");
  return count;
}

int whole_in(const Json& claim, const std::string& key) {
  const double count = count_in(claim, key);
  if (count != std::floor(count) || count > std::numeric_limits<int>::max()) {
    throw malformed("'" + key + "' is not a whole number that a file could satisfy");
  }
  return static_cast<int>(count);
}

Hierarchy tree_of(const Json& paths, const std::string& key) {
  if (!paths.is_array() || paths.empty()) throw malformed("no paths '" + key + "'");
  Hierarchy::Builder builder("the claim's '" + key + "'");
  for (const auto& path : paths) {
    const auto labels = texts_of(path, key);
    const std::vector<std::string_view> views(labels.begin(), labels.end());
    builder.add(views);
  }
  return builder.build();
}

}  // namespace pratique::verify
