#include "pratique/tables/internal/sensitive_tally.h"

#include <algorithm>

namespace pratique::tables::internal {

void SensitiveTally::clear() {
  for (const Code code : present_) count_[code] = 0;
  present_.clear();
}

SensitiveCounts SensitiveTally::view() {
  if (count_.size() <= 4 * present_.size()) {
    present_.clear();
    for (Code code = 0; code < count_.size(); ++code) {
      if (count_[code] != 0) present_.push_back(code);
    }
  } else {
    std::sort(present_.begin(), present_.end());
  }
  present_counts_.clear();
  for (const Code code : present_) present_counts_.push_back(count_[code]);
  return {present_, present_counts_};
}

}  // namespace pratique::tables::internal
