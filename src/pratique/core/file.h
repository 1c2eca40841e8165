// Files: reading whole, reading in blocks, writing whole or not at all, and private folders.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/core/progress.h"

namespace pratique {

// Errors name the path and the reason: missing, a directory, not readable, a secret key, which is
// never data (guarded_file.h).
[[nodiscard]] std::string read_file(const std::string& path);
// "-" is standard input. A pipe that nobody writes to is given up after ten seconds.
void read_in_blocks(const std::string& path, const std::function<void(std::string_view)>& block,
                    Progress& progress = Progress::silent());
// For the code that loads keys, and for nothing else.
[[nodiscard]] std::string read_key_file(const std::string& path);
[[nodiscard]] std::uint64_t file_size(const std::string& path);
// True when both names lead to one existing file (links included).
[[nodiscard]] bool same_file(const std::string& a, const std::string& b);
// Throws the error a user can act on when `path` cannot be read, or holds a secret key.
void require_readable_file(const std::string& path);

// A file that appears under its name only when commit() has written all of it to disk. Until then
// it lies with mode 0600 in a hidden folder beside it that is ours alone (0700) and disappears with
// this object, also when the process is asked to stop (see remove_unfinished_files); what a killed
// process left goes when the next file is written there. Several that belong together:
// joint_commit.h. A link is followed; devices, pipes and
// folders are refused, and so are a secret key and a ledger, which nothing replaces
// (guarded_file.h).
class AtomicFile {
 public:
  // keep: what has the name by then is not touched, see commit_as_new.
  enum class Existing { replace, keep };
  // `mode` is that of the finished file, less the umask.
  explicit AtomicFile(std::string path, unsigned mode = 0644,
                      Existing existing = Existing::replace);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Where another writer (the engine) may write instead of write().
  [[nodiscard]] const std::string& temporary_path() const { return temporary_; }
  void write(std::string_view bytes);
  void set_mode(unsigned mode) { mode_ = mode; }
  void commit();
  // Only where nothing has the name, not even a link; false: something has. On disk with its name
  // when it returns true.
  [[nodiscard]] bool commit_as_new();

 private:
  friend class JointCommit;  // joint_commit.h
  void write_all(std::string_view rest);
  void flush_buffer();
  void finish_writing();
  void look_at_existing();
  void remove_folder();
  // The folder is no longer this object's to remove.
  void hand_over();
  [[nodiscard]] Error write_error() const;
  std::string path_;
  std::string folder_;
  std::string temporary_;
  std::string buffer_;
  int lock_ = -1;
  int descriptor_ = -1;
  unsigned mode_;
  bool handed_over_ = false;
};

void write_file_atomically(const std::string& path, std::string_view bytes);

// For files that belong together (joint_commit.h): while it lives, whoever else asks for the folder
// of `path` waits.
class FolderLock {
 public:
  explicit FolderLock(const std::string& path);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

// A folder with mode 0700 under TMPDIR (or `parent`) that disappears with this object. Folders that
// a killed process left behind are removed when the next one is made.
class PrivateFolder {
 public:
  explicit PrivateFolder(const std::string& parent = {});
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;
};

// For a process that must end now: removes the temporary files and private folders still alive.
void remove_unfinished_files() noexcept;

}  // namespace pratique
