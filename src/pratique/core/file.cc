#include "pratique/core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/file_bounds.h"
#include "pratique/core/guarded_file.h"
#include "pratique/core/internal/descriptor.h"
#include "pratique/core/internal/hidden_folders.h"
#include "pratique/core/internal/unique_suffix.h"

namespace pratique {
namespace {

namespace fs = std::filesystem;

using internal::Descriptor;
using internal::folder_of;
using internal::FolderLocking;
using internal::kHiddenPrefix;
using internal::make_locked_folder;
using internal::sync_folder;
using internal::tend_hidden_folders;

constexpr std::size_t kBlock = 1U << 20;
constexpr int kPollMilliseconds = 100;
constexpr int kPatienceMilliseconds = 10'000;

std::string reason() { return std::error_code(errno, std::generic_category()).message(); }

// Paths to remove when the process must end at once, each with its note (file_bounds.h).
std::mutex unfinished_mutex;
std::map<std::string, std::string>& unfinished() {
  static std::map<std::string, std::string> paths;
  return paths;
}
void remember(const std::string& path) {
  std::string note = note_unfinished(path);
  const std::lock_guard lock(unfinished_mutex);
  unfinished().emplace(path, std::move(note));
}
// Of what lies in a folder that is remembered.
void remember_within(const std::string& path) {
  const std::lock_guard lock(unfinished_mutex);
  unfinished().emplace(path, std::string());
}
void forget(const std::string& path) {
  const std::lock_guard lock(unfinished_mutex);
  const auto entry = unfinished().find(path);
  if (entry == unfinished().end()) return;
  if (!entry->second.empty()) unlink(entry->second.c_str());
  unfinished().erase(entry);
}

void check_bounds(const std::string& path) {
  std::set<std::string> own;
  {
    const std::lock_guard lock(unfinished_mutex);
    for (const auto& [file, note] : unfinished()) own.insert(file);
  }
  require_within_bounds(path, own);
}

Error error_of_writing(const std::string& path) {
  const bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
  if (errno == ENOENT || errno == ENOTDIR) {
    return Error::input("the folder of this file does not exist")
        .at(path)
        .hint("Make the folder first, or check its name.");
  }
  return Error::machine("cannot write this file: " + reason())
      .at(path)
      .hint(full ? "Free some space or choose another place with --out; nothing was half written."
                 : "Check that the folder exists and that you may write to it.");
}

void require_readable(const std::string& path) {
  struct stat status {};
  if (path.empty()) throw Error::input("the file name is empty");
  check_bounds(path);
  if (stat(path.c_str(), &status) != 0) {
    throw Error::input(errno == ENOENT ? "there is no such file" : "cannot open: " + reason())
        .at(path)
        .hint("Check the spelling and the folder you are in.");
  }
  if (S_ISDIR(status.st_mode)) {
    throw Error::input("this is a directory, not a file").at(path).hint("Name a file inside it.");
  }
  if (access(path.c_str(), R_OK) != 0) {
    throw Error::input("you may not read this file")
        .at(path)
        .hint("Ask its owner for read permission.");
  }
}

void read_any_in_blocks(const std::string& path, const std::function<void(std::string_view)>& block,
                        Progress& progress) {
  const bool standard_input = path == "-";
  if (!standard_input) require_readable(path);
  // Without O_NONBLOCK, opening a FIFO waits for a writer, perhaps for ever.
  const int opened =
      standard_input ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const Descriptor file(opened);
  if (file.get() < 0) throw Error::input("cannot open: " + reason()).at(path);
  struct stat status {};
  fstat(file.get(), &status);
  const bool pipe = S_ISFIFO(status.st_mode) && !standard_input;
  // Not filled with zeros, and no larger than the file: of most files, such as hierarchies, that
  // would cost more than to read them.
  constexpr std::size_t kSmallBlock = 1U << 16;
  const std::size_t length =
      S_ISREG(status.st_mode)
          ? std::clamp(static_cast<std::size_t>(status.st_size) + 1, kSmallBlock, kBlock)
          : kBlock;
  const auto buffer = std::make_unique_for_overwrite<char[]>(length);
  bool anything = false;
  int waited = 0;
  while (true) {
    progress.check();
    pollfd waiting{file.get(), POLLIN, 0};
    const int ready = poll(&waiting, 1, kPollMilliseconds);
    if (ready < 0 && errno != EINTR) throw Error::machine("cannot wait for input").at(path);
    const ssize_t bytes_read = ready <= 0 ? -1 : read(file.get(), buffer.get(), length);
    if (bytes_read > 0) {
      anything = true;
      block({buffer.get(), static_cast<std::size_t>(bytes_read)});
      continue;
    }
    if (bytes_read == 0 && (anything || !pipe)) return;
    if (bytes_read < 0 && ready > 0 && errno != EAGAIN && errno != EINTR) {
      throw Error::machine("cannot read: " + reason()).at(path);
    }
    if (!pipe || anything) continue;
    if (bytes_read == 0)
      usleep(kPollMilliseconds * 1000);  // a FIFO without a writer is always ready
    waited += kPollMilliseconds;
    if (waited >= kPatienceMilliseconds) {
      throw Error::input("nothing is writing to this pipe")
          .at(path)
          .hint("Start the writer first.");
    }
  }
}

}  // namespace

void require_readable_file(const std::string& path) {
  require_readable(path);
  refuse_reading_secret_key(path);
}

void read_in_blocks(const std::string& path, const std::function<void(std::string_view)>& block,
                    Progress& progress) {
  // By what is read, not by what the name led to a moment ago; a pipe gives its beginning in parts.
  std::string beginning;
  const auto guarded = [&](std::string_view bytes) {
    if (beginning.size() < kGuardBytes) {
      beginning += bytes.substr(0, kGuardBytes - beginning.size());
      if (begins_secret_key(beginning)) throw secret_key_is_no_data(path);
    }
    block(bytes);
  };
  read_any_in_blocks(path, guarded, progress);
}

std::string read_file(const std::string& path) {
  std::string text;
  read_in_blocks(path, [&](std::string_view block) { text += block; });
  return text;
}

std::string read_key_file(const std::string& path) {
  std::string text;
  read_any_in_blocks(
      path, [&](std::string_view block) { text += block; }, Progress::silent());
  return text;
}

std::uint64_t file_size(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) throw Error::input("there is no such file").at(path);
  return static_cast<std::uint64_t>(status.st_size);
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat first {};
  struct stat second {};
  return stat(a.c_str(), &first) == 0 && stat(b.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

void AtomicFile::look_at_existing() {
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) {
    throw Error::input("the output is a directory").at(path_).hint("Name a file inside it.");
  }
  if (fs::is_symlink(path_, ignored)) {
    // The file behind the link is replaced, the link stays.
    const fs::path behind = fs::weakly_canonical(path_, ignored);
    if (!ignored) path_ = behind.string();
  }
  if (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored)) {
    throw Error::input("the output is a device, a pipe or the like, not a file")
        .at(path_)
        .hint("Name a file that does not exist yet.");
  }
  refuse_replacing_guarded(path_);
}

AtomicFile::AtomicFile(std::string path, unsigned mode, Existing existing)
    : path_(std::move(path)) {
  if (path_.empty()) throw Error::input("the name of the output file is empty");
  check_bounds(path_);
  if (existing == Existing::replace) look_at_existing();
  const fs::path target(path_);
  tend_hidden_folders(folder_of(target), FolderLocking::skip_if_locked);
  folder_ = fmt::format("{}/.{}{}", folder_of(target), kHiddenPrefix, unique_suffix());
  // The name's ending stays, because writers go by it.
  temporary_ = fmt::format("{}/content{}", folder_, target.extension().string());
  const mode_t mask = umask(0);
  umask(mask);
  mode_ = mode & ~mask;
  remember(folder_);
  remember_within(temporary_);
  lock_ = make_locked_folder(folder_);
  if (lock_ >= 0) {
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  }
  if (descriptor_ < 0) {
    const Error failed = write_error();
    remove_folder();
    throw failed;
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  remove_folder();
}

Error AtomicFile::write_error() const { return error_of_writing(path_); }

void AtomicFile::hand_over() {
  handed_over_ = true;
  forget(temporary_);
  forget(folder_);
}

void AtomicFile::remove_folder() {
  std::error_code ignored;
  if (!handed_over_) fs::remove_all(folder_, ignored);
  if (lock_ >= 0) close(lock_);
  lock_ = -1;
  forget(temporary_);
  forget(folder_);
}

void AtomicFile::write_all(std::string_view rest) {
  while (!rest.empty()) {
    const ssize_t put = ::write(descriptor_, rest.data(), rest.size());
    if (put < 0) {
      if (errno == EINTR) continue;
      throw write_error();
    }
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
}

void AtomicFile::flush_buffer() {
  write_all(buffer_);
  buffer_.clear();
}

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() >= kBlock) flush_buffer();
  if (bytes.size() >= kBlock) {
    write_all(bytes);
  } else {
    buffer_ += bytes;
  }
}

void AtomicFile::finish_writing() {
  flush_buffer();
  // Another writer may have replaced the file behind the descriptor: go by the name.
  const Descriptor written(open(temporary_.c_str(), O_WRONLY | O_CLOEXEC));
  if (written.get() < 0 || fchmod(written.get(), mode_) != 0 || fsync(written.get()) != 0) {
    throw write_error();
  }
}

void AtomicFile::commit() {
  finish_writing();
  refuse_replacing_guarded(path_);  // hours may have passed
  if (rename(temporary_.c_str(), path_.c_str()) != 0) throw write_error();
  sync_folder(folder_of(path_));
  remove_folder();
}

bool AtomicFile::commit_as_new() {
  finish_writing();
  const bool linked = link(temporary_.c_str(), path_.c_str()) == 0;
  if (linked) unlink(temporary_.c_str());
  // Not every file system has links.
  const bool named = linked || (errno != EEXIST && renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD,
                                                             path_.c_str(), RENAME_NOREPLACE) == 0);
  if (!named && errno == EEXIST) return false;
  if (!named) throw write_error();
  sync_folder(folder_of(path_));
  remove_folder();
  return true;
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

FolderLock::FolderLock(const std::string& path)
    : descriptor_(open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  // Some file systems have no locks; writers are then on their own.
  if (descriptor_ >= 0) (void)flock(descriptor_, LOCK_EX);
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

PrivateFolder::PrivateFolder(const std::string& parent) {
  std::string base = parent;
  if (base.empty()) {
    const char* tmpdir = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
    base = tmpdir != nullptr && *tmpdir != '\0' ? tmpdir : "/tmp";
  }
  check_bounds(base);
  tend_hidden_folders(base, FolderLocking::skip_if_locked);
  const std::string suffix = unique_suffix();
  path_ = fmt::format("{}/{}{}", base, kHiddenPrefix, suffix);
  remember(path_);
  lock_ = make_locked_folder(path_);
  if (lock_ < 0) {
    const std::string why = reason();
    forget(path_);
    throw Error::machine("cannot make a private folder for temporary files: " + why)
        .at(base)
        .hint("Set TMPDIR to a folder you may write to.");
  }
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
  forget(path_);
}

void remove_unfinished_files() noexcept {
  try {
    const std::lock_guard lock(unfinished_mutex);
    std::error_code ignored;
    for (const auto& [path, note] : unfinished()) {
      fs::remove_all(path, ignored);
      if (!note.empty()) unlink(note.c_str());
    }
  } catch (...) {  // NOLINT(bugprone-empty-catch): the process is ending; nothing is left to tell
  }
}

}  // namespace pratique
