#include "pratique/engine/spooled_columns.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "pratique/core/error.h"
#include "pratique/crypto/hash.h"

namespace pratique {
namespace {

constexpr std::size_t kContentBytes = 16;
constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;

template <typename Number>
void put(std::string& to, Number number) {
  to.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

template <typename Number>
Number get(std::string_view& from) {
  Number number{};
  std::memcpy(&number, from.data(), sizeof(number));
  from.remove_prefix(sizeof(number));
  return number;
}

int open_nameless(const std::string& folder) {
  const std::string path = folder + "/columns";
  const int descriptor =
      open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0) throw Error::machine("cannot make a temporary file").at(folder);
  unlink(path.c_str());
  return descriptor;
}

}  // namespace

SpooledColumns::SpooledColumns(std::vector<std::string> names, const std::string& folder)
    : names_(std::move(names)), folder_(folder), descriptor_(open_nameless(folder)) {}

SpooledColumns::~SpooledColumns() { close(descriptor_); }

std::string SpooledColumns::add(std::span<const std::string_view> cells) {
  record_.clear();
  for (const auto cell : cells) {
    put(record_, static_cast<std::uint32_t>(cell.size()));
    record_ += cell;
  }
  const auto digest = sha256(std::as_bytes(std::span(record_)));
  std::string mark(reinterpret_cast<const char*>(digest.data()), kContentBytes);
  const Code code = seen_.intern(mark);
  if (code == places_.size()) {
    places_.push_back({written_ + buffer_.size(), static_cast<std::uint32_t>(record_.size())});
    buffer_ += record_;
    if (buffer_.size() >= kBufferBytes) flush();
  }
  put(mark, places_[code].offset);
  put(mark, places_[code].bytes);
  return mark;
}

void SpooledColumns::finish() {
  flush();
  seen_ = Dictionary();
  places_ = {};
  buffer_ = {};
}

void SpooledColumns::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t put = write(descriptor_, rest.data(), rest.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      throw Error::machine("the disk for temporary files is full")
          .at(folder_)
          .hint("Set TMPDIR to a folder with more space.");
    }
    written_ += static_cast<std::uint64_t>(put);
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  buffer_.clear();
}

std::string_view SpooledColumns::content_of(std::string_view mark) {
  return mark.substr(0, kContentBytes);
}

const std::vector<std::string_view>& SpooledColumns::Reader::read(std::string_view mark) {
  mark.remove_prefix(kContentBytes);
  const auto offset = get<std::uint64_t>(mark);
  record_.resize(get<std::uint32_t>(mark));
  for (std::size_t done = 0; done < record_.size();) {
    const ssize_t taken = pread(columns_.descriptor_, record_.data() + done, record_.size() - done,
                                static_cast<off_t>(offset + done));
    if (taken < 0 && errno == EINTR) continue;
    if (taken <= 0) throw Error::machine("cannot read a temporary file").at(columns_.folder_);
    done += static_cast<std::size_t>(taken);
  }
  cells_.clear();
  for (std::string_view rest = record_; !rest.empty();) {
    const auto bytes = get<std::uint32_t>(rest);
    cells_.push_back(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
  return cells_;
}

}  // namespace pratique
