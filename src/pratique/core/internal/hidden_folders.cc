#include "pratique/core/internal/hidden_folders.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/guarded_file.h"
#include "pratique/core/internal/descriptor.h"
#include "pratique/core/json.h"

namespace pratique::internal {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLockName = "lock";
constexpr std::string_view kIntent = "intent";
constexpr std::string_view kPrepared = "intent-new";
constexpr std::string_view kDecidedBy = "decided-by";
constexpr std::string_view kBeingMade = "-new";
constexpr std::size_t kLargestIntent = std::size_t{1} << 20;

std::string within(const std::string& folder, std::string_view name) {
  return folder + "/" + std::string(name);
}

// Exactly what PrivateFolder and, hidden, AtomicFile give out: a user's own pratique-something is
// not ours to remove.
bool is_our_name(std::string_view name) {
  if (name.starts_with('.')) name.remove_prefix(1);
  if (!name.starts_with(kHiddenPrefix)) return false;
  name.remove_prefix(kHiddenPrefix.size());
  return name.size() == 16 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_our_folder(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

bool exists(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

// The lock of a folder whose process is gone; none where it is alive, or no folder of ours.
Descriptor lock_of_abandoned(const std::string& folder) {
  Descriptor lock(
      open(within(folder, kLockName).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (lock.get() >= 0 && flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  return Descriptor(-1);
}

void remove_folder(const std::string& folder) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

// On disk, under a name that is new in a folder of ours.
bool write_synced(const std::string& path, std::string_view text) {
  const Descriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.get() < 0) return false;
  while (!text.empty()) {
    const ssize_t put = ::write(file.get(), text.data(), text.size());
    if (put < 0 && errno != EINTR) return false;
    if (put > 0) text.remove_prefix(static_cast<std::size_t>(put));
  }
  return fsync(file.get()) == 0;
}

std::optional<std::string> read_small(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::size_t>(status.st_size) > kLargestIntent)
    return std::nullopt;
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  const ssize_t bytes = pread(file.get(), text.data(), text.size(), 0);
  if (bytes < 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(bytes));
  return text;
}

// Seen from the folder around `hidden`.
std::string place_of(const std::string& hidden, const std::string& named) {
  return (fs::path(folder_of(hidden)) / named).string();
}

bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

std::string to_line(const Intent& intent) {
  Json files = Json::array();
  for (const auto& file : intent.files) files.push_back({file.folder, file.content, file.name});
  return Json{{"files", std::move(files)}, {"leaving", intent.leaving}}.dump();
}

std::optional<Intent> intent_in(const std::string& deciding) {
  const auto text = read_small(within(deciding, kIntent));
  if (!text) return std::nullopt;
  try {
    const Json json = parse_json(*text, deciding);
    Intent intent;
    for (const auto& file : json.at("files")) {
      intent.files.push_back({file.at(0).get<std::string>(), file.at(1).get<std::string>(),
                              file.at(2).get<std::string>()});
      const auto& read = intent.files.back();
      if (!is_our_name(fs::path(read.folder).filename().string()) || !is_plain_name(read.content) ||
          !is_plain_name(read.name))
        return std::nullopt;
    }
    for (const auto& name : json.at("leaving")) {
      intent.leaving.push_back(name.get<std::string>());
      if (!is_plain_name(intent.leaving.back())) return std::nullopt;
    }
    return intent;
  } catch (const Error&) {
    return std::nullopt;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

// True where it has its name, now or before.
bool give_name(const std::string& content, const std::string& name, bool& begun) {
  if (!exists(content)) return begun = true;
  try {
    refuse_replacing_guarded(name);
  } catch (const Error&) {
    errno = EPERM;
    return false;
  }
  if (rename(content.c_str(), name.c_str()) != 0) return false;
  return begun = true;
}

// What a folder says that is not the deciding one; empty where it says nothing.
std::string decided_by(const std::string& folder) {
  const auto named = read_small(within(folder, kDecidedBy));
  if (!named || !is_our_name(fs::path(*named).filename().string())) return {};
  return place_of(folder, *named);
}

// A folder that was being made, long enough ago that nobody is at it.
bool is_unmade(const fs::path& path) {
  constexpr std::time_t kLongAgo = 60;
  const std::string name = path.filename().string();
  if (!name.ends_with(kBeingMade) || !is_our_name(name.substr(0, name.size() - kBeingMade.size())))
    return false;
  struct stat status {};
  return is_our_folder(path.string()) && lstat(path.c_str(), &status) == 0 &&
         status.st_mtime + kLongAgo < std::time(nullptr);
}

// Whoever gives files their names holds the lock of the folder; see FolderLocking.
bool lock_around(const std::string& hidden, FolderLocking locking,
                 std::optional<Descriptor>& held) {
  if (locking == FolderLocking::held) return true;
  held.emplace(open(folder_of(hidden).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (held->get() < 0) return true;  // see FolderLock
  if (locking == FolderLocking::wait) return flock(held->get(), LOCK_EX) == 0 || errno == ENOLCK;
  return flock(held->get(), LOCK_EX | LOCK_NB) == 0;
}

void finish(const std::string& deciding, FolderLocking locking) {
  std::optional<Descriptor> around;
  if (!lock_around(deciding, locking, around)) return;
  const Descriptor lock = lock_of_abandoned(deciding);
  if (lock.get() < 0 || !exists(within(deciding, kIntent))) return;
  (void)carry_out(deciding);
}

void tend(const std::string& folder, FolderLocking locking) {
  if (!is_our_folder(folder)) return;
  if (exists(within(folder, kIntent))) return finish(folder, locking);
  const std::string deciding = decided_by(folder);
  if (!deciding.empty() && exists(within(deciding, kIntent))) {
    // Who holds this folder does not wait for another.
    const bool beside = folder_of(deciding) == folder_of(folder);
    if (is_our_folder(deciding)) finish(deciding, beside ? locking : FolderLocking::skip_if_locked);
    return;
  }
  // One gets its name when it has a lock, so somebody began to remove it.
  if (!exists(within(folder, kLockName))) return remove_folder(folder);
  const Descriptor lock = lock_of_abandoned(folder);
  // Once more, now that nobody else decides.
  if (lock.get() < 0 || exists(within(folder, kIntent))) return;
  if (!deciding.empty() && exists(within(deciding, kIntent))) return;
  remove_folder(folder);
}

}  // namespace

std::string folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path().string() : ".";
}

void sync_folder(const std::string& folder) {
  const Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() >= 0) (void)fsync(opened.get());
}

// It is made under another name and locked before it gets its own: one with our kind of name and
// nobody's lock would look abandoned.
int make_locked_folder(const std::string& path) {
  const std::string making = path + std::string(kBeingMade);
  if (mkdir(making.c_str(), 0700) != 0) return -1;
  const int lock = open(within(making, kLockName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 &&
      rename(making.c_str(), path.c_str()) == 0) {
    return lock;
  }
  const int why = errno;
  if (lock >= 0) close(lock);
  remove_folder(making);
  errno = why;
  return -1;
}

bool prepare_decision(const std::string& deciding, const Intent& intent) {
  std::set<std::string> parents = {folder_of(deciding)};
  for (std::size_t f = 1; f < intent.files.size(); ++f) {
    const std::string folder = place_of(deciding, intent.files[f].folder);
    const bool beside = is_plain_name(intent.files[f].folder);
    const std::string named = beside ? fs::path(deciding).filename().string()
                                     : fs::absolute(deciding).lexically_normal().string();
    if (!write_synced(within(folder, kDecidedBy), named)) return false;
    sync_folder(folder);
    parents.insert(folder_of(folder));
  }
  if (!write_synced(within(deciding, kPrepared), to_line(intent))) return false;
  sync_folder(deciding);
  for (const auto& parent : parents) sync_folder(parent);
  return true;
}

bool decide(const std::string& deciding) {
  if (rename(within(deciding, kPrepared).c_str(), within(deciding, kIntent).c_str()) != 0)
    return false;
  sync_folder(deciding);
  return true;
}

bool carry_out(const std::string& deciding) {
  const auto intent = intent_in(deciding);
  if (!intent) {
    // Not one that we wrote: a decision is whole from the moment it has its name.
    errno = EINVAL;
    return false;
  }
  bool begun = false;
  std::set<std::string> parents = {folder_of(deciding)};
  for (const auto& file : intent->files) {
    const std::string folder = place_of(deciding, file.folder);
    if (exists(folder) && !is_our_folder(folder)) continue;
    parents.insert(folder_of(folder));
    if (give_name(within(folder, file.content), place_of(folder, file.name), begun)) continue;
    const int why = errno;
    if (!begun)
      (void)rename(within(deciding, kIntent).c_str(), within(deciding, kPrepared).c_str());
    errno = why;
    return false;
  }
  // Out of the way before they are removed: a file that gets such a name later is another.
  for (std::size_t l = 0; l < intent->leaving.size(); ++l) {
    const std::string aside = within(deciding, "left-" + std::to_string(l));
    if (!exists(aside)) (void)rename(place_of(deciding, intent->leaving[l]).c_str(), aside.c_str());
  }
  for (const auto& parent : parents) sync_folder(parent);
  // The deciding one last: without it the others would tell of nothing decided.
  for (const auto& file : intent->files) {
    const std::string folder = place_of(deciding, file.folder);
    if (is_our_folder(folder) && fs::path(folder).filename() != fs::path(deciding).filename())
      remove_folder(folder);
  }
  (void)unlink(within(deciding, kIntent).c_str());
  remove_folder(deciding);
  return true;
}

void tend_hidden_folders(const std::string& parent, FolderLocking locking) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (is_our_name(entry.path().filename().string())) folders.push_back(entry.path());
    if (is_unmade(entry.path())) remove_folder(entry.path().string());
  }
  for (const auto& folder : folders) tend(folder.string(), locking);
}

}  // namespace pratique::internal
