#include "pratique/server/internal/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace pratique::server {
namespace {

constexpr std::uint64_t kReadFile = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t kRead = kReadFile | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kAll =
    kRead | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
    LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
    LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
// Renaming from one folder to another came with version 2; without it, it is always refused.
constexpr std::uint64_t kRefer = 1ULL << 13U;

void allow(int rules, const std::string& path, std::uint64_t access) {
  const int folder = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (folder < 0) return;
  struct stat status {};
  if (fstat(folder, &status) == 0) {
    const std::uint64_t for_files = kReadFile | LANDLOCK_ACCESS_FS_WRITE_FILE;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = S_ISDIR(status.st_mode) ? access : access & for_files;
    rule.parent_fd = folder;
    (void)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  close(folder);
}

}  // namespace

int make_landlock_rules(const std::vector<std::string>& writable) {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return -1;
  const std::uint64_t all = version >= 2 ? kAll | kRefer : kAll;
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = all;
  const auto rules = static_cast<int>(
      syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled.handled_access_fs), 0));
  if (rules < 0) return -1;
  for (const auto& folder : writable) allow(rules, folder, all);
  allow(rules, "/dev", kRead | LANDLOCK_ACCESS_FS_WRITE_FILE);
  for (const char* folder : {"/usr", "/lib", "/lib64", "/bin", "/etc", "/proc", "/sys"}) {
    allow(rules, folder, kRead);
  }
  return rules;
}

bool apply_landlock_rules(int rules) noexcept {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}

}  // namespace pratique::server
