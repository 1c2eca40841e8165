#include "pratique/core/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique {
namespace {

// Whoever walks through a document calls itself once a level; a stack is not endless.
constexpr std::size_t kDeepest = 200;

bool is_too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

// Of two values under one key the library keeps the last, and another reader may keep the first:
// whoever signs or checks such a document cannot know what it says. Keys may be private values, so
// the error names none.
class KeysSeen {
 public:
  explicit KeysSeen(const std::string& place) : place_(place) {}

  bool operator()(Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) {
      of_open_objects_.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      of_open_objects_.pop_back();
    } else if (event == Json::parse_event_t::key &&
               !of_open_objects_.back().insert(parsed.get<std::string>()).second) {
      throw Error::input("this JSON has a key twice in one object")
          .at(place_)
          .hint("Remove one of the two.");
    }
    return true;
  }

 private:
  const std::string& place_;
  std::vector<std::unordered_set<std::string>> of_open_objects_;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& place) {
  if (is_too_deep(text)) {
    throw Error::input("this JSON is nested too deeply")
        .at(place)
        .hint(fmt::format("At most {} brackets may be open at once.", kDeepest));
  }
  try {
    KeysSeen keys(place);
    return Json::parse(text, [&](int /*depth*/, Json::parse_event_t event, const Json& parsed) {
      return keys(event, parsed);
    });
  } catch (const Json::parse_error& error) {
    // The library's own message quotes the text, which may be private.
    const std::size_t offset = std::min(error.byte, text.size());
    const std::string_view before = text.substr(0, offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 == 0
    throw Error::input("this is not valid JSON")
        .at(fmt::format("{}:{}:{}", place, line, std::max<std::size_t>(1, offset - line_start)))
        .hint("Look for a missing comma, quote or bracket just before this place.");
  } catch (const Json::out_of_range&) {
    throw Error::input("this JSON contains a number too large to read")
        .at(place)
        .hint("Write it as a string, or within the range of a double.");
  }
}

Json read_json_file(const std::string& path) { return parse_json(read_file(path), path); }

std::string to_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace pratique
