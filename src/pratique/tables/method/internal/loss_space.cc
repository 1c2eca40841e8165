#include "pratique/tables/method/internal/loss_space.h"

#include <algorithm>
#include <cmath>

#include "pratique/tables/metric/metrics.h"

namespace pratique::tables {
namespace {

using Node = Hierarchy::Node;

constexpr std::size_t kBits = 64;
constexpr std::size_t kNarrow = 8;
constexpr std::size_t kLargestMeetingTable = 512;

double loss_of_leaves(double leaves, double all, Loss loss) {
  if (leaves <= 1 || all <= 1) return 0;
  return loss == Loss::lm ? (leaves - 1) / (all - 1) : leaves / all;
}

// The ends of an attribute's values, the missing ones left out.
std::pair<double, double> ends(const Attribute& attribute) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double position : attribute.position) {
    if (std::isnan(position)) continue;
    low = std::min(low, position);
    high = std::max(high, position);
  }
  return {low, high};
}

}  // namespace

LossSpace::LossSpace(const ProtectionInput& input, CellStyle style, Loss loss)
    : size_(input.attributes.size()),
      word_of_(size_),
      shared_bits_(size_),
      set_loss_(size_),
      narrow_loss_(size_),
      trees_(size_) {
  const auto is_range = [&](std::size_t a) {
    return style == CellStyle::free && input.attributes[a].kind != Attribute::Kind::category;
  };
  for (std::size_t a = 0; a < size_; ++a) {
    if (is_range(a)) attribute_of_.push_back(a);
  }
  ranges_ = attribute_of_.size();
  const auto is_narrow = [&](std::size_t a) {
    return style == CellStyle::free && input.attributes[a].distinct() <= kNarrow;
  };
  for (const bool narrow : {true, false}) {
    for (std::size_t a = 0; a < size_; ++a) {
      if (!is_range(a) && is_narrow(a) == narrow) attribute_of_.push_back(a);
    }
    if (narrow) narrow_ = attribute_of_.size();
  }
  sets_ = style == CellStyle::free ? size_ : 0;
  points_.resize(input.groups() * size_);
  for (std::size_t w = 0; w < size_; ++w) {
    const Attribute& attribute = input.attributes[attribute_of_[w]];
    word_of_[attribute_of_[w]] = w;
    if (w < ranges_) {
      add_range(attribute, loss, w);
    } else if (w < sets_) {
      add_set(attribute, loss, w);
    } else {
      trees_[w] = make_tree(attribute, loss);
      for (std::size_t g = 0; g < input.groups(); ++g) {
        points_[g * size_ + w] = attribute.leaf[attribute.column->codes[g]];
      }
    }
  }
}

void LossSpace::add_range(const Attribute& attribute, Loss loss, std::size_t word) {
  const auto [low, high] = ends(attribute);
  const double leaves = std::max(1.0, static_cast<double>(attribute.hierarchy->leaf_count()) - 1);
  for (std::size_t g = 0; g < attribute.column->codes.size(); ++g) {
    const Code code = attribute.column->codes[g];
    double place = 2;
    if (!std::isnan(attribute.position[code])) {
      place = loss == Loss::lm ? attribute.rank[code] / leaves
              : high > low     ? (attribute.position[code] - low) / (high - low)
                               : 0;
    }
    const auto at = static_cast<float>(place * attribute.weight);
    points_[g * size_ + word] = std::bit_cast<Word>(Range{at, at});
  }
}

void LossSpace::add_set(const Attribute& attribute, Loss loss, std::size_t word) {
  const auto all = static_cast<double>(attribute.hierarchy->leaf_count());
  const bool exact = attribute.distinct() <= kBits;
  shared_bits_[word] = !exact;
  auto& by_bits = set_loss_[word];
  for (std::size_t bits = 0; bits <= kBits; ++bits) {
    double values = static_cast<double>(bits);
    if (!exact && bits > 1) {
      const double empty = std::max(0.5, static_cast<double>(kBits - bits)) / kBits;
      values = std::min(all, -static_cast<double>(kBits) * std::log(empty));
    }
    by_bits.push_back(attribute.weight * loss_of_leaves(values, all, loss));
  }
  if (word < narrow_) {
    for (std::size_t bits = 0; bits < 256; ++bits) {
      narrow_loss_[word][bits] = by_bits[bits_in(bits)];
    }
  }
  for (std::size_t g = 0; g < attribute.column->codes.size(); ++g) {
    points_[g * size_ + word] = Word{1} << (attribute.column->codes[g] % kBits);
  }
}

LossSpace::Tree LossSpace::make_tree(const Attribute& attribute, Loss loss) {
  const Hierarchy& hierarchy = *attribute.hierarchy;
  Tree tree;
  tree.hierarchy = &hierarchy;
  tree.loss = loss == Loss::ncp ? node_penalties(attribute) : node_losses(attribute);
  if (hierarchy.node_count() > kLargestMeetingTable) return tree;
  tree.nodes = hierarchy.node_count();
  tree.meeting.resize(tree.nodes * tree.nodes);
  for (Node a = 0; a < tree.nodes; ++a) {
    for (Node b = 0; b < tree.nodes; ++b) {
      tree.meeting[a * tree.nodes + b] = static_cast<std::uint16_t>(climb(hierarchy, a, b));
    }
  }
  return tree;
}

Node LossSpace::climb(const Hierarchy& hierarchy, Node a, Node b) {
  while (a != b) {
    if (hierarchy.level(a) <= hierarchy.level(b)) {
      a = hierarchy.parent(a);
    } else {
      b = hierarchy.parent(b);
    }
  }
  return a;
}

bool LossSpace::is_single(std::size_t word, Word value) const {
  if (word >= sets_) return trees_[word].hierarchy->is_leaf(static_cast<Node>(value));
  if (word >= ranges_) return bits_in(value) == 1 && !shared_bits_[word];
  const auto range = std::bit_cast<Range>(value);
  return range.low == range.high;
}

LossSpace::Word LossSpace::united(std::size_t word, Word a, Word b) const {
  if (word >= sets_) return meeting(word, a, b);
  if (word >= ranges_) return a | b;
  const auto x = std::bit_cast<Range>(a);
  const auto y = std::bit_cast<Range>(b);
  return std::bit_cast<Word>(Range{std::min(x.low, y.low), std::max(x.high, y.high)});
}

double LossSpace::cost_in(std::size_t word, Word value) const {
  if (word < ranges_) {
    const auto range = std::bit_cast<Range>(value);
    return range.high - range.low;
  }
  if (word < sets_) return set_loss_[word][bits_in(value)];
  return trees_[word].loss[value];
}

}  // namespace pratique::tables
