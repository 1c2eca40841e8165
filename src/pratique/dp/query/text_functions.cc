#include "pratique/dp/query/text_functions.h"

#include <algorithm>

#include "pratique/data/utf8.h"

namespace pratique::dp {
namespace {

// The first byte of the next character.
std::size_t next_character(std::string_view text, std::size_t at) {
  return at + first_character(text.substr(at));
}

}  // namespace

bool is_like(std::string_view text, std::string_view pattern) {
  std::size_t t = 0;
  std::size_t p = 0;
  std::size_t after_percent = std::string_view::npos;
  std::size_t tried = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '%') {
      after_percent = ++p;
      tried = t;
    } else if (p < pattern.size() && pattern[p] == '_') {
      ++p;
      t = next_character(text, t);
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (after_percent != std::string_view::npos) {
      p = after_percent;
      tried = next_character(text, tried);
      t = tried;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '%') ++p;
  return p == pattern.size();
}

std::string_view substring(std::string_view text, double first, double count) {
  const auto all = static_cast<double>(count_characters(text));
  const double begin = std::clamp(first - 1, 0.0, all);
  const double end = std::clamp(first - 1 + count, begin, all);
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t at = 0;
  for (double character = 0; character <= end; ++character) {
    if (character == begin) from = at;
    to = at;
    if (at < text.size()) at = next_character(text, at);
  }
  return text.substr(from, to - from);
}

std::string_view without_blanks_around(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return result;
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - ('a' - 'A'));
  }
  return result;
}

}  // namespace pratique::dp
