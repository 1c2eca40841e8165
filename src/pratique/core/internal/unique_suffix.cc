#include "pratique/core/internal/unique_suffix.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <cerrno>
#include <cstdint>

#include "pratique/core/error.h"

namespace pratique {

std::string unique_suffix() {
  std::uint64_t bits = 0;
  // So few bytes come all at once; a signal can only keep them from coming at all.
  while (getrandom(&bits, sizeof(bits), 0) != sizeof(bits)) {
    if (errno != EINTR) throw Error::machine("the operating system gave no random bytes");
  }
  return fmt::format("{:016x}", bits);
}

}  // namespace pratique
