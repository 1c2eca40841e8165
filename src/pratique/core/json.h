// JSON in and out, keys in the order they were set. The library itself is included only by the
// files that build or read JSON: include <nlohmann/json.hpp> there.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace pratique {

using Json = nlohmann::ordered_json;

// `place` names the document in errors (line and column are added). Refuses an object that has a
// key twice.
[[nodiscard]] Json parse_json(std::string_view text, const std::string& place);
[[nodiscard]] Json read_json_file(const std::string& path);
// Indented, ends with a newline. Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string to_text(const Json& json);
// JSON has no infinity: null, where a release without records achieves everything, say.
[[nodiscard]] Json finite_or_null(double value);

}  // namespace pratique
