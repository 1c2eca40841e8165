#include "signals.h"

#include <unistd.h>

#include <csignal>
#include <ctime>
#include <thread>

#include "pratique/core/file.h"

namespace pratique::app {

void watch_for_signals(Progress& progress) {
  static sigset_t watched;
  sigemptyset(&watched);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&watched, signal);
  pthread_sigmask(SIG_BLOCK, &watched, nullptr);
  // A reader that goes away (| head) is an error of that write, not the end of the clean-up; a
  // limit on file sizes likewise.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::thread([&progress] {
    int signal = 0;
    if (sigwait(&watched, &signal) != 0) return;
    if (signal == SIGINT && progress.settle()) {
      (void)print_text(stderr,
                       "\npratique: the search ends with the best so far; Ctrl-C again gives up\n");
      if (sigwait(&watched, &signal) != 0) return;
    }
    progress.stop();
    const timespec patience{5, 0};
    sigtimedwait(&watched, nullptr, &patience);
    remove_unfinished_files();
    _exit(128 + signal);
  }).detach();
}

}  // namespace pratique::app
