#include "pratique/core/progress.h"

#include "pratique/core/error.h"

namespace pratique {

Progress& Progress::silent() {
  static Progress instance;
  return instance;
}

void Progress::begin(const std::string& step, std::uint64_t total) {
  check();
  const std::lock_guard lock(mutex_);
  step_ = step;
  known_.clear();
  ++step_number_;
  done_.store(0, std::memory_order_relaxed);
  total_.store(total, std::memory_order_relaxed);
}

void Progress::tell(std::string known) {
  const std::lock_guard lock(mutex_);
  known_ = std::move(known);
}

bool Progress::settle() {
  if (this == &silent() || settling_ == 0) return false;
  return !settled_.exchange(true);
}

Progress::Snapshot Progress::snapshot() const {
  const std::lock_guard lock(mutex_);
  return {step_, done_.load(std::memory_order_relaxed), total_.load(std::memory_order_relaxed),
          step_number_, known_};
}

void Progress::stop() {
  if (this == &silent()) return;
  stopped_.store(true, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  for (const auto& action : on_stop_) action();
}

void Progress::throw_cancelled() { throw Error::cancelled(); }

Progress::OnStop::OnStop(Progress& progress, std::function<void()> action) : progress_(progress) {
  const std::lock_guard lock(progress_.mutex_);
  entry_ = progress_.on_stop_.insert(progress_.on_stop_.end(), std::move(action));
}

Progress::OnStop::~OnStop() {
  const std::lock_guard lock(progress_.mutex_);
  progress_.on_stop_.erase(entry_);
}

}  // namespace pratique
