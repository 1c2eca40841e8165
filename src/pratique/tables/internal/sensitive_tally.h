// Sensitive values of many classes, and their sum over some of them.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/tables/model.h"

namespace pratique::tables::internal {

// The sensitive values of class after class.
class ValueCounts {
 public:
  void add_class() { begin_.push_back(static_cast<std::uint32_t>(values_.size())); }
  // To the class added last; each value once.
  void add(Code value, std::uint64_t count) {
    values_.push_back(value);
    counts_.push_back(count);
  }
  [[nodiscard]] SensitiveCounts of(std::size_t id) const {
    const std::size_t begin = begin_[id];
    const std::size_t end = id + 1 < begin_.size() ? begin_[id + 1] : values_.size();
    return {std::span(values_).subspan(begin, end - begin),
            std::span(counts_).subspan(begin, end - begin)};
  }
  [[nodiscard]] std::size_t bytes() const { return begin_.size() * 4 + values_.size() * 12; }

 private:
  std::vector<std::uint32_t> begin_;
  std::vector<Code> values_;
  std::vector<std::uint64_t> counts_;
};

class SensitiveTally {
 public:
  explicit SensitiveTally(std::size_t distinct) : count_(distinct, 0) {}

  void clear();
  void add(const ValueCounts& values, std::size_t id) {
    const SensitiveCounts more = values.of(id);
    for (std::size_t i = 0; i < more.values.size(); ++i) {
      if (count_[more.values[i]] == 0) present_.push_back(more.values[i]);
      count_[more.values[i]] += more.counts[i];
    }
  }
  // In the order of codes, so that a model that adds up fractions comes to the same sum whatever
  // the classes were added up from. Good until the next change.
  [[nodiscard]] SensitiveCounts view();

 private:
  std::vector<std::uint64_t> count_;  // by code
  std::vector<Code> present_;
  std::vector<std::uint64_t> present_counts_;
};

}  // namespace pratique::tables::internal
