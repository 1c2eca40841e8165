#include "pratique/engine/internal/spool.h"

#include <sys/stat.h>

#include "pratique/core/file.h"

namespace pratique {

bool must_be_spooled(const std::string& path) {
  if (path == "-") return true;
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

void spool(const std::string& path, const std::string& target, Progress& progress) {
  AtomicFile copy(target);
  copy.set_mode(0600);
  progress.begin("receiving bytes", 0);
  const auto keep = [&](std::string_view block) {
    copy.write(block);
    progress.advance(block.size());
  };
  read_in_blocks(path, keep, progress);
  copy.commit();
}

}  // namespace pratique
