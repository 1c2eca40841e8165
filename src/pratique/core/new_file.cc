#include "pratique/core/new_file.h"

#include <sys/stat.h>

#include "pratique/core/file.h"

namespace pratique {

bool write_new_file(const std::string& path, std::string_view bytes, unsigned mode) {
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0) return false;
  AtomicFile file(path, mode, AtomicFile::Existing::keep);
  file.write(bytes);
  return file.commit_as_new();
}

}  // namespace pratique
