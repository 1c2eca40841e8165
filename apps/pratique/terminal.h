// The one way to standard output and standard error. What is added is made printable
// (core/terminal_text.h), whoever wrote it; style and cursor are this class's own, and only where a
// terminal is at the other end.
#pragma once

#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

namespace pratique::app {

enum class Style { plain, heading, failure };

class Terminal {
 public:
  explicit Terminal(std::FILE* stream);

  static constexpr std::size_t kEndless = std::numeric_limits<std::size_t>::max() / 2;
  [[nodiscard]] bool is_terminal() const { return is_terminal_; }
  // Columns of a line; kEndless where a program reads it.
  [[nodiscard]] std::size_t width() const;

  // Nothing is written before flush().
  Terminal& add(std::string_view text, Style style = Style::plain);
  // False when it could not be written. A reader that has gone (| head) has read all it wanted.
  [[nodiscard]] bool flush();
  // Puts `line`, cut to the width, in place of the terminal's last line.
  void redraw(std::string_view line);

 private:
  std::FILE* stream_;
  bool is_terminal_;
  bool coloured_;
  std::string pending_;
};

// The same for text that is ready.
[[nodiscard]] bool print_text(std::FILE* stream, std::string_view text);
// For help: a line that does not fit goes on below the words that explain.
[[nodiscard]] bool print_help(std::FILE* stream, std::string_view text);

}  // namespace pratique::app
