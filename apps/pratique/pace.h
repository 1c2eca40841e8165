// How fast a step of the work goes, by its last seconds: what it did an hour ago says little about
// the hour to come.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

#include "pratique/core/progress.h"

namespace pratique::app {

class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  void see(const Progress::Snapshot& now, Clock::time_point at);

  // Seconds since the step was first seen.
  [[nodiscard]] double seconds() const;
  // Per second; none before it can be told.
  [[nodiscard]] std::optional<double> rate() const;
  // None where the total is not known, or was a guess that is passed already.
  [[nodiscard]] std::optional<double> seconds_left() const;
  // Of the total, from 0 to 1; all of it only when the next step begins.
  [[nodiscard]] double share() const;

 private:
  struct Sample {
    Clock::time_point at;
    std::uint64_t done;
  };
  std::uint64_t step_ = 0;
  std::uint64_t total_ = 0;
  Clock::time_point began_;
  std::deque<Sample> recent_;
};

}  // namespace pratique::app
