// How long a search may go on: until its time is over, or somebody asks it to settle for the best
// it has (Progress::settle).
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

#include "pratique/core/progress.h"

namespace pratique::tables::internal {

class SearchTime {
 public:
  // In seconds; without, there is no limit.
  SearchTime(std::optional<double> limit, Progress& progress)
      : progress_(progress),
        settling_(progress),
        limit_(limit.value_or(std::numeric_limits<double>::infinity())),
        began_(std::chrono::steady_clock::now()) {}

  [[nodiscard]] double left() const {
    if (progress_.settled()) return 0;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began_;
    return std::max(0.0, limit_ - took.count());
  }
  [[nodiscard]] bool is_over() const { return left() <= 0; }
  // Of one of several searches that follow; nothing where there is no limit.
  [[nodiscard]] std::optional<double> share(double part) const {
    if (limit_ == std::numeric_limits<double>::infinity()) return std::nullopt;
    return left() * part;
  }
  // Why it is over.
  [[nodiscard]] const char* words() const {
    return progress_.settled() ? "the search was stopped by hand" : "the time limit was reached";
  }

 private:
  Progress& progress_;
  Progress::Settling settling_;
  double limit_;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace pratique::tables::internal
