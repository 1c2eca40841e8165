#include "pratique/tables/profile/internal/stripped_partition.h"

#include <array>
#include <bit>
#include <numeric>

namespace pratique::tables::internal {

StrippedPartition StrippedPartition::whole(std::size_t rows) {
  StrippedPartition result;
  if (rows == 1) result.unique_ = 1;
  if (rows < 2) return result;
  result.rows_.resize(rows);
  std::iota(result.rows_.begin(), result.rows_.end(), 0);
  result.ends_.push_back(static_cast<std::uint32_t>(rows));
  return result;
}

void StrippedPartition::refine(const CodedColumn& column, std::vector<std::uint32_t>& counts,
                               StrippedPartition& result) const {
  const Code* codes = column.codes.data();
  std::vector<Code> touched;
  result.unique_ = unique_;
  result.ends_.clear();
  result.rows_.resize(rows_.size());
  std::uint32_t out = 0;
  std::size_t begin = 0;
  for (const std::uint32_t end : ends_) {
    touched.clear();
    for (std::size_t i = begin; i < end; ++i) {
      const Code code = codes[rows_[i]];
      if (counts[code]++ == 0) touched.push_back(code);
    }
    // From counts to the places where rows go, plus one: 0 is a row that is unique now.
    std::uint32_t place = out;
    for (const Code code : touched) {
      const std::uint32_t count = counts[code];
      if (count == 1) {
        ++result.unique_;
        counts[code] = 0;
      } else {
        counts[code] = place + 1;
        place += count;
        result.ends_.push_back(place);
      }
    }
    if (place > out) {
      for (std::size_t i = begin; i < end; ++i) {
        std::uint32_t& cursor = counts[codes[rows_[i]]];
        if (cursor != 0) result.rows_[cursor++ - 1] = rows_[i];
      }
      for (const Code code : touched) counts[code] = 0;
    }
    out = place;
    begin = end;
  }
  result.rows_.resize(out);
}

Distinctness StrippedPartition::refined_by_few(std::span<const std::uint8_t> codes) const {
  Distinctness result;
  std::size_t begin = 0;
  for (const std::uint32_t end : ends_) {
    if (end - begin == 2) {  // most classes
      const bool apart = codes[rows_[begin]] != codes[rows_[begin + 1]];
      result.unique += apart ? 2 : 0;
      result.combinations += apart ? 2 : 1;
      begin = end;
      continue;
    }
    std::uint64_t once = 0;   // a bit for each value that a row of the class has
    std::uint64_t twice = 0;  // that several have
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t value = std::uint64_t{1} << codes[rows_[i]];
      twice |= once & value;
      once |= value;
    }
    result.combinations += static_cast<std::uint64_t>(std::popcount(once));
    result.unique += static_cast<std::uint64_t>(std::popcount(once & ~twice));
    begin = end;
  }
  result.unique += unique_;
  result.combinations += unique_;
  return result;
}

std::uint64_t StrippedPartition::alike_by_few(std::span<const std::uint8_t> codes) const {
  std::uint64_t alike = 0;
  std::array<std::uint32_t, kFewValues> counts{};
  std::size_t begin = 0;
  for (const std::uint32_t end : ends_) {
    for (std::size_t i = begin; i < end; ++i) alike += counts[codes[rows_[i]]]++;
    for (std::size_t i = begin; i < end; ++i) counts[codes[rows_[i]]] = 0;
    begin = end;
  }
  return alike;
}

Distinctness StrippedPartition::refined_distinctness(const CodedColumn& column,
                                                     std::vector<std::uint32_t>& counts) const {
  const Code* codes = column.codes.data();
  Distinctness result;
  std::size_t begin = 0;
  for (const std::uint32_t end : ends_) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t before = counts[codes[rows_[i]]]++;
      result.alike += before;
      result.combinations += before == 0 ? 1 : 0;
    }
    for (std::size_t i = begin; i < end; ++i) {
      std::uint32_t& count = counts[codes[rows_[i]]];
      result.unique += count == 1 ? 1 : 0;
      count = 0;
    }
    begin = end;
  }
  result.unique += unique_;
  result.combinations += unique_;
  return result;
}

}  // namespace pratique::tables::internal
