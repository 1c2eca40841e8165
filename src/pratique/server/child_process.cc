#include "pratique/server/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "pratique/core/error.h"
#include "pratique/core/file_bounds.h"
#include "pratique/server/internal/landlock.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace pratique::server {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPollMilliseconds = 50;
constexpr std::size_t kLongestOutputLine = 1U << 20;

// How the parent tells the child that it is one: its own process, the memory, and the folder.
constexpr const char* kJobVariable = "PRATIQUE_JOB";

bool is_ours(const char* entry) {
  for (const char* name : {"TMPDIR=", "HOME=", "PRATIQUE_", "XDG_"}) {
    if (std::strncmp(entry, name, std::strlen(name)) == 0) return true;
  }
  return false;
}

std::vector<std::string> environment_of(const ChildOptions& options) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!is_ours(*entry)) entries.emplace_back(*entry);
  }
  entries.push_back("TMPDIR=" + options.scratch);
  entries.push_back("HOME=" + options.scratch);
  entries.emplace_back("PRATIQUE_PROGRESS=json");
  entries.push_back(
      fmt::format("{}={} {} {}", kJobVariable, getpid(), options.memory_bytes, options.folder));
  return entries;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// What posix_spawn is to do on the way.
class SpawnPlan {
 public:
  SpawnPlan(const ChildOptions& options, int errors) {
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    for (const int signal : {SIGPIPE, SIGXFSZ, SIGCHLD}) sigaddset(&signals, signal);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, options.output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    posix_spawn_file_actions_addchdir_np(&actions_, options.folder.c_str());
  }
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  // Throws Error when the program cannot be started.
  [[nodiscard]] pid_t start(const ChildOptions& options) {
    std::vector<std::string> words = {options.program};
    words.insert(words.end(), options.arguments.begin(), options.arguments.end());
    std::vector<std::string> environment = environment_of(options);
    pid_t child = 0;
    if (posix_spawn(&child, options.program.c_str(), &actions_, &attributes_,
                    pointers_to(words).data(), pointers_to(environment).data()) != 0) {
      throw Error::machine("cannot start a job: the machine has too many processes or no memory");
    }
    return child;
  }

 private:
  posix_spawnattr_t attributes_{};
  posix_spawn_file_actions_t actions_{};
};

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw Error::machine("cannot make a pipe");
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  [[nodiscard]] int end(std::size_t i) const { return ends_[i]; }
  void close_end(std::size_t i) {
    if (ends_[i] >= 0) close(ends_[i]);
    ends_[i] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// Cuts what arrives into lines; an overlong one is dropped up to its end.
class Lines {
 public:
  explicit Lines(const std::function<void(std::string_view)>& line) : line_(line) {}
  void add(std::string_view block) {
    while (!block.empty()) {
      const auto end = block.find('\n');
      if (text_.size() + block.size() <= kLongestOutputLine) text_ += block.substr(0, end);
      if (end == std::string_view::npos) return;
      finish();
      block.remove_prefix(end + 1);
    }
  }
  void finish() {
    if (!text_.empty()) line_(text_);
    text_.clear();
  }

 private:
  const std::function<void(std::string_view)>& line_;
  std::string text_;
};

// False at the end of the pipe.
bool read_some(int descriptor, Lines& lines) {
  pollfd waiting{descriptor, POLLIN, 0};
  if (poll(&waiting, 1, kPollMilliseconds) <= 0) return true;
  std::array<char, 16384> buffer{};
  const ssize_t bytes_read = read(descriptor, buffer.data(), buffer.size());
  if (bytes_read == 0 || (bytes_read < 0 && errno != EINTR)) return false;
  if (bytes_read > 0) lines.add({buffer.data(), static_cast<std::size_t>(bytes_read)});
  return true;
}

ChildEnd watch(pid_t child, int errors, const ChildOptions& options,
               const std::function<void(std::string_view)>& line,
               const std::function<bool()>& should_stop) {
  Lines lines(line);
  ChildEnd end;
  Clock::time_point kill_at;
  int status = 0;
  bool open = true;
  while (true) {
    if (open) {
      open = read_some(errors, lines);
    } else {
      usleep(kPollMilliseconds * 100);
    }
    if (waitpid(child, &status, WNOHANG) == child) break;
    if (!end.stopped && should_stop()) {
      end.stopped = true;
      kill_at = Clock::now() + options.grace;
      kill(-child, SIGTERM);  // Ctrl-C may make a search settle for what it has
    } else if (end.stopped && Clock::now() >= kill_at) {
      kill(-child, SIGKILL);
    }
  }
  // Whatever it started ends with it.
  kill(-child, SIGKILL);
  if (open) {
    fcntl(errors, F_SETFL, O_NONBLOCK);
    std::array<char, 16384> buffer{};
    for (ssize_t bytes_read = 1; bytes_read > 0;) {
      bytes_read = read(errors, buffer.data(), buffer.size());
      if (bytes_read > 0) lines.add({buffer.data(), static_cast<std::size_t>(bytes_read)});
    }
  }
  lines.finish();
  end.killed = WIFSIGNALED(status);
  end.exit = end.killed ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

}  // namespace

ChildEnd run_child(const ChildOptions& options, const std::function<void(std::string_view)>& line,
                   const std::function<bool()>& should_stop) {
  Pipe errors;
  const pid_t child = SpawnPlan(options, errors.end(1)).start(options);
  errors.close_end(1);
  return watch(child, errors.end(0), options, line, should_stop);
}

namespace {
bool joined_job =
    false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): once, by main
}  // namespace

bool in_job() { return joined_job; }

void join_job() {
  const char* told = std::getenv(kJobVariable);  // NOLINT(concurrency-mt-unsafe): one thread yet
  if (told == nullptr) return;
  joined_job = true;
  std::istringstream words(told);
  pid_t parent = 0;
  rlim_t memory = 0;
  std::string folder;
  words >> parent >> memory;
  words.get();
  std::getline(words, folder);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) throw Error::cancelled();  // it died before it was watched
  const rlimit no_core{0, 0};                         // a core holds the data
  const rlimit share{memory, memory};
  bool joined = setrlimit(RLIMIT_CORE, &no_core) == 0;
  if (memory > 0) joined = setrlimit(RLIMIT_DATA, &share) == 0 && joined;
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 5);
  const int rules = make_landlock_rules({folder});
  if (rules >= 0) {
    joined = apply_landlock_rules(rules) && joined;
    close(rules);
  }
  if (!joined) throw Error::machine("the job cannot take on its limits");
  const char* scratch = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): one thread yet
  set_file_bounds(folder, scratch == nullptr ? folder : scratch);
}

bool children_are_confined() {
  const int rules = make_landlock_rules({});
  if (rules >= 0) close(rules);
  return rules >= 0;
}

}  // namespace pratique::server
