#include "pratique/core/csv_field.h"

namespace pratique {

std::string csv_field(std::string_view value) {
  if (value.find_first_of("\"\n\r;,\t") == std::string_view::npos) return std::string(value);
  std::string result = "\"";
  for (const char c : value) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
}

}  // namespace pratique
