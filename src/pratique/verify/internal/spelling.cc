#include "pratique/verify/internal/spelling.h"

#include <algorithm>
#include <cctype>

namespace pratique::verify {

std::string without_spelling(std::string_view value) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  std::string plain;
  for (const char c : value) {
    if (is_blank(c)) {
      if (!plain.empty() && plain.back() != ' ') plain += ' ';
    } else {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  if (!plain.empty() && plain.back() == ' ') plain.pop_back();
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool code = plain.size() > 2 && plain[0] >= 'a' && plain[0] <= 'z' && is_digit(plain[1]) &&
                    std::all_of(plain.begin() + 1, plain.end(), [&](char c) {
                      return is_digit(c) || c == '.' || (c >= 'a' && c <= 'z');
                    });
  if (code) std::erase(plain, '.');
  return plain;
}

}  // namespace pratique::verify
