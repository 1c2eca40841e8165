// Calls make(i) for each of [0, count), on all cores. Where several fail, it is told of the first
// of them: an error does not depend on which was quicker.
#pragma once

#include <cstddef>
#include <exception>
#include <vector>

#include "pratique/core/parallel.h"

namespace pratique::tables::flow {

template <class Make>
void each_at_once(std::size_t count, const Make& make) {
  std::vector<std::exception_ptr> failed(count);
  parallel_blocks(count, 1, [&](std::size_t i, std::size_t) {
    try {
      make(i);
    } catch (...) {
      failed[i] = std::current_exception();
    }
  });
  for (const auto& failure : failed) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace pratique::tables::flow
