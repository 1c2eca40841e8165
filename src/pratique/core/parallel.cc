#include "pratique/core/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace pratique {

// Made in its place: a copy of a global_control limits nothing.
struct ThreadLimit::Control {
  explicit Control(std::size_t threads)
      : control(tbb::global_control::max_allowed_parallelism, threads) {}
  tbb::global_control control;
};

ThreadLimit::ThreadLimit(std::size_t threads) {
  if (threads == 0) return;
  control_ = std::make_unique<Control>(threads);
}
ThreadLimit::~ThreadLimit() = default;

std::size_t available_threads() {
  return std::min<std::size_t>(
      std::max(1U, std::thread::hardware_concurrency()),
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

void parallel_blocks(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t begin, std::size_t end)>& body) {
  if (grain == 0) throw std::invalid_argument("parallel_blocks needs a grain");
  const std::size_t blocks = (count + grain - 1) / grain;
  tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t block) {
    body(block * grain, std::min(count, (block + 1) * grain));
  });
}

void parallel_tasks(const std::vector<std::function<void()>>& tasks) {
  parallel_blocks(tasks.size(), 1, [&](std::size_t task, std::size_t) { tasks[task](); });
}

}  // namespace pratique
