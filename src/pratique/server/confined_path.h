// Paths that stay inside the data folder.
//
// A client names files by a relative path with / between its parts. Refused without looking at the
// disk: an empty or overlong path, one that is not UTF-8 or has a NUL or other control character,
// an absolute path, a part that is empty, `.` or `..`, and a hidden part (a leading dot: .pratique
// holds the jobs). Refused after looking: a symbolic link on the way that leads out of the folder,
// or to something hidden.
//
// Files that the server itself reads or writes are opened beneath a descriptor of the folder by
// openat2(RESOLVE_BENEATH), so a link that is swapped in between check and use gains nothing. Jobs
// check what they open themselves, and are confined once more by the kernel (child_process.h).
#pragma once

#include <string>
#include <string_view>

namespace pratique::server {

// Throws Problem 400 that says which rule is broken.
void check_relative_path(std::string_view path);

// Another text when the file behind the descriptor is another or has changed.
[[nodiscard]] std::string file_state(int descriptor);

class DataFolder {
 public:
  // Throws pratique::Error when it is no folder that can be used.
  explicit DataFolder(const std::string& path);
  ~DataFolder();
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

  // The absolute path of an existing file or folder, or of one to make. Throws Problem 400.
  [[nodiscard]] std::string confine(std::string_view relative) const;
  // An open descriptor of an existing regular file, to read. Throws Problem 404; a secret key is
  // not there for any client.
  [[nodiscard]] int open_file(std::string_view relative) const;

  // Whether it is a file with a secret key, by what is in it (core/guarded_file.h): that of a
  // ledger, or of pseudonyms.
  [[nodiscard]] bool is_secret_key(std::string_view relative) const;

  // For a word of a command line that names a file, or may: throws Problem 400 when the word, or a
  // part of it behind = , : or ;, could be a path that leads out. Wildcards are
  // followed.
  void check_word(std::string_view word) const;

 private:
  // Less than 0: there is none.
  [[nodiscard]] int open_any_file(std::string_view relative) const;
  [[nodiscard]] bool leads_out(std::string_view path) const;
  std::string path_;  // canonical
  int descriptor_ = -1;
};

}  // namespace pratique::server
