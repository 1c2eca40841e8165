// Progress of long work, and the way to stop it.
//
// Library code is given a Progress and says what it does: begin("reading", rows), advance(2048).
// advance is one relaxed addition; whoever wants to look (a terminal's bar, a job of the server)
// reads snapshot() from another thread whenever it likes. stop() makes the next advance or check
// throw Error::cancelled, so that everything unwinds and cleans up after itself.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>

namespace pratique {

class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // For callers that do not care. It cannot be stopped.
  static Progress& silent();

  // total 0: not known.
  void begin(const std::string& step, std::uint64_t total);
  void advance(std::uint64_t amount) {
    done_.fetch_add(amount, std::memory_order_relaxed);
    check();
  }
  void set(std::uint64_t done) {
    done_.store(done, std::memory_order_relaxed);
    check();
  }
  void check() const {
    if (stopped_.load(std::memory_order_relaxed)) throw_cancelled();
  }

  struct Snapshot {
    std::string step;
    std::uint64_t done;
    std::uint64_t total;
    std::uint64_t step_number;  // counts calls of begin
  };
  [[nodiscard]] Snapshot snapshot() const;

  void stop();
  [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  // While it lives, stop() also calls `action` (from the stopping thread): for work that blocks
  // where it cannot check, such as a query.
  class OnStop {
   public:
    OnStop(Progress& progress, std::function<void()> action);
    ~OnStop();
    OnStop(const OnStop&) = delete;
    OnStop& operator=(const OnStop&) = delete;

   private:
    Progress& progress_;
    std::list<std::function<void()>>::iterator entry_;
  };

 private:
  [[noreturn]] static void throw_cancelled();

  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> total_{0};
  std::atomic<bool> stopped_{false};
  mutable std::mutex mutex_;
  std::string step_;
  std::uint64_t step_number_ = 0;
  std::list<std::function<void()>> on_stop_;
};

}  // namespace pratique
