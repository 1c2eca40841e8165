#include "pratique/release/print_pdf.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::release {
namespace {

constexpr unsigned kPauseMicroseconds = 20'000;

std::string search_path() {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  return path == nullptr ? "/usr/bin:/bin" : path;
}

std::string find_chromium() {
  for (const auto* name :
       {"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"}) {
    std::istringstream folders(search_path());
    for (std::string folder; std::getline(folders, folder, ':');) {
      std::string candidate = folder + "/" + name;
      if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
    }
  }
  return {};
}

// A program in a process group of its own, so that all it starts ends with it.
class Child {
 public:
  Child(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const auto pointers = [](const std::vector<std::string>& texts) {
      std::vector<char*> list;
      for (const auto& text : texts)
        list.push_back(
            const_cast<char*>(text.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast):
                                               // the C interface takes char*
      list.push_back(nullptr);
      return list;
    };
    const int failed = posix_spawn(&id_, command.front().c_str(), &actions, &attributes,
                                   pointers(command).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0) throw Error::machine("Chromium does not start").at(command.front());
  }
  ~Child() {
    if (id_ <= 0) return;
    kill(-id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Whether it has ended; its exit code is then in `code`.
  bool ended(int& code) {
    int status = 0;
    if (waitpid(id_, &status, WNOHANG) != id_) return false;
    kill(-id_, SIGKILL);  // what it may have left running
    id_ = -1;
    code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return true;
  }

 private:
  pid_t id_ = -1;
};

}  // namespace

void require_pdf_printer() {
  if (!find_chromium().empty()) return;
  throw Error::input("printing a PDF needs Chromium, which is not installed")
      .hint(
          "Install it (apt-get install chromium), or use --format html and print it from a "
          "browser.");
}

void print_pdf(const std::string& html, const std::string& out, Progress& progress,
               std::chrono::milliseconds patience, unsigned mode) {
  require_pdf_printer();
  AtomicFile pending(out,
                     mode);  // before the long part: a place that cannot be written is told at once
  const PrivateFolder folder;
  const std::string page = folder.path() + "/report.html";
  const std::string printed = folder.path() + "/report.pdf";
  write_file_atomically(page, html);
  std::vector<std::string> command = {find_chromium(),
                                      "--headless",
                                      "--disable-gpu",
                                      "--disable-dev-shm-usage",
                                      "--disable-extensions",
                                      "--disable-background-networking",
                                      "--disable-component-update",
                                      "--no-first-run",
                                      "--no-pdf-header-footer",
                                      "--print-to-pdf-no-header",
                                      "--user-data-dir=" + folder.path() + "/profile",
                                      "--print-to-pdf=" + printed,
                                      "file://" + page};
  // Chromium refuses its sandbox to root; the page has no script and may load nothing.
  if (geteuid() == 0) command.insert(command.begin() + 1, "--no-sandbox");
  const std::vector<std::string> environment = {"PATH=" + search_path(),
                                                "HOME=" + folder.path(),
                                                "TMPDIR=" + folder.path(),
                                                "XDG_CONFIG_HOME=" + folder.path(),
                                                "XDG_CACHE_HOME=" + folder.path(),
                                                "XDG_RUNTIME_DIR=" + folder.path(),
                                                "LANG=C.UTF-8"};
  progress.begin("printing", 0);
  Child chromium(command, environment);
  const auto until = std::chrono::steady_clock::now() + patience;
  int code = 0;
  while (!chromium.ended(code)) {
    progress.check();
    if (std::chrono::steady_clock::now() > until) {
      throw Error::machine("Chromium does not finish")
          .hint("Use --format html and print it from a browser.");
    }
    usleep(kPauseMicroseconds);
  }
  if (code != 0 || access(printed.c_str(), R_OK) != 0) {
    throw Error::machine(fmt::format("Chromium printed nothing (exit {})", code))
        .hint("Use --format html and print it from a browser.");
  }
  pending.write(read_file(printed));
  pending.commit();
}

}  // namespace pratique::release
