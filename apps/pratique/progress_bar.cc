#include "progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "pace.h"
#include "pratique/core/json.h"
#include "pratique/core/terminal_text.h"
#include "terminal.h"

namespace pratique::app {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr auto kTellingInterval = std::chrono::milliseconds(200);
constexpr double kPatienceSeconds = 0.7;
constexpr std::size_t kBarWidth = 24;

std::string short_number(double value) {
  if (value >= 1e9) return fmt::format("{:.1f} G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.1f} M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:.0f} k", value / 1e3);
  return fmt::format("{:.0f}", value);
}

std::string time_left(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 60 * kMinute;
  constexpr double kDay = 24 * kHour;
  if (seconds < 1.5 * kMinute) return fmt::format("{:.0f} s left", seconds);
  if (seconds < 1.5 * kHour) return fmt::format("{:.0f} min left", seconds / kMinute);
  if (seconds < 1.5 * kDay) return fmt::format("{:.0f} h left", seconds / kHour);
  if (seconds < 30 * kDay) return fmt::format("{:.0f} days left", seconds / kDay);
  return "very long";  // what is searched ends before, by its time limit or by hand
}

// As much of it as fits into `width` columns: the rate goes first, then the bar, then what is
// known.
std::string line(const Progress::Snapshot& now, const Pace& pace, std::size_t width) {
  const auto rate = pace.rate();
  const std::string speed = rate ? fmt::format("  {}/s", short_number(*rate)) : "";
  const std::string step = printable(now.step);
  if (now.total == 0) {
    const std::string done = fmt::format("  {}", short_number(static_cast<double>(now.done)));
    const std::string whole = step + done + speed;
    return columns_taken(whole) <= width ? whole : step + done;
  }
  const auto filled = static_cast<std::size_t>(pace.share() * kBarWidth);
  const std::string bar =
      fmt::format("  [{}{}]", std::string(filled, '='), std::string(kBarWidth - filled, ' '));
  const std::string share = fmt::format("  {:2.0f} %", 100 * pace.share());
  const auto seconds_left = pace.seconds_left();
  const std::string left = seconds_left ? "  " + time_left(*seconds_left) : "";
  const std::string known = now.known.empty() ? "" : "  " + printable(now.known);
  for (const auto& whole : {step + bar + share + speed + known + left,
                            step + bar + share + known + left, step + share + known + left}) {
    if (columns_taken(whole) <= width) return whole;
  }
  return step + share + left;
}

std::string json_line(const Progress::Snapshot& now, const Pace& pace) {
  Json line = {
      {"step", now.step}, {"done", now.done}, {"total", nullptr}, {"seconds_left", nullptr}};
  if (now.total > 0) line["total"] = now.total;
  if (!now.known.empty()) line["known"] = now.known;
  if (const auto left = pace.seconds_left()) line["seconds_left"] = std::round(10 * *left) / 10;
  return Json{{"progress", std::move(line)}}.dump(-1, ' ', false, Json::error_handler_t::replace) +
         "\n";
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
  Pace pace;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kTellingInterval, [this] { return finished_; })) {
    auto now = progress.snapshot();
    pace.see(now, Pace::Clock::now());
    if (now.step_number == last.step_number && now.done == last.done && now.known == last.known)
      continue;
    (void)print_text(stderr, json_line(now, pace));
    last = std::move(now);
  }
}

void ProgressBar::watch(const Progress& progress) {
  Terminal terminal(stderr);
  Pace pace;
  bool shown = false;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kInterval, [this] { return finished_; })) {
    const auto now = progress.snapshot();
    pace.see(now, Pace::Clock::now());
    if (now.step_number == 0 || (!shown && pace.seconds() < kPatienceSeconds)) continue;
    terminal.redraw(line(now, pace, terminal.width() - 1));
    shown = true;
  }
  if (shown) terminal.redraw("");
}

}  // namespace pratique::app
