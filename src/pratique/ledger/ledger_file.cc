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
#include "pratique/core/new_file.h"
#include "pratique/ledger/internal/canonical.h"
#include "pratique/ledger/ledger.h"
#include "pratique/ledger/merkle_tree.h"

namespace pratique::ledger {
namespace {

using Sorted = nlohmann::json;
namespace fs = std::filesystem;

constexpr unsigned kPauseMicroseconds = 20'000;
constexpr int kReaderPauses = 500;  // ten seconds: no writer takes so long for a line

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
  return Error::machine("cannot write to the ledger: " + reason)
      .at(path)
      .hint("Nothing was recorded. Check the space left and that you may write to it.");
}

std::string read_all(int descriptor, const std::string& path) {
  std::string text;
  std::vector<char> buffer(1U << 16U);
  while (true) {
    const ssize_t bytes_read =
        pread(descriptor, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
    if (bytes_read < 0 && errno == EINTR) continue;
    if (bytes_read < 0) throw Error::machine("cannot read the ledger").at(path);
    if (bytes_read == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(bytes_read));
  }
}

bool is_at(int descriptor, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

void require_ledger(const std::string& path) {
  std::error_code ignored;
  if (fs::status(path, ignored).type() == fs::file_type::not_found) {
    throw Error::input("there is no ledger here")
        .at(path)
        .hint("Check the spelling and the folder you are in; pratique ledger init starts one.");
  }
  require_readable_file(path);
}

Ledger Ledger::read(const std::string& path) {
  require_ledger(path);
  Ledger ledger = parse(read_file(path));
  if (!ledger.fault() || !ledger.fault()->torn) return ledger;
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return ledger;
  // Once nobody holds the lock, what is torn is torn.
  try {
    bool alone = false;
    for (int i = 0; i < kReaderPauses && !alone && ledger.fault() && ledger.fault()->torn; ++i) {
      alone = flock(descriptor, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK;
      if (!alone) usleep(kPauseMicroseconds);
      ledger = parse(read_all(descriptor, path));
    }
  } catch (...) {
    close(descriptor);
    throw;
  }
  close(descriptor);
  return ledger;
}

Head LedgerFile::create(const std::string& path, const std::string& key_path) {
  const auto taken = [&] {
    return Error::input("a file with the ledger's name already exists")
        .at(path)
        .hint("A ledger is never overwritten. Choose another name.");
  };
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(path, ignored))) throw taken();
  if (fs::weakly_canonical(path, ignored) == fs::weakly_canonical(key_path, ignored)) {
    throw Error::input("the ledger and its key cannot be one file")
        .at(path)
        .hint("Name another place with --key, ideally apart from the ledger.");
  }
  const SigningKey key = SigningKey::create(key_path);
  try {
    const Written first = next_line(
        {}, "ledger", {{"format", kFormat}, {"public_key", to_hex(key.public_key())}}, key);
    if (!write_new_file(path, first.line, 0644)) throw taken();
    return first.head;
  } catch (...) {
    unlink(key_path.c_str());  // a key without a ledger is of no use
    throw;
  }
}

LedgerFile::LedgerFile(std::string path, bool repair, Progress& progress) : path_(std::move(path)) {
  require_ledger(path_);
  descriptor_ = open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) throw cannot_write(path_);
  try {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      throw Error::input("a ledger must be a file").at(path_);
    }
    progress.begin("waiting for other writers", 0);
    while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) throw cannot_write(path_);
      progress.check();
      usleep(kPauseMicroseconds);
    }
    if (!is_at(descriptor_, path_)) {
      throw Error::input("the ledger was replaced by another file in the meantime")
          .at(path_)
          .hint("Nothing was written. Look at it with ledger verify --head, then add again.");
    }
    const std::string text = read_all(descriptor_, path_);
    ledger_ = Ledger::parse(text);
    const auto& fault = ledger_.fault();
    if (fault && fault->torn && repair && !ledger_.entries().empty()) {
      const bool mended =
          fault->whole ? pwrite(descriptor_, "\n", 1, static_cast<off_t>(text.size())) == 1
                       : ftruncate(descriptor_, static_cast<off_t>(ledger_.sound_bytes())) == 0;
      if (!mended || fsync(descriptor_) != 0) throw cannot_write(path_);
      ledger_ = Ledger::parse(read_all(descriptor_, path_));
    }
    if (ledger_.fault()) {
      throw Error::check("the ledger is not intact: " + ledger_.fault()->what)
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
        .hint("Use --key to name the key that was created with it.");
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
  if (fsync(descriptor_) != 0) {
    const Error error = cannot_write(path_);
    (void)!ftruncate(descriptor_, before);
    throw Error(error);
  }
  ledger_ = Ledger::parse(read_all(descriptor_, path_));
  if (ledger_.fault()) throw Error::machine("the ledger does not hold what was written").at(path_);
  return written.head;
}

}  // namespace pratique::ledger
