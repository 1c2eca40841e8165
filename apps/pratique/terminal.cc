#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "pratique/core/terminal_text.h"

namespace pratique::app {
namespace {

constexpr std::size_t kUsualWidth = 80;
constexpr std::size_t kNarrowest = 16;  // of an explanation

bool wants_colour() {
  const char* none = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe)
  const char* kind = std::getenv("TERM");      // NOLINT(concurrency-mt-unsafe)
  return (none == nullptr || *none == '\0') &&
         (kind == nullptr || std::string_view(kind) != "dumb");
}

std::string_view beginning_of(Style style) {
  switch (style) {
    case Style::heading:
      return "\033[1m";
    case Style::failure:
      return "\033[1;31m";
    case Style::plain:
      break;
  }
  return {};
}

// Where the words begin that explain what a line of help begins with.
std::size_t explanation_in(std::string_view line) {
  const std::size_t name = line.find_first_not_of(' ');
  const std::size_t gap = name == std::string_view::npos ? name : line.find("  ", name);
  return gap == std::string_view::npos ? 0 : line.find_first_not_of(' ', gap);
}

}  // namespace

Terminal::Terminal(std::FILE* stream)
    : stream_(stream),
      is_terminal_(isatty(fileno(stream)) == 1),
      coloured_(is_terminal_ && wants_colour()) {}

std::size_t Terminal::width() const {
  if (!is_terminal_) return kEndless;
  winsize size{};
  const bool known = ioctl(fileno(stream_), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsualWidth;
}

Terminal& Terminal::add(std::string_view text, Style style) {
  const bool styled = coloured_ && style != Style::plain && !text.empty();
  if (styled) pending_ += beginning_of(style);
  pending_ += printable(text);
  if (styled) pending_ += "\033[0m";
  return *this;
}

bool Terminal::flush() {
  errno = 0;
  const bool written =
      std::fwrite(pending_.data(), 1, pending_.size(), stream_) == pending_.size() &&
      std::fflush(stream_) == 0;
  pending_.clear();
  return written || errno == EPIPE;
}

void Terminal::redraw(std::string_view line) {
  // A line that fills the last column scrolls some terminals.
  pending_ += "\r\033[K";
  add(shortened(printable(line), width() - 1));
  (void)flush();
}

bool print_help(std::FILE* stream, std::string_view text) {
  Terminal terminal(stream);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    std::size_t begin = explanation_in(line);
    if (begin == std::string_view::npos || begin + kNarrowest > terminal.width()) begin = 0;
    terminal.add(line.substr(0, begin));
    bool first = true;
    for (const auto& part : wrapped(line.substr(begin), terminal.width() - begin)) {
      terminal.add(std::string(first ? 0 : begin, ' ')).add(part).add("\n");
      first = false;
    }
  }
  return terminal.flush();
}

bool print_text(std::FILE* stream, std::string_view text) {
  return Terminal(stream).add(text).flush();
}

}  // namespace pratique::app
