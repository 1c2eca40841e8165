#include "pratique/engine/internal/spool.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique {
namespace {

constexpr int kPatienceMilliseconds = 10'000;
constexpr int kPollMilliseconds = 100;

class Input {
 public:
  explicit Input(const std::string& path) : owned_(path != "-") {
    // Without O_NONBLOCK, opening a FIFO waits for a writer, perhaps for ever.
    descriptor_ = owned_ ? open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC) : STDIN_FILENO;
    if (descriptor_ < 0) {
      throw Error::input("you may not read this file")
          .at(path)
          .hint("Ask its owner for permission.");
    }
  }
  ~Input() {
    if (owned_) close(descriptor_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
  bool owned_;
};

}  // namespace

bool must_be_spooled(const std::string& path) {
  if (path == "-") return true;
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

void spool(const std::string& path, const std::string& target, Progress& progress) {
  const Input input(path);
  AtomicFile copy(target);
  copy.set_mode(0600);
  progress.begin("receiving bytes", 0);
  std::vector<char> buffer(1U << 20);
  bool anything = false;
  int waited = 0;
  while (true) {
    progress.check();
    pollfd waiting{input.get(), POLLIN, 0};
    const int ready = poll(&waiting, 1, kPollMilliseconds);
    if (ready < 0 && errno != EINTR) throw Error::machine("cannot wait for input").at(path);
    const ssize_t got = ready <= 0 ? -1 : read(input.get(), buffer.data(), buffer.size());
    if (got > 0) {
      anything = true;
      copy.write({buffer.data(), static_cast<std::size_t>(got)});
      progress.advance(static_cast<std::uint64_t>(got));
      continue;
    }
    if (got == 0 && (anything || path == "-")) break;
    if (got < 0 && ready > 0 && errno != EAGAIN && errno != EINTR) {
      throw Error::machine("cannot read").at(path);
    }
    if (path == "-") continue;
    if (got == 0) usleep(kPollMilliseconds * 1000);  // a FIFO without a writer is always "ready"
    waited += kPollMilliseconds;
    if (!anything && waited >= kPatienceMilliseconds) {
      throw Error::input("nobody writes to this pipe").at(path).hint("Start the writer first.");
    }
  }
  copy.commit();
}

}  // namespace pratique
