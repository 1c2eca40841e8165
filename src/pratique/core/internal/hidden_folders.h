// The hidden folders in which files are written before they get their names (file.h): 0700, each
// with a lock that its process holds, so that one whose lock is free was left by a process that is
// gone.
//
// Files that must appear together (joint_commit.h) have a folder each. One of these decides: once a
// file `intent` in it lists all of them, they are to get their names, whoever gives them; before
// that, nothing was done. The others say in `decided-by` which folder that is. So whoever comes
// upon a folder that was left finishes what was decided and removes what was not, and may itself be
// killed while doing so: a file that has its name already is passed over.
//
// An intent names files by their names alone, in the folder around the hidden one, so that a
// planted one reaches no further than whoever could plant it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pratique::internal {

inline constexpr std::string_view kHiddenPrefix = "pratique-";

[[nodiscard]] std::string folder_of(const std::filesystem::path& file);
// Some file systems cannot; the name is then as safe as they make it.
void sync_folder(const std::string& folder);

// A folder at `path`, with a lock that is held as long as the descriptor is open; -1 and errno
// where it cannot be made.
[[nodiscard]] int make_locked_folder(const std::string& path);

// Files that appear together, and what goes with it.
struct Intent {
  struct File {
    std::string folder;   // the hidden one: its name beside the deciding one, else the whole path
    std::string content;  // in it
    std::string name;     // that it is to get
  };
  std::vector<File> files;
  std::vector<std::string> leaving;  // names beside the deciding folder
};

// Writes all that is needed to decide; false, with errno, where that fails. The folder of the first
// file is to decide.
[[nodiscard]] bool prepare_decision(const std::string& deciding, const Intent& intent);
// From here on the files are to get their names. On disk when it returns true.
[[nodiscard]] bool decide(const std::string& deciding);
// Gives them their names and removes their folders. False, with errno, where one cannot get its
// name: a decision by which nothing was done yet is taken back, else all is left for another try.
[[nodiscard]] bool carry_out(const std::string& deciding);

// Finishes or removes what was left in this folder. What was decided is finished by whoever holds
// the folder's lock (FolderLock).
enum class FolderLocking { held, wait, skip_if_locked };
void tend_hidden_folders(const std::string& parent, FolderLocking locking);

}  // namespace pratique::internal
