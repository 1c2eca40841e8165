// Loops over all cores, on oneTBB, without its headers.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace pratique {

// Calls body(begin, end) for consecutive blocks of `grain` indices (the last may be shorter) that
// cover [0, count). Block boundaries do not depend on the number of threads, so work that draws
// from SeededRandom(seed, begin / grain) repeats. The first exception is rethrown here.
void parallel_blocks(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t begin, std::size_t end)>& body);

// Calls each of the tasks, which know nothing of each other, and waits for all of them.
void parallel_tasks(const std::vector<std::function<void()>>& tasks);

// Limits the threads of all loops while it lives. 0: all cores.
class ThreadLimit {
 public:
  explicit ThreadLimit(std::size_t threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct Control;
  std::unique_ptr<Control> control_;
};

[[nodiscard]] std::size_t available_threads();

}  // namespace pratique
