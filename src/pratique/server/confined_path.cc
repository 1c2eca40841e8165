#include "pratique/server/confined_path.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <glob.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>

#include "pratique/core/error.h"
#include "pratique/core/guarded_file.h"
#include "pratique/data/utf8.h"
#include "pratique/net/problem.h"

namespace pratique::server {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kLongestPath = 1024;
constexpr std::size_t kLongestPart = 255;

net::Problem refused(const char* why) {
  return net::Problem(400, why).hint("Name a file by its path inside the data folder.");
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

template <class Visit>
void for_each_part(std::string_view path, const Visit& visit) {
  while (true) {
    const auto slash = path.find('/');
    visit(path.substr(0, slash));
    if (slash == std::string_view::npos) return;
    path.remove_prefix(slash + 1);
  }
}

bool is_inside(const fs::path& root, const fs::path& path) {
  const auto [end, ignored] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return end == root.end();
}

bool has_hidden_part(const fs::path& relative) {
  return std::any_of(relative.begin(), relative.end(), [](const fs::path& part) {
    return part != "." && part.string().starts_with('.');
  });
}

// Inside the folder, and not hidden there; neither path has links left.
bool is_served(const fs::path& folder, const fs::path& real) {
  return is_inside(folder, real) && !has_hidden_part(real.lexically_relative(folder));
}

// Where it lies, links followed, as the kernel has it.
fs::path path_of_open_file(int descriptor) {
  std::error_code failed;
  return fs::read_symlink(fmt::format("/proc/self/fd/{}", descriptor), failed);
}

}  // namespace

void check_relative_path(std::string_view path) {
  if (path.empty()) throw refused("the path is empty");
  if (path.size() > kLongestPath) throw refused("the path is too long");
  if (has_control(path)) throw refused("the path has a control character in it");
  if (!is_utf8(path)) throw refused("the path is not UTF-8");
  if (path.front() == '/') throw refused("the path is absolute");
  for_each_part(path, [](std::string_view part) {
    if (part.empty()) throw refused("the path has an empty part");
    if (part == "..") throw refused("the path leads upwards");
    if (part.front() == '.') throw refused("hidden files are not served");
    if (part.size() > kLongestPart) throw refused("a part of the path is too long");
  });
}

std::string file_state(int descriptor) {
  struct stat status {};
  fstat(descriptor, &status);
  return fmt::format("{}:{}:{}.{}:{}:", status.st_dev, status.st_ino, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec, status.st_size);
}

DataFolder::DataFolder(const std::string& path) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  if (failed || !fs::is_directory(real, failed)) {
    throw Error::input(fs::exists(path, failed) ? "this is not a folder"
                                                : "the data folder does not exist")
        .at(path)
        .hint("Make it first, or name another with --data.");
  }
  path_ = real.string();
  descriptor_ = open(path_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) throw Error::input("the data folder cannot be opened").at(path);
}

DataFolder::~DataFolder() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string DataFolder::confine(std::string_view relative) const {
  check_relative_path(relative);
  const fs::path wanted = fs::path(path_) / relative;
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(wanted, failed);
  if (failed || !is_served(path_, real)) {
    throw refused("the path leads out of the data folder, or to hidden files");
  }
  // A link that leads nowhere yet is left as it stands by weakly_canonical: it may lead out.
  if (fs::is_symlink(fs::symlink_status(real, failed))) {
    throw refused("the path is a broken link");
  }
  return wanted.string();
}

int DataFolder::open_any_file(std::string_view relative) const {
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const std::string name(relative);
  auto file = static_cast<int>(syscall(SYS_openat2, descriptor_, name.c_str(), &how, sizeof(how)));
  // Kernels before 5.6, and sandboxes that do not know the call.
  if (file < 0 && (errno == ENOSYS || errno == EPERM)) {
    try {
      file = open(confine(relative).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    } catch (const net::Problem&) {
      return -1;
    }
  }
  struct stat status {};
  if (file >= 0 && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) ||
                    !is_served(path_of_open_file(descriptor_), path_of_open_file(file)))) {
    close(file);
    file = -1;
  }
  return file;
}

int DataFolder::open_file(std::string_view relative) const {
  check_relative_path(relative);
  const int file = is_secret_key(relative) ? -1 : open_any_file(relative);
  if (file < 0) {
    throw net::Problem(404, "there is no such file in the data folder").at(std::string(relative));
  }
  return file;
}

bool DataFolder::is_secret_key(std::string_view relative) const {
  if (relative.empty() || relative.size() > PATH_MAX) return false;
  const int file = open_any_file(relative);
  if (file < 0) return false;
  const std::string beginning = read_guarded_bytes(file);
  close(file);
  return begins_secret_key(beginning);
}

bool DataFolder::leads_out(std::string_view path) const {
  // What does not begin with anything that is there cannot: most words are no paths at all.
  const std::string first(path.substr(0, path.find('/')));
  if (first.size() > kLongestPart) return false;
  const bool wild = first.find_first_of("*?[\\") != std::string::npos;
  struct stat status {};
  if (!wild && fstatat(descriptor_, first.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return false;

  bool outward = false;
  glob_t matches{};
  const std::string pattern = (fs::path(path_) / path).string();
  if (glob(pattern.c_str(), GLOB_NOCHECK, nullptr, &matches) == 0) {
    for (std::size_t i = 0; i < matches.gl_pathc && !outward; ++i) {
      std::error_code failed;
      const fs::path real = fs::weakly_canonical(matches.gl_pathv[i], failed);
      outward =
          (!failed && !is_served(path_, real)) || fs::is_symlink(fs::symlink_status(real, failed));
    }
  }
  globfree(&matches);
  return outward;
}

void DataFolder::check_word(std::string_view word) const {
  if (word.find('\0') != std::string_view::npos) throw refused("this contains a NUL byte");
  std::size_t begin = 0;
  while (begin <= word.size()) {
    const auto end = std::min(word.find_first_of("=,:;", begin), word.size());
    // The rest from here, too: a file's name may hold such a character. The kernel takes no path
    // that is longer.
    const auto rest = word.size() - begin <= PATH_MAX ? word.substr(begin) : std::string_view();
    for (const auto piece : {word.substr(begin, end - begin), rest}) {
      const std::size_t first = std::min(piece.find_first_not_of(" \t\"'"), piece.size());
      const std::string_view path = piece.substr(first);
      if (path.empty()) continue;
      if (path.starts_with('/') || path.starts_with('~')) throw refused("the path is absolute");
      bool outward = false;
      for_each_part(path, [&](std::string_view part) {
        outward = outward || part == ".." || part == ".pratique";
      });
      if (outward) throw refused("the path leads upwards or to hidden files");
      if (leads_out(path)) throw refused("the path leads out of the data folder");
    }
    begin = end + 1;
  }
}

}  // namespace pratique::server
