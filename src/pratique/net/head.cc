#include "pratique/net/head.h"

#include <algorithm>

#include "pratique/net/problem.h"

namespace pratique::net {
namespace {

// A token of RFC 9110, section 5.6.2.
bool is_token_character(char c) {
  constexpr std::string_view kTokenMarks = "!#$%&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kTokenMarks.find(c) != std::string_view::npos;
}

bool is_head_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20U && c != '\t') || byte == 0x7fU;
}

Problem malformed_head() { return {400, "a line of the head is not as HTTP has it"}; }

// Takes a line from the text and gives it without its end.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find("\r\n");
  if (end == std::string_view::npos) throw malformed_head();
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 2);
  if (std::any_of(line.begin(), line.end(), is_head_control)) throw malformed_head();
  return line;
}

}  // namespace

void check_head(std::string_view head) {
  if (next_line(head).empty()) throw malformed_head();
  while (true) {
    const std::string_view line = next_line(head);
    if (line.empty()) break;
    const std::string_view name = line.substr(0, line.find(':'));
    const bool named = !name.empty() && name.size() < line.size() &&
                       std::all_of(name.begin(), name.end(), is_token_character);
    if (!named) throw malformed_head();
  }
  if (!head.empty()) throw malformed_head();
}

}  // namespace pratique::net
