#include "pratique/tables/method/internal/sensitive_tally.h"

#include <algorithm>

namespace pratique::tables::internal {

void SensitiveTally::clear() {
  for (std::size_t i = 0; i < distinct_; ++i) count_[present_[i]] = 0;
  distinct_ = 0;
}

SensitiveCounts SensitiveTally::view() {
  if (count_.size() <= 4 * distinct_) {
    distinct_ = 0;
    for (Code code = 0; code < count_.size(); ++code) {
      present_[distinct_] = code;
      distinct_ += count_[code] != 0 ? 1 : 0;
    }
  } else {
    std::sort(present_.begin(), present_.begin() + static_cast<std::ptrdiff_t>(distinct_));
  }
  for (std::size_t i = 0; i < distinct_; ++i) present_counts_[i] = count_[present_[i]];
  return {std::span(present_).first(distinct_), std::span(present_counts_).first(distinct_)};
}

}  // namespace pratique::tables::internal
