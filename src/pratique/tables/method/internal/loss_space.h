// How much a class of records loses on its quasi-identifiers, fast enough to ask billions of times.
//
// A class's box is one word per attribute: the least that says what its cell will be. Two boxes
// unite without going back to the records.
//
//   free, number or date   lowest and highest place on the attribute's line, scaled so that their
//                          difference is the loss; the missing value stands one length beyond it
//   free, category         a bit per value; attributes of more than 64 values share bits, and the
//                          number of values is estimated (linear counting, Whang et al. 1990)
//   labels                 the lowest node of the hierarchy over all values
//
// The loss of a box is the sum over attributes of its cell's LM or NCP (metrics.h). Estimates guide
// search only: cells and metrics are always made from the records.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "pratique/tables/method/local_recoding.h"

namespace pratique::tables {

class LossSpace {
 public:
  using Word = std::uint64_t;

  LossSpace(const ProtectionInput& input, CellStyle style, Loss loss);

  // The lowest node over both.
  [[nodiscard]] static Hierarchy::Node climb(const Hierarchy& hierarchy, Hierarchy::Node a,
                                             Hierarchy::Node b);

  // Words per box.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Word* point(std::uint32_t group) const {
    return &points_[static_cast<std::size_t>(group) * size_];
  }
  // The word's attribute in the input, and the attribute's word.
  [[nodiscard]] std::size_t attribute_of(std::size_t word) const { return attribute_of_[word]; }
  [[nodiscard]] std::size_t word_of(std::size_t attribute) const { return word_of_[attribute]; }

  [[nodiscard]] double cost(const Word* box) const { return united_cost(box, box); }
  [[nodiscard]] double cost_in(std::size_t word, Word value) const;
  // Whether the box certainly holds one value of the attribute only.
  [[nodiscard]] bool is_single(std::size_t word, Word value) const;
  [[nodiscard]] Word united(std::size_t word, Word a, Word b) const;
  // Of the union. Gives up as soon as it is not below `limit`.
  [[nodiscard]] double united_cost(const Word* a, const Word* b,
                                   double limit = std::numeric_limits<double>::infinity()) const {
    double sum = 0;
    for (std::size_t w = 0; w < ranges_; ++w) {
      const auto x = std::bit_cast<Range>(a[w]);
      const auto y = std::bit_cast<Range>(b[w]);
      sum += (x.high > y.high ? x.high : y.high) - (x.low < y.low ? x.low : y.low);
    }
    for (std::size_t w = ranges_; w < narrow_; ++w) sum += narrow_loss_[w][a[w] | b[w]];
    for (std::size_t w = narrow_; w < sets_ && sum < limit; ++w) {
      sum += set_loss_[w][bits_in(a[w] | b[w])];
    }
    for (std::size_t w = sets_; w < size_ && sum < limit; ++w) {
      sum += trees_[w].loss[meeting(w, a[w], b[w])];
    }
    return sum;
  }
  void unite(Word* box, const Word* other) const {
    for (std::size_t w = 0; w < ranges_; ++w) {
      auto x = std::bit_cast<Range>(box[w]);
      const auto y = std::bit_cast<Range>(other[w]);
      x.low = x.low < y.low ? x.low : y.low;
      x.high = x.high > y.high ? x.high : y.high;
      box[w] = std::bit_cast<Word>(x);
    }
    for (std::size_t w = ranges_; w < sets_; ++w) box[w] |= other[w];
    for (std::size_t w = sets_; w < size_; ++w) box[w] = meeting(w, box[w], other[w]);
  }

 private:
  struct Range {
    float low;
    float high;
  };
  struct Tree {
    const Hierarchy* hierarchy = nullptr;
    std::vector<double> loss;            // by node
    std::size_t nodes = 0;               // 0: too many for the table
    std::vector<std::uint16_t> meeting;  // node by node
  };

  [[nodiscard]] Word meeting(std::size_t w, Word a, Word b) const {
    const Tree& tree = trees_[w];
    if (tree.nodes != 0) return tree.meeting[a * tree.nodes + b];
    return climb(*tree.hierarchy, static_cast<Hierarchy::Node>(a), static_cast<Hierarchy::Node>(b));
  }
  // Without an instruction that not every processor has.
  static std::size_t bits_in(Word word) {
    word -= (word >> 1U) & 0x5555555555555555U;
    word = (word & 0x3333333333333333U) + ((word >> 2U) & 0x3333333333333333U);
    word = (word + (word >> 4U)) & 0x0f0f0f0f0f0f0f0fU;
    return (word * 0x0101010101010101U) >> 56U;
  }
  static Tree make_tree(const Attribute& attribute, Loss loss);
  void add_range(const Attribute& attribute, Loss loss, std::size_t word);
  void add_set(const Attribute& attribute, Loss loss, std::size_t word);

  std::size_t size_ = 0;
  // Words [0, ranges_) are ranges, [ranges_, sets_) sets, those of up to eight values first, up to
  // narrow_; the rest are nodes.
  std::size_t ranges_ = 0;
  std::size_t narrow_ = 0;
  std::size_t sets_ = 0;
  std::vector<std::size_t> attribute_of_;
  std::vector<std::size_t> word_of_;
  std::vector<bool> shared_bits_;                     // by word
  std::vector<std::vector<double>> set_loss_;         // by word and number of bits
  std::vector<std::array<double, 256>> narrow_loss_;  // by word and bits
  std::vector<Tree> trees_;                           // by word
  std::vector<Word> points_;
};

}  // namespace pratique::tables
