#include "pratique/kind/recorded_figures.h"

#include <nlohmann/json.hpp>
#include <set>

namespace pratique::release {

Names names_in(const Json& object, const char* key) {
  return object.contains(key) && object[key].is_array() ? object[key].get<Names>() : Names();
}

bool same_names(const Names& a, const Names& b) {
  return std::set<std::string>(a.begin(), a.end()) == std::set<std::string>(b.begin(), b.end());
}

bool recorded(const Json& results, const char* key, const std::function<bool(double)>& must) {
  return !results.contains(key) || (results[key].is_number() && must(results[key].get<double>()));
}

}  // namespace pratique::release
