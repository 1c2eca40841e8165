// Progress of work that is made of parts of one kind, such as the points of a map: parts done of
// all, and the work within a part counts within it. It never goes back, so that the time left that
// follows from it means something.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "pratique/core/progress.h"

namespace pratique {

class PartsProgress {
 public:
  PartsProgress(Progress& whole, const std::string& step, std::uint64_t parts);

  // For the work within a part. Stopped with the whole.
  [[nodiscard]] Progress& part() { return part_; }
  void finish_part();

 private:
  void look();

  Progress& whole_;
  Progress part_;
  Progress::OnStop on_stop_;
  std::mutex mutex_;
  std::uint64_t finished_ = 0;
  std::uint64_t steps_before_ = 0;  // of earlier parts
  std::uint64_t told_ = 0;
  std::jthread watcher_;  // ends before what it looks at
};

}  // namespace pratique
