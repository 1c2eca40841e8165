// Files that belong together, as a release and its manifest do, appear together: whenever the
// process is killed or the machine fails, whoever looks next (finish_interrupted) sees all of the
// old ones or all of the new ones.
//
//   1. Everything is on disk in hidden folders (AtomicFile), and so is a list of it.
//   2. One rename decides (internal/hidden_folders.h).
//   3. The files get their names, what leaves is moved away, and the folders are synced.
//   4. The hidden folders are removed.
// Killed before 2, nothing was done, and the next command removes what is left; killed after it,
// the next command goes on with 3.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pratique/core/file.h"

namespace pratique {

class JointCommit {
 public:
  // Waits for whoever else gives files in the folder of `path` their names, and finishes what was
  // interrupted there. While this object lives, all others wait.
  explicit JointCommit(const std::string& path);

  // `leaving` are files beside the first of `files` that go when these appear. Throws
  // Error::machine; then nothing was done, or the next command goes on.
  void commit(std::span<AtomicFile* const> files, const std::vector<std::string>& leaving);

 private:
  FolderLock lock_;
};

// For whoever reads files that appear together: finishes, in the folder of `path`, what a killed
// process had begun. Waits for a process that is at it.
void finish_interrupted(const std::string& path);

}  // namespace pratique
