#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/clock.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/ledger/internal/canonical.h"
#include "pratique/ledger/ledger.h"
#include "pratique/ledger/merkle_tree.h"

namespace pratique::ledger {
namespace {

using Sorted = nlohmann::json;

constexpr unsigned kPauseMicroseconds = 20'000;

struct Written {
  std::string line;
  Head head;
};

// The line that comes next.
Written next_line(const std::vector<Sha256Digest>& leaves, const std::string& kind,
                  const Json& body, const SigningKey& key) {
  const Sorted entry = {{"body", Sorted::parse(to_text(body))},
                        {"index", leaves.size()},
                        {"kind", kind},
                        {"previous", to_hex(leaves.empty() ? Sha256Digest{} : leaves.back())},
                        {"time", utc_time()}};
  std::vector<Sha256Digest> all = leaves;
  all.push_back(leaf_hash(canonical(entry)));
  Written written;
  written.head.size = all.size();
  written.head.root = tree_root(all);
  written.head.signature = key.sign(head_text(written.head.size, written.head.root));
  written.head.key = key.public_key();
  written.line = canonical(Sorted{{"entry", entry},
                                  {"root", to_hex(written.head.root)},
                                  {"signature", to_hex(written.head.signature)}}) +
                 "\n";
  return written;
}

Error cannot_write(const std::string& path) {
  const std::string reason = std::strerror(errno);  // NOLINT(concurrency-mt-unsafe)
  return Error::machine("cannot write to the ledger: " + reason).at(path);
}

std::string read_all(int descriptor, const std::string& path) {
  std::string text;
  std::vector<char> buffer(1U << 16U);
  while (true) {
    const ssize_t got =
        pread(descriptor, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error::machine("cannot read the ledger").at(path);
    if (got == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

Head LedgerFile::create(const std::string& path, const std::string& key_path) {
  if (access(path.c_str(), F_OK) == 0) {
    throw Error::input("there is a file in the place of the ledger")
        .at(path)
        .hint("A ledger is never overwritten. Choose another name.");
  }
  const SigningKey key = SigningKey::create(key_path);
  try {
    const Written first = next_line(
        {}, "ledger", {{"format", kFormat}, {"public_key", to_hex(key.public_key())}}, key);
    write_file_atomically(path, first.line);
    return first.head;
  } catch (...) {
    unlink(key_path.c_str());  // a key without a ledger is of no use
    throw;
  }
}

LedgerFile::LedgerFile(std::string path, bool repair, Progress& progress) : path_(std::move(path)) {
  require_readable_file(path_);
  descriptor_ = open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) throw cannot_write(path_);
  try {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      throw Error::input("a ledger is a file").at(path_);
    }
    progress.begin("waiting for other writers", 0);
    while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) throw cannot_write(path_);
      progress.check();
      usleep(kPauseMicroseconds);
    }
    ledger_ = Ledger::parse(read_all(descriptor_, path_));
    const auto& fault = ledger_.fault();
    if (fault && fault->torn && repair && !ledger_.entries().empty()) {
      if (ftruncate(descriptor_, static_cast<off_t>(ledger_.sound_bytes())) != 0 ||
          fsync(descriptor_) != 0) {
        throw cannot_write(path_);
      }
      ledger_ = Ledger::parse(read_all(descriptor_, path_));
    }
    if (ledger_.fault()) {
      throw Error::check("the ledger is not sound: " + ledger_.fault()->what)
          .at(ledger_.fault()->line == 0 ? path_
                                         : fmt::format("{}:{}", path_, ledger_.fault()->line))
          .hint(ledger_.fault()->advice);
    }
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

LedgerFile::~LedgerFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Head LedgerFile::append(const std::string& kind, const Json& body, const SigningKey& key) {
  if (key.public_key() != ledger_.key()) {
    throw Error::input("this is not the key of this ledger")
        .at(path_)
        .hint("Name the key that was made with it with --key.");
  }
  const Written written = next_line(ledger_.leaves(), kind, body, key);
  const auto before = static_cast<off_t>(ledger_.sound_bytes());
  std::size_t put = 0;
  while (put < written.line.size()) {
    const ssize_t now_put = pwrite(descriptor_, written.line.data() + put,
                                   written.line.size() - put, before + static_cast<off_t>(put));
    if (now_put < 0 && errno == EINTR) continue;
    if (now_put < 0) {
      const Error error = cannot_write(path_);
      (void)!ftruncate(descriptor_, before);
      throw Error(error);
    }
    put += static_cast<std::size_t>(now_put);
  }
  if (fsync(descriptor_) != 0) throw cannot_write(path_);
  ledger_ = Ledger::parse(read_all(descriptor_, path_));
  if (ledger_.fault()) throw Error::machine("the ledger does not hold what was written").at(path_);
  return written.head;
}

}  // namespace pratique::ledger
