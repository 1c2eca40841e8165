#include "pratique/tables/flow/plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "pratique/core/error.h"
#include "pratique/tables/flow/method_choice.h"

namespace pratique::tables::flow {
namespace {

constexpr std::uint64_t kSmall = 1500;  // more than what small tables get beside (docs/tables.md)
constexpr std::uint64_t kLarge = 6000;
constexpr double kMoment = 1.5;  // seconds
constexpr double kUsualLimit = 60;

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// After a moment it asks the work at hand to settle, unless that has ended.
class Patience {
 public:
  explicit Patience(Progress& progress)
      : thread_([this, &progress] {
          std::unique_lock lock(mutex_);
          const auto ended = [this] { return over_; };
          if (!changed_.wait_for(lock, std::chrono::duration<double>(kMoment), ended))
            (void)progress.settle();
        }) {}
  ~Patience() {
    const std::lock_guard lock(mutex_);
    over_ = true;
    changed_.notify_all();
  }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::jthread thread_;  // joined first
};

Pilot try_pilot(PreparedTable& prepared, const tables::Method& method, std::uint64_t k,
                const Run& run) {
  Progress progress;
  const Progress::OnStop on_stop(run.progress, [&] { progress.stop(); });
  const auto began = std::chrono::steady_clock::now();
  {
    const Patience patience(progress);
    try {
      (void)try_setting(prepared, method, k, progress);
    } catch (const Error& error) {
      // What a sample cannot satisfy, all records may.
      if (error.code() != ErrorCode::check_failed) throw;
    }
  }
  return {static_cast<double>(prepared.table.rows()), seconds_since(began), progress.settled()};
}

std::optional<TimeLimit> limit_of(const std::string& method, std::optional<double> asked) {
  if (asked && tables::find_method(method).listens_to("time-limit")) return TimeLimit{*asked, true};
  const bool searches = method == "optimal" || method == "local" || method == "best";
  return searches ? std::optional(TimeLimit{kUsualLimit}) : std::nullopt;
}

}  // namespace

double predicted_seconds(std::span<const Pilot> pilots, double records,
                         std::optional<TimeLimit> limit) {
  constexpr double kLeastPower = 0.7;
  constexpr double kUsualPower = 0.85;
  constexpr double kLargestPower = 1;
  constexpr double kAtLeast = 1.5;  // what was cut short would have taken longer
  const Pilot& last = pilots.back();
  double power = kUsualPower;
  if (pilots.size() > 1 && !last.cut_short && pilots.front().seconds > 0) {
    power = std::clamp(std::log(last.seconds / pilots.front().seconds) /
                           std::log(last.records / pilots.front().records),
                       kLeastPower, kLargestPower);
  }
  double seconds =
      last.seconds * std::pow(std::max(1.0, records / std::max(1.0, last.records)), power);
  if (last.cut_short) seconds *= kAtLeast;
  if (!limit) return seconds;
  return last.cut_short && limit->asked_for ? limit->seconds : std::min(seconds, limit->seconds);
}

Outcome plan(const ExploreRequest& options, const Run& run) {
  if (options.ks.empty()) throw Error::input("--ks needs at least one k");
  refuse_unused(options.shared, options.methods);
  ProtectRequest setting = options.shared;
  auto ks = options.ks;
  std::nth_element(ks.begin(), ks.begin() + static_cast<std::ptrdiff_t>(ks.size() / 2), ks.end());
  const std::uint64_t k = ks[ks.size() / 2];
  setting.models["k"] = {std::to_string(k)};
  setting.releases = false;
  std::map<std::string, std::vector<Pilot>> pilots;
  double reading = 0;
  double records = 0;
  for (const std::uint64_t sample : {kSmall, kLarge}) {
    // A small table is its own sample.
    if (records > 0 && records <= kSmall) break;
    setting.sample = sample;
    const auto began = std::chrono::steady_clock::now();
    PreparedTable prepared(setting, run);
    reading = seconds_since(began);
    records = static_cast<double>(prepared.records_read);
    for (const auto& name : options.methods) {
      auto& before = pilots[name];
      // Four times as many records would be cut short anyway.
      if (!before.empty() && before.back().seconds > kMoment / 2) continue;
      setting.method = name;
      before.push_back(try_pilot(prepared, method_of(setting, prepared), k, run));
    }
  }
  Json methods = Json::array();
  double seconds = reading;
  for (const auto& name : options.methods) {
    const auto limit = limit_of(name, options.shared.time_limit);
    const double each = predicted_seconds(pilots[name], records, limit);
    seconds += each * static_cast<double>(options.ks.size());
    Json method = {{"method", name}, {"seconds", each}};
    if (limit) method["time_limit"] = limit->seconds;
    methods.push_back(std::move(method));
  }
  return {Json{{"settings", options.methods.size() * options.ks.size()},
               {"seconds", seconds},
               {"reading", reading},
               {"methods", std::move(methods)}}};
}

}  // namespace pratique::tables::flow
