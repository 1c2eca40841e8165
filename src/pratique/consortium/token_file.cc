#include "pratique/consortium/token_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "pratique/core/file.h"

namespace pratique::consortium {
namespace {

constexpr std::uint64_t kTokensRead = 4096;  // at a time

static_assert(sizeof(Token) == Point::kBytes);

Error disk_error() {
  return Error::machine("encrypted records cannot be kept on disk")
      .hint("Make room where temporary files go, or name another folder with TMPDIR.");
}

}  // namespace

TokenFile::TokenFile() {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/tokens";
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor_ < 0) throw disk_error();
  unlink(path.c_str());
}

TokenFile::~TokenFile() { close(descriptor_); }

void TokenFile::add(std::span<const Token> tokens) {
  const auto* rest = reinterpret_cast<const char*>(tokens.data());
  std::size_t bytes = tokens.size_bytes();
  while (bytes > 0) {
    const ssize_t written = write(descriptor_, rest, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw disk_error();
    rest += written;
    bytes -= static_cast<std::size_t>(written);
  }
  size_ += tokens.size();
}

void TokenFile::add(std::span<const Point> points) {
  std::vector<Token> tokens;
  tokens.reserve(points.size());
  for (const Point& point : points) tokens.push_back(point.bytes());
  add(tokens);
}

void TokenFile::for_each(
    const std::function<void(std::uint64_t place, const Token& token)>& take) const {
  std::vector<Token> tokens;
  for (std::uint64_t place = 0; place < size_; place += tokens.size()) {
    tokens.resize(std::min(kTokensRead, size_ - place));
    auto* to = reinterpret_cast<char*>(tokens.data());
    for (std::size_t got = 0; got < tokens.size() * sizeof(Token);) {
      const ssize_t part = pread(descriptor_, to + got, tokens.size() * sizeof(Token) - got,
                                 static_cast<off_t>(place * sizeof(Token) + got));
      if (part < 0 && errno == EINTR) continue;
      if (part <= 0) throw disk_error();
      got += static_cast<std::size_t>(part);
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) take(place + i, tokens[i]);
  }
}

}  // namespace pratique::consortium
