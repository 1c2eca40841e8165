#include "pratique/tables/method/internal/class_cost.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "pratique/tables/method/internal/loss_space.h"
#include "pratique/tables/metric/metrics.h"

namespace pratique::tables::internal {
namespace {

constexpr std::size_t kWord = 64;

double loss_of_values(double values, double all, Loss loss) {
  if (values <= 1 || all <= 1) return 0;
  return loss == Loss::lm ? (values - 1) / (all - 1) : values / all;
}

// The first and the last of the bits below `end`; one of them must be set.
std::pair<std::size_t, std::size_t> ends_of(const std::vector<std::uint64_t>& bits,
                                            std::size_t end) {
  std::size_t first = 0;
  while (bits[first] == 0) ++first;
  std::size_t last = (end - 1) / kWord;
  const auto below = [&](std::size_t word) {
    const std::size_t left = end - word * kWord;
    return left >= kWord ? bits[word] : bits[word] & ((std::uint64_t{1} << left) - 1);
  };
  while (below(last) == 0) --last;
  return {first * kWord + static_cast<std::size_t>(std::countr_zero(bits[first])),
          last * kWord + kWord - 1 - static_cast<std::size_t>(std::countl_zero(below(last)))};
}

}  // namespace

ClassCost::ClassCost(const ProtectionInput& input, CellStyle style, Loss loss, bool centres) {
  for (const Attribute& attribute : input.attributes) {
    Column& column = columns_.emplace_back();
    column.attribute = &attribute;
    column.loss = loss;
    column.leaves = attribute.hierarchy->leaf_count();
    const bool counts = attribute.kind != Attribute::Kind::category;
    column.shown = counts && centres            ? Shown::centre
                   : style == CellStyle::labels ? Shown::label
                   : counts                     ? Shown::range
                                                : Shown::set;
    // Leaves under a node are neighbours in the order of the tree.
    std::vector<std::uint32_t> order = attribute.rank;
    if (column.shown == Shown::label || attribute.kind == Attribute::Kind::date)
      column.of_node = loss == Loss::ncp ? node_penalties(attribute) : node_losses(attribute);
    if (column.shown == Shown::label) {
      const auto leaves = order_leaves(*attribute.hierarchy, Attribute::Kind::category);
      for (Code code = 0; code < order.size(); ++code)
        order[code] = leaves.rank[attribute.leaf[code]];
    }
    column.code_at.resize(attribute.distinct());
    std::iota(column.code_at.begin(), column.code_at.end(), Code{0});
    std::stable_sort(column.code_at.begin(), column.code_at.end(),
                     [&](Code a, Code b) { return order[a] < order[b]; });
    column.place.resize(column.code_at.size());
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::uint32_t place = 0; place < column.code_at.size(); ++place) {
      const Code code = column.code_at[place];
      column.place[code] = place;
      if (std::isnan(attribute.position[code])) continue;
      column.known = place + 1;
      low = std::min(low, attribute.position[code]);
      high = std::max(high, attribute.position[code]);
    }
    column.length = high > low ? high - low : 0;
    column.groups.resize(column.code_at.size(), 0);
    column.present.resize(column.code_at.size() / kWord + 1, 0);
  }
}

void ClassCost::clear() {
  for (Column& column : columns_) {
    if (column.distinct == 0) continue;
    std::fill(column.groups.begin(), column.groups.end(), 0);
    std::fill(column.present.begin(), column.present.end(), 0);
    column.distinct = 0;
  }
}

void ClassCost::add(std::uint32_t group) {
  for (Column& column : columns_) {
    const std::uint32_t place = column.place[column.attribute->column->codes[group]];
    if (column.groups[place]++ > 0) continue;
    ++column.distinct;
    column.present[place / kWord] |= std::uint64_t{1} << (place % kWord);
  }
}

void ClassCost::remove(std::uint32_t group) {
  for (Column& column : columns_) {
    const std::uint32_t place = column.place[column.attribute->column->codes[group]];
    if (--column.groups[place] > 0) continue;
    --column.distinct;
    column.present[place / kWord] &= ~(std::uint64_t{1} << (place % kWord));
  }
}

double ClassCost::cost_of(const Column& column) {
  if (column.distinct <= 1) return 0;
  const Attribute& attribute = *column.attribute;
  const auto values = static_cast<double>(column.distinct);
  const double weight = attribute.weight;
  if (column.shown == Shown::set)
    return weight * loss_of_values(values, column.leaves, column.loss);
  auto [first, last] = ends_of(column.present, column.code_at.size());
  if (column.shown == Shown::label) {
    return column
        .of_node[LossSpace::climb(*attribute.hierarchy, attribute.leaf[column.code_at[first]],
                                  attribute.leaf[column.code_at[last]])];
  }
  // Missing values stand last. A range with one of them is a set, or a label of dates, and a centre
  // is of the others.
  if (last >= column.known) {
    if (column.shown == Shown::range && attribute.kind == Attribute::Kind::date) {
      auto over = attribute.leaf[column.code_at[first]];
      for (std::size_t place = first + 1; place <= last; ++place) {
        if (column.groups[place] > 0)
          over =
              LossSpace::climb(*attribute.hierarchy, over, attribute.leaf[column.code_at[place]]);
      }
      return column.of_node[over];
    }
    if (column.shown == Shown::range)
      return weight * loss_of_values(values, column.leaves, column.loss);
    if (first >= column.known) return 0;
    last = ends_of(column.present, column.known).second;
  }
  const Code low = column.code_at[first];
  const Code high = column.code_at[last];
  if (column.loss == Loss::lm)
    return weight * loss_of_values(attribute.leaves_between(low, high), column.leaves, Loss::lm);
  return column.length > 0
             ? weight * (attribute.position[high] - attribute.position[low]) / column.length
             : 0;
}

double ClassCost::cost() const {
  double sum = 0;
  for (const Column& column : columns_) sum += cost_of(column);
  return sum;
}

double ClassCost::cost_without(std::uint32_t group) {
  remove(group);
  const double sum = cost();
  add(group);
  return sum;
}

}  // namespace pratique::tables::internal
