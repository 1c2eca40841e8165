// What of an attribute a cell loses at least that covers some records.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "pratique/tables/method/internal/loss_space.h"
#include "pratique/tables/metric/metrics.h"

namespace pratique::tables::internal {

class LossAxis {
 public:
  using Node = Hierarchy::Node;
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  static constexpr Node kNobody = 0xffffffffU;
  static constexpr Node kMixed = 0xfffffffeU;

  // From what a record has there: a place on a line, or a value or leaf.
  struct Box {
    double low = kFar;
    double high = -kFar;
    Node node = kNobody;  // the only value, kMixed, or what is over all leaves
    bool missing = false;
  };

  LossAxis(const Attribute& attribute, CellStyle style, Loss loss)
      : attribute_(attribute), codes_(attribute.column->codes) {
    const double leaves = static_cast<double>(attribute.hierarchy->leaf_count());
    if (style == CellStyle::labels) {
      kind_ = Kind::tree;
      losses_ = loss == Loss::ncp ? node_penalties(attribute) : node_losses(attribute);
      make_table();
      return;
    }
    // Two leaves are the least that a cell of two values has.
    leaves_ = leaves;
    by_share_ = loss == Loss::ncp;
    if (leaves > 1)
      two_values_ = attribute.weight * (loss == Loss::ncp ? 2 / leaves : 1 / (leaves - 1));
    if (attribute.kind == Attribute::Kind::category) return;
    kind_ = Kind::line;
    double low = kFar;
    double high = -kFar;
    for (const double position : attribute.position) {
      if (std::isnan(position)) continue;
      low = std::min(low, position);
      high = std::max(high, position);
    }
    for (std::size_t code = 0; code < attribute.position.size(); ++code) {
      const double position = attribute.position[code];
      double place = std::nan("");
      if (!std::isnan(position)) {
        place = loss == Loss::lm ? attribute.rank[code] / std::max(1.0, leaves - 1)
                : high > low     ? (position - low) / (high - low)
                                 : 0;
      }
      places_.push_back(place * attribute.weight);
      some_missing_ = some_missing_ || std::isnan(place);
    }
  }

  void add(Box& box, std::uint32_t group) const {
    const Code code = codes_[group];
    switch (kind_) {
      case Kind::line:
        if (std::isnan(places_[code])) {
          box.missing = true;
        } else {
          box.low = std::min(box.low, places_[code]);
          box.high = std::max(box.high, places_[code]);
        }
        break;
      case Kind::values:
        box.node = box.node == kNobody || box.node == code ? code : kMixed;
        break;
      case Kind::tree:
        box.node =
            box.node == kNobody ? attribute_.leaf[code] : over(box.node, attribute_.leaf[code]);
        break;
    }
  }

  // How much it helps to cut a box here.
  [[nodiscard]] double width(const Box& box) const {
    switch (kind_) {
      case Kind::line:
        return box.low > box.high ? 0 : box.high - box.low + (box.missing ? two_values_ : 0);
      case Kind::values:
        return box.node == kMixed ? two_values_ : 0;
      case Kind::tree:
        return losses_[box.node];
    }
    return 0;
  }

  // Where the order of a cut has the group.
  [[nodiscard]] double order(std::uint32_t group) const {
    const Code code = codes_[group];
    switch (kind_) {
      case Kind::line:
        return std::isnan(places_[code]) ? kFar : places_[code];
      case Kind::values:
        return code;
      case Kind::tree:
        return attribute_.rank[code];
    }
    return 0;
  }

  [[nodiscard]] double distance(std::uint32_t a, std::uint32_t b) const {
    const Code x = codes_[a];
    const Code y = codes_[b];
    if (x == y) return 0;
    switch (kind_) {
      case Kind::line:
        if (std::isnan(places_[x]) || std::isnan(places_[y])) return two_values_;
        return std::abs(places_[x] - places_[y]);
      case Kind::values:
        return two_values_;
      case Kind::tree:
        return losses_[over(attribute_.leaf[x], attribute_.leaf[y])];
    }
    return 0;
  }

  // To whatever is in the box, at least.
  [[nodiscard]] double distance(std::uint32_t group, const Box& box) const {
    const Code code = codes_[group];
    switch (kind_) {
      case Kind::line: {
        if (std::isnan(places_[code])) return box.missing ? 0 : two_values_;
        const double off = std::max({0.0, box.low - places_[code], places_[code] - box.high});
        return box.missing ? std::min(off, two_values_) : off;
      }
      case Kind::values:
        return box.node == kMixed || box.node == code ? 0 : two_values_;
      case Kind::tree: {
        const Node both = over(attribute_.leaf[code], box.node);
        return both == box.node ? 0 : losses_[both];
      }
    }
    return 0;
  }

  // A cell that grows record by record.
  struct Cover {
    double low = kFar;
    double high = -kFar;
    Node node = kNobody;
    bool missing = false;
    std::vector<Code> values = {};  // of categories, in their order
  };

  void cover(Cover& cell, std::uint32_t group) const {
    const Code code = codes_[group];
    switch (kind_) {
      case Kind::line:
        if (std::isnan(places_[code])) {
          cell.missing = true;
        } else {
          cell.low = std::min(cell.low, places_[code]);
          cell.high = std::max(cell.high, places_[code]);
        }
        break;
      case Kind::values: {
        const auto place = std::lower_bound(cell.values.begin(), cell.values.end(), code);
        if (place == cell.values.end() || *place != code) cell.values.insert(place, code);
        break;
      }
      case Kind::tree:
        cell.node =
            cell.node == kNobody ? attribute_.leaf[code] : over(cell.node, attribute_.leaf[code]);
        break;
    }
  }
  [[nodiscard]] bool covers(const Cover& cell, std::uint32_t group) const {
    const Code code = codes_[group];
    switch (kind_) {
      case Kind::line:
        if (std::isnan(places_[code])) return cell.missing;
        return cell.low <= places_[code] && places_[code] <= cell.high;
      case Kind::values:
        return std::binary_search(cell.values.begin(), cell.values.end(), code);
      case Kind::tree:
        return cell.node != kNobody && over(cell.node, attribute_.leaf[code]) == cell.node;
    }
    return false;
  }
  // At least, and with the group in it; never less than before it came.
  [[nodiscard]] double loss_with(const Cover& cell, std::uint32_t group) const {
    const Code code = codes_[group];
    switch (kind_) {
      case Kind::line: {
        const bool none = std::isnan(places_[code]);
        const double low = none ? cell.low : std::min(cell.low, places_[code]);
        const double high = none ? cell.high : std::max(cell.high, places_[code]);
        const double width = high > low ? high - low : 0;
        // How a missing value is written with others is not for here: two values, at least.
        if (!some_missing_) return width;
        return (none || cell.missing) && low <= high ? two_values_ : std::min(width, two_values_);
      }
      case Kind::values: {
        const bool known = std::binary_search(cell.values.begin(), cell.values.end(), code);
        const auto values = static_cast<double>(cell.values.size() + (known ? 0 : 1));
        if (values <= 1 || leaves_ <= 1) return 0;
        const double share = by_share_ ? values / leaves_ : (values - 1) / (leaves_ - 1);
        return share * attribute_.weight;
      }
      case Kind::tree:
        return losses_[cell.node == kNobody ? attribute_.leaf[code]
                                            : over(cell.node, attribute_.leaf[code])];
    }
    return 0;
  }

 private:
  enum class Kind { line, values, tree };

  // The lowest node over both.
  [[nodiscard]] Node over(Node a, Node b) const {
    return table_.empty() ? LossSpace::climb(*attribute_.hierarchy, a, b) : table_[a * nodes_ + b];
  }
  void make_table() {
    constexpr std::size_t kLargest = 512;
    nodes_ = attribute_.hierarchy->node_count();
    if (nodes_ > kLargest) return;
    for (Node a = 0; a < nodes_; ++a) {
      for (Node b = 0; b < nodes_; ++b)
        table_.push_back(static_cast<std::uint16_t>(LossSpace::climb(*attribute_.hierarchy, a, b)));
    }
  }

  const Attribute& attribute_;
  const std::vector<Code>& codes_;
  Kind kind_ = Kind::values;
  double two_values_ = 0;
  double leaves_ = 0;
  bool by_share_ = false;       // of the leaves, as NCP has it
  bool some_missing_ = false;   // on a line
  std::vector<double> places_;  // by code, on a line from 0 to 1; missing: not a number
  std::vector<double> losses_;  // by node
  std::size_t nodes_ = 0;
  std::vector<std::uint16_t> table_;  // of over(), where that is small
};

}  // namespace pratique::tables::internal
