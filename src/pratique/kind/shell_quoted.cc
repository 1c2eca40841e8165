#include "pratique/kind/shell_quoted.h"

#include <fmt/format.h>

#include <algorithm>

namespace pratique::release {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// As bash and zsh read it: a line end in a name stays one when it is pasted.
std::string with_escapes(const std::string& argument) {
  std::string out = "$'";
  for (const char c : argument) {
    if (c == '\'' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n' || c == '\t' || c == '\r') {
      out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    } else if (is_control(c)) {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace

std::string shell_quoted(const std::string& argument) {
  const bool plain =
      !argument.empty() && argument.find_first_not_of(
                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-./,:=@%+^") == std::string::npos;
  if (plain) return argument;
  if (std::any_of(argument.begin(), argument.end(), is_control)) return with_escapes(argument);
  std::string out = "'";
  for (const char c : argument) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace pratique::release
