#include "pratique/net/body.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "pratique/core/ascii.h"
#include "pratique/net/problem.h"

namespace pratique::net {
namespace {

constexpr std::size_t kBlock = 64U << 10U;
constexpr std::size_t kLongestChunkLine = 256;  // a chunk's size with its extensions, or a trailer
constexpr std::size_t kMostTrailers = 32;

// All of it, in this base; none when there is anything else.
std::optional<std::uint64_t> whole_number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

class Reader {
 public:
  Reader(const BodySource& source, const std::function<bool(std::string_view)>& take)
      : source_(source), take_(take) {}

  [[nodiscard]] bool plain(std::uint64_t bytes) {
    while (bytes > 0) {
      const auto received = source_(block_.data(), std::min<std::uint64_t>(bytes, block_.size()));
      if (received <= 0) return false;
      if (!take_({block_.data(), static_cast<std::size_t>(received)})) return false;
      bytes -= static_cast<std::uint64_t>(received);
    }
    return true;
  }

  [[nodiscard]] bool chunks() {
    while (true) {
      const auto line = next_line();
      if (!line) return false;
      const auto bytes = whole_number(line->substr(0, line->find(';')), 16);
      if (!bytes) return false;
      if (*bytes == 0) return trailers();
      if (!plain(*bytes)) return false;
      const auto end = next_line();
      if (!end || !end->empty()) return false;
    }
  }

 private:
  // Without its line end, which is CR LF.
  [[nodiscard]] std::optional<std::string> next_line() {
    std::string line;
    while (line.size() < kLongestChunkLine) {
      char c = 0;
      if (source_(&c, 1) != 1) return std::nullopt;
      line += c;
      if (c != '\n') continue;
      if (!line.ends_with("\r\n")) return std::nullopt;
      line.resize(line.size() - 2);
      return line;
    }
    return std::nullopt;
  }

  // They are read and forgotten.
  [[nodiscard]] bool trailers() {
    for (std::size_t i = 0; i < kMostTrailers; ++i) {
      const auto line = next_line();
      if (!line) return false;
      if (line->empty()) return true;
    }
    return false;
  }

  const BodySource& source_;
  const std::function<bool(std::string_view)>& take_;
  std::string block_ = std::string(kBlock, '\0');
};

}  // namespace

BodyFrame body_frame(const std::vector<std::pair<std::string, std::string>>& headers) {
  std::optional<std::string> length;
  BodyFrame frame;
  for (const auto& [name, value] : headers) {
    if (name.find_first_of(" \t") != std::string::npos) {
      throw Problem(400, "the name of a header has a space in it");
    }
    if (name == "content-length") {
      if (length) throw Problem(400, "the length of the body is given twice");
      length = value;
    } else if (name == "transfer-encoding") {
      if (frame.chunked) throw Problem(400, "the coding of the body is given twice");
      if (lower(value) != "chunked")
        throw Problem(501, "only the transfer coding chunked is supported");
      frame.chunked = true;
    } else if (name == "content-encoding" && lower(value) != "identity") {
      throw Problem(415, "compressed bodies are not accepted").hint("Send it uncompressed.");
    }
  }
  if (!length) return frame;
  if (frame.chunked) throw Problem(400, "the body has a length and is chunked");
  const auto bytes = whole_number(*length, 10);
  if (!bytes) throw Problem(400, "the length of the body is not a number");
  frame.bytes = *bytes;
  return frame;
}

bool read_body(const BodyFrame& frame, const BodySource& source,
               const std::function<bool(std::string_view)>& take) {
  Reader reader(source, take);
  return frame.chunked ? reader.chunks() : reader.plain(frame.bytes);
}

}  // namespace pratique::net
