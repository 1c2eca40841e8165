#include "pace.h"

#include <algorithm>

namespace pratique::app {
namespace {

constexpr auto kWindow = std::chrono::seconds(10);
// A rate over less is chance.
constexpr double kShortest = 0.5;
constexpr double kNearlyAll = 0.99;

double seconds_between(Pace::Clock::time_point from, Pace::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void Pace::see(const Progress::Snapshot& now, Clock::time_point at) {
  const bool went_back = !recent_.empty() && now.done < recent_.back().done;
  if (now.step_number != step_ || went_back) {
    step_ = now.step_number;
    began_ = at;
    recent_.clear();
  }
  total_ = now.total;
  recent_.push_back({at, now.done});
  while (at - recent_.front().at > kWindow) recent_.pop_front();
}

double Pace::seconds() const {
  return recent_.empty() ? 0 : seconds_between(began_, recent_.back().at);
}

std::optional<double> Pace::rate() const {
  if (recent_.empty()) return std::nullopt;
  const Sample& first = recent_.front();
  const Sample& last = recent_.back();
  const double span = seconds_between(first.at, last.at);
  if (span < kShortest || last.done == first.done) return std::nullopt;
  return static_cast<double>(last.done - first.done) / span;
}

std::optional<double> Pace::seconds_left() const {
  const auto per_second = rate();
  if (!per_second || total_ <= recent_.back().done) return std::nullopt;
  return static_cast<double>(total_ - recent_.back().done) / *per_second;
}

double Pace::share() const {
  if (recent_.empty() || total_ == 0) return 0;
  return std::min(kNearlyAll,
                  static_cast<double>(recent_.back().done) / static_cast<double>(total_));
}

}  // namespace pratique::app
