#include "pratique/core/parts_progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "pratique/core/error.h"

namespace pratique {
namespace {

constexpr std::uint64_t kOfAPart = 1000;
constexpr auto kInterval = std::chrono::milliseconds(50);

// How many steps a part will have nobody knows: each takes half of what is left.
double share_of(const Progress::Snapshot& now, std::uint64_t steps_before) {
  if (now.step_number <= steps_before) return 0;
  const auto step = static_cast<double>(now.step_number - steps_before);
  const double within =
      now.total == 0
          ? 0
          : std::min(1.0, static_cast<double>(now.done) / static_cast<double>(now.total));
  return 1 - std::exp2(1 - step) + within * std::exp2(-step);
}

}  // namespace

PartsProgress::PartsProgress(Progress& whole, const std::string& step, std::uint64_t parts)
    : whole_(whole), on_stop_(whole, [this] { part_.stop(); }) {
  whole_.begin(step, parts * kOfAPart);
  watcher_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(kInterval);
      try {
        look();
      } catch (const Error&) {
        return;  // stopped
      }
    }
  });
}

void PartsProgress::look() {
  const std::lock_guard lock(mutex_);
  const double share = share_of(part_.snapshot(), steps_before_);
  const auto within =
      std::min(kOfAPart - 1, static_cast<std::uint64_t>(share * static_cast<double>(kOfAPart)));
  told_ = std::max(told_, finished_ * kOfAPart + within);
  whole_.set(told_);
}

void PartsProgress::finish_part() {
  const std::lock_guard lock(mutex_);
  ++finished_;
  steps_before_ = part_.snapshot().step_number;
  told_ = finished_ * kOfAPart;
  whole_.set(told_);
}

}  // namespace pratique
