// Sensitive values of many classes, and their sum over some of them.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/tables/model/model.h"

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
  explicit SensitiveTally(std::size_t distinct)
      : count_(distinct, 0), present_(distinct + 1), present_counts_(distinct) {}

  void clear();
  void add(const ValueCounts& values, std::size_t id) {
    const SensitiveCounts more = values.of(id);
    std::uint64_t* count = count_.data();
    Code* present = present_.data();
    std::size_t distinct = distinct_;
    for (std::size_t i = 0; i < more.values.size(); ++i) {
      const Code value = more.values[i];
      // Written in any case; it counts only where the value is new.
      present[distinct] = value;
      distinct += count[value] == 0 ? 1 : 0;
      count[value] += more.counts[i];
    }
    distinct_ = distinct;
  }
  // In the order of codes, so that a model that adds up fractions comes to the same sum whatever
  // the classes were added up from. Good until the next change.
  [[nodiscard]] SensitiveCounts view();

 private:
  std::vector<std::uint64_t> count_;  // by code
  std::size_t distinct_ = 0;
  std::vector<Code> present_;  // the first distinct_ of them
  std::vector<std::uint64_t> present_counts_;
};

}  // namespace pratique::tables::internal
