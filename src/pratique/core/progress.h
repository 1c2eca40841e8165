// Progress of long work, and the way to stop it.
//
// Library code is given a Progress and says what it does: begin("reading", rows), advance(2048).
// advance is one relaxed addition; whoever wants to look (a terminal's bar, a job of the server)
// reads snapshot() from another thread whenever it likes. stop() makes the next advance or check
// throw Error::cancelled, so that everything unwinds and cleans up after itself. A search that has
// something to show for its time may be asked to settle for that instead: see Settling.
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
  // What is known so far, beside the step: "best 0.61, none below 0.42".
  void tell(std::string known);
  void check() const {
    if (stopped_.load(std::memory_order_relaxed)) throw_cancelled();
  }

  struct Snapshot {
    std::string step;
    std::uint64_t done;
    std::uint64_t total;
    std::uint64_t step_number;  // counts calls of begin
    std::string known;
  };
  [[nodiscard]] Snapshot snapshot() const;

  void stop();
  [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  // While it lives, the work at hand asks settled() now and then, and ends with the best it has.
  class Settling {
   public:
    explicit Settling(Progress& progress) : progress_(progress) { ++progress_.settling_; }
    ~Settling() { --progress_.settling_; }
    Settling(const Settling&) = delete;
    Settling& operator=(const Settling&) = delete;

   private:
    Progress& progress_;
  };
  // False where the work at hand cannot, or was asked before.
  bool settle();
  [[nodiscard]] bool settled() const { return settled_.load(std::memory_order_relaxed); }

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
  std::atomic<bool> settled_{false};
  std::atomic<int> settling_{0};
  mutable std::mutex mutex_;
  std::string step_;
  std::string known_;
  std::uint64_t step_number_ = 0;
  std::list<std::function<void()>> on_stop_;
};

}  // namespace pratique
