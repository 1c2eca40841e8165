// A bar with rate and time left on standard error, only when that is a terminal and only for steps
// that take a while. A thread of its own looks at the progress; the work does not know.
//
// For a program that runs this one (the workbench's jobs), PRATIQUE_PROGRESS=json in the
// environment makes it a line of JSON a few times a second instead: {"progress": {step, done,
// total, seconds_left}}, with null for what is not known.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "pratique/core/progress.h"

namespace pratique::app {

// Whether PRATIQUE_PROGRESS asks for lines of JSON.
[[nodiscard]] bool progress_is_json();

class ProgressBar {
 public:
  explicit ProgressBar(Progress& progress);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  void watch(const Progress& progress);
  void tell(const Progress& progress);

  std::mutex mutex_;
  std::condition_variable wake_;
  bool finished_ = false;
  std::thread watcher_;
};

}  // namespace pratique::app
