#include "pratique/columns/internal/ascii_expression.h"

#include <algorithm>
#include <utility>

namespace pratique::columns::internal {
namespace {

// Longer names first. Of marks there are none, and an empty class is no expression: a letter that
// no text of ASCII has stands for them.
constexpr std::pair<std::string_view, std::string_view> kClasses[] = {{R"(\p{Lu})", "A-Z"},
                                                                      {R"(\p{Ll})", "a-z"},
                                                                      {R"(\p{L})", "A-Za-z"},
                                                                      {R"(\pL)", "A-Za-z"},
                                                                      {R"(\p{M})", R"(\xff)"}};

}  // namespace

std::string ascii_expression(std::string_view expression) {
  std::string ascii;
  bool in_brackets = false;
  while (!expression.empty()) {
    const auto* const known =
        std::find_if(std::begin(kClasses), std::end(kClasses),
                     [&](const auto& entry) { return expression.starts_with(entry.first); });
    if (known != std::end(kClasses)) {
      ascii += in_brackets ? std::string(known->second) : "[" + std::string(known->second) + "]";
      expression.remove_prefix(known->first.size());
      continue;
    }
    const std::size_t length = expression.front() == '\\' && expression.size() > 1 ? 2 : 1;
    if (length == 1 && expression.front() == '[') in_brackets = true;
    if (length == 1 && expression.front() == ']') in_brackets = false;
    ascii += expression.substr(0, length);
    expression.remove_prefix(length);
  }
  return ascii;
}

bool is_ascii(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace pratique::columns::internal
