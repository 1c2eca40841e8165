#include "pratique/tables/metric/internal/cell_coverage.h"

#include <algorithm>
#include <cmath>

#include "pratique/data/date.h"
#include "pratique/data/generalised.h"
#include "pratique/data/number.h"

namespace pratique::tables {
namespace {

using Node = Hierarchy::Node;

std::vector<RankSpan> spans_of(std::vector<std::uint32_t> ranks) {
  std::sort(ranks.begin(), ranks.end());
  std::vector<RankSpan> spans;
  for (const auto rank : ranks) {
    if (!spans.empty() && rank <= spans.back().last + 1) {
      spans.back().last = std::max(spans.back().last, rank);
    } else {
      spans.push_back({rank, rank});
    }
  }
  return spans;
}

}  // namespace

CellReader::CellReader(const Attribute& attribute)
    : attribute_(attribute), rank_of_leaf_(ranks_of_leaves(*attribute.hierarchy, attribute.kind)) {
  leaf_at_.resize(rank_of_leaf_.size());
  for (Node leaf = 0; leaf < rank_of_leaf_.size(); ++leaf) leaf_at_[rank_of_leaf_[leaf]] = leaf;
  sum_before_.push_back(0);
  if (attribute.kind == Attribute::Kind::category) return;
  for (const Node leaf : leaf_at_) {
    const double position = position_of(attribute.hierarchy->label(leaf), attribute.kind);
    if (std::isnan(position)) break;
    position_at_.push_back(position);
    sum_before_.push_back(sum_before_.back() + position);
  }
}

std::vector<RankSpan> CellReader::spans(std::string_view cell) const {
  const Hierarchy& hierarchy = *attribute_.hierarchy;
  if (const auto node = hierarchy.find(cell)) {
    std::vector<std::uint32_t> ranks;
    std::vector<Node> pending{*node};
    while (!pending.empty()) {
      const Node next = pending.back();
      pending.pop_back();
      if (hierarchy.is_leaf(next)) ranks.push_back(rank_of_leaf_[next]);
      const auto children = hierarchy.children(next);
      pending.insert(pending.end(), children.begin(), children.end());
    }
    return spans_of(std::move(ranks));
  }
  const GeneralisedValue value = GeneralisedValue::parse(cell);
  if (value.kind() == GeneralisedValue::Kind::any) {
    return {{0, static_cast<std::uint32_t>(leaf_at_.size() - 1)}};
  }
  if (value.kind() == GeneralisedValue::Kind::range &&
      attribute_.kind != Attribute::Kind::category) {
    // In the attribute's order the leaves inside a range are neighbours; find both ends.
    const auto low = hierarchy.leaf(value.parts()[0]);
    const auto high = hierarchy.leaf(value.parts()[1]);
    if (low && high) return {{rank_of_leaf_[*low], rank_of_leaf_[*high]}};
  }
  if (value.kind() == GeneralisedValue::Kind::text &&
      attribute_.kind != Attribute::Kind::category) {
    if (const auto nearest = nearest_leaf(value.parts()[0])) return {{*nearest, *nearest}};
  }
  std::vector<std::uint32_t> ranks;
  if (value.kind() == GeneralisedValue::Kind::set || value.kind() == GeneralisedValue::Kind::text) {
    for (const auto& member : value.parts()) {
      if (const auto leaf = hierarchy.leaf(member)) ranks.push_back(rank_of_leaf_[*leaf]);
    }
    if (!ranks.empty()) return spans_of(std::move(ranks));
  }
  for (std::uint32_t rank = 0; rank < leaf_at_.size(); ++rank) {
    if (value.contains(hierarchy.label(leaf_at_[rank]), &hierarchy)) ranks.push_back(rank);
  }
  return spans_of(std::move(ranks));
}

// A mean stands where the leaf nearest to it stands.
std::optional<std::uint32_t> CellReader::nearest_leaf(std::string_view text) const {
  const bool is_one = attribute_.kind == Attribute::Kind::number ? is_number(text)
                                                                 : parse_iso_date(text).has_value();
  if (!is_one) return std::nullopt;
  if (position_at_.empty()) return std::nullopt;
  const double wanted = position_of(text, attribute_.kind);
  auto nearest = std::lower_bound(position_at_.begin(), position_at_.end(), wanted);
  if (nearest == position_at_.end() ||
      (nearest != position_at_.begin() && wanted - nearest[-1] <= *nearest - wanted)) {
    nearest = std::lower_bound(position_at_.begin(), position_at_.end(), nearest[-1]);
  }
  return static_cast<std::uint32_t>(nearest - position_at_.begin());
}

std::optional<double> CellReader::position(std::string_view cell) const {
  const auto date =
      attribute_.kind == Attribute::Kind::number ? std::nullopt : parse_iso_date(cell);
  // A month or a year is the middle of its days.
  if (date ? date->day != 0 : attribute_.kind == Attribute::Kind::number && is_number(cell))
    return position_of(cell, attribute_.kind);
  double sum = 0;
  std::size_t leaves = 0;
  for (const RankSpan& span : spans(cell)) {
    const std::size_t end = std::min<std::size_t>(span.last + 1, position_at_.size());
    if (span.first >= end) continue;
    sum += sum_before_[end] - sum_before_[span.first];
    leaves += end - span.first;
  }
  if (leaves > 0) return sum / static_cast<double>(leaves);
  return date ? std::optional(position_of(cell, attribute_.kind)) : std::nullopt;
}

std::uint64_t leaves_in(const std::vector<RankSpan>& spans) {
  std::uint64_t leaves = 0;
  for (const auto& span : spans) leaves += span.size();
  return leaves;
}

double share_within(const std::vector<RankSpan>& spans, std::uint32_t first, std::uint32_t last) {
  std::uint64_t inside = 0;
  for (const auto& span : spans) {
    const auto low = std::max(first, span.first);
    const auto high = std::min(last, span.last);
    if (low <= high) inside += high - low + 1;
  }
  const auto all = leaves_in(spans);
  return all == 0 ? 0 : static_cast<double>(inside) / static_cast<double>(all);
}

}  // namespace pratique::tables
