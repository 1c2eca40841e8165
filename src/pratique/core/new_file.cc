#include "pratique/core/new_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "pratique/core/error.h"

namespace pratique {
namespace {

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = write(descriptor, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return fsync(descriptor) == 0;
}

// Some file systems cannot; the name is then as safe as they make it.
void sync_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)fsync(descriptor);
  close(descriptor);
}

}  // namespace

bool write_new_file(const std::string& path, std::string_view bytes, unsigned mode) {
  const auto failed = [&](int number) {
    return Error::machine("cannot write this file: " +
                          std::error_code(number, std::generic_category()).message())
        .at(path)
        .hint("Check that the folder exists, has room, and that you may write to it.");
  };
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0 && errno == EEXIST) return false;
  if (descriptor < 0) throw failed(errno);
  const bool written = write_all(descriptor, bytes);
  const int why = errno;
  close(descriptor);
  if (!written) {
    unlink(path.c_str());
    throw failed(why);
  }
  sync_folder(path);
  return true;
}

}  // namespace pratique
