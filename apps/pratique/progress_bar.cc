#include "progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "pratique/core/json.h"

namespace pratique::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr auto kTellingInterval = std::chrono::milliseconds(200);
constexpr double kPatienceSeconds = 0.7;
constexpr std::size_t kBarWidth = 24;

std::string short_number(double value) {
  if (value >= 1e6) return fmt::format("{:.1f} M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:.0f} k", value / 1e3);
  return fmt::format("{:.0f}", value);
}

std::string line(const Progress::Snapshot& now, double seconds) {
  const auto done = static_cast<double>(now.done);
  const double rate = seconds > 0 ? done / seconds : 0;
  if (now.total == 0) {
    return fmt::format("{}  {}  {}/s", now.step, short_number(done), short_number(rate));
  }
  // A total can be a guess: never more than all.
  const double share = std::min(1.0, done / static_cast<double>(now.total));
  const auto filled = static_cast<std::size_t>(share * kBarWidth);
  std::string text =
      fmt::format("{}  [{}{}] {:3.0f} %  {}/s", now.step, std::string(filled, '='),
                  std::string(kBarWidth - filled, ' '), 100 * share, short_number(rate));
  if (share > 0 && share < 1) {
    text += fmt::format("  {:.0f} s left", seconds * (1 - share) / share);
  }
  return text;
}

std::string json_line(const Progress::Snapshot& now, double seconds) {
  Json line = {
      {"step", now.step}, {"done", now.done}, {"total", nullptr}, {"seconds_left", nullptr}};
  if (now.total > 0) {
    line["total"] = now.total;
    const double share =
        std::min(1.0, static_cast<double>(now.done) / static_cast<double>(now.total));
    if (share > 0) line["seconds_left"] = std::round(10 * seconds * (1 - share) / share) / 10;
  }
  return Json{{"progress", std::move(line)}}.dump() + "\n";
}

}  // namespace

bool progress_is_json() {
  const char* wanted = std::getenv("PRATIQUE_PROGRESS");  // NOLINT(concurrency-mt-unsafe)
  return wanted != nullptr && std::string_view(wanted) == "json";
}

ProgressBar::ProgressBar(Progress& progress) {
  if (progress_is_json()) {
    watcher_ = std::thread([this, &progress] { tell(progress); });
    return;
  }
  if (isatty(STDERR_FILENO) == 1) watcher_ = std::thread([this, &progress] { watch(progress); });
}

ProgressBar::~ProgressBar() {
  if (!watcher_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  wake_.notify_all();
  watcher_.join();
}

void ProgressBar::tell(const Progress& progress) {
  Progress::Snapshot last{};
  auto step_began = Clock::now();
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kTellingInterval, [this] { return finished_; })) {
    auto now = progress.snapshot();
    if (now.step_number != last.step_number) step_began = Clock::now();
    if (now.step_number == last.step_number && now.done == last.done) continue;
    const double seconds = std::chrono::duration<double>(Clock::now() - step_began).count();
    const std::string line = json_line(now, seconds);
    (void)std::fwrite(line.data(), 1, line.size(), stderr);
    last = std::move(now);
  }
}

void ProgressBar::watch(const Progress& progress) {
  constexpr const char* clear = "\r\033[K";
  std::uint64_t step = 0;
  auto step_began = Clock::now();
  bool shown = false;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kInterval, [this] { return finished_; })) {
    const auto now = progress.snapshot();
    if (now.step_number != step) {
      step = now.step_number;
      step_began = Clock::now();
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - step_began).count();
    if (step == 0 || (!shown && seconds < kPatienceSeconds)) continue;
    fmt::print(stderr, "{}{}", clear, line(now, seconds));
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "{}", clear);
}

}  // namespace pratique::app
