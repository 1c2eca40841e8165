#include "pratique/tables/metric/internal/cell_coverage.h"

#include <algorithm>
#include <cmath>

#include "pratique/core/parallel.h"
#include "pratique/data/date.h"
#include "pratique/data/generalised.h"
#include "pratique/data/number.h"

namespace pratique::tables {
namespace {

using Node = Hierarchy::Node;

constexpr std::size_t kCellsAtOnce = 1024;

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
    : attribute_(attribute), leaves_(*attribute.leaves), sum_before_{0} {
  for (const double position : leaves_.position_at)
    sum_before_.push_back(sum_before_.back() + position);
}

std::vector<RankSpan> CellReader::spans(std::string_view cell) const {
  const Hierarchy& hierarchy = *attribute_.hierarchy;
  if (const auto node = hierarchy.find(cell)) {
    std::vector<std::uint32_t> ranks;
    std::vector<Node> pending{*node};
    while (!pending.empty()) {
      const Node next = pending.back();
      pending.pop_back();
      if (hierarchy.is_leaf(next)) ranks.push_back(leaves_.rank[next]);
      const auto children = hierarchy.children(next);
      pending.insert(pending.end(), children.begin(), children.end());
    }
    return spans_of(std::move(ranks));
  }
  const GeneralisedValue value = GeneralisedValue::parse(cell);
  if (value.kind() == GeneralisedValue::Kind::any) {
    return {{0, static_cast<std::uint32_t>(leaves_.leaf_at.size() - 1)}};
  }
  if (value.kind() == GeneralisedValue::Kind::range &&
      attribute_.kind != Attribute::Kind::category) {
    // In the attribute's order the leaves inside a range are neighbours; find both ends.
    const auto low = hierarchy.leaf(value.parts()[0]);
    const auto high = hierarchy.leaf(value.parts()[1]);
    if (low && high) return {{leaves_.rank[*low], leaves_.rank[*high]}};
  }
  if (value.kind() == GeneralisedValue::Kind::text &&
      attribute_.kind != Attribute::Kind::category) {
    if (const auto nearest = nearest_leaf(value.parts()[0])) return {{*nearest, *nearest}};
  }
  std::vector<std::uint32_t> ranks;
  if (value.kind() == GeneralisedValue::Kind::set || value.kind() == GeneralisedValue::Kind::text) {
    for (const auto& member : value.parts()) {
      if (const auto leaf = hierarchy.leaf(member)) ranks.push_back(leaves_.rank[*leaf]);
    }
    if (!ranks.empty()) return spans_of(std::move(ranks));
  }
  for (std::uint32_t rank = 0; rank < leaves_.leaf_at.size(); ++rank) {
    if (value.contains(hierarchy.label(leaves_.leaf_at[rank]), &hierarchy)) ranks.push_back(rank);
  }
  return spans_of(std::move(ranks));
}

// A mean stands where the leaf nearest to it stands.
std::optional<std::uint32_t> CellReader::nearest_leaf(std::string_view text) const {
  const bool is_one = attribute_.kind == Attribute::Kind::number ? is_number(text)
                                                                 : parse_iso_date(text).has_value();
  if (!is_one) return std::nullopt;
  if (leaves_.position_at.empty()) return std::nullopt;
  const double wanted = position_of(text, attribute_.kind);
  auto nearest = std::lower_bound(leaves_.position_at.begin(), leaves_.position_at.end(), wanted);
  if (nearest == leaves_.position_at.end() ||
      (nearest != leaves_.position_at.begin() && wanted - nearest[-1] <= *nearest - wanted)) {
    nearest = std::lower_bound(leaves_.position_at.begin(), leaves_.position_at.end(), nearest[-1]);
  }
  return static_cast<std::uint32_t>(nearest - leaves_.position_at.begin());
}

std::optional<double> CellReader::position(std::string_view cell,
                                           const std::vector<RankSpan>& spans) const {
  const auto date =
      attribute_.kind == Attribute::Kind::number ? std::nullopt : parse_iso_date(cell);
  // A month or a year is the middle of its days.
  if (date ? date->day != 0 : attribute_.kind == Attribute::Kind::number && is_number(cell))
    return position_of(cell, attribute_.kind);
  double sum = 0;
  std::size_t leaves = 0;
  for (const RankSpan& span : spans) {
    const std::size_t end = std::min<std::size_t>(span.last + 1, leaves_.position_at.size());
    if (span.first >= end) continue;
    sum += sum_before_[end] - sum_before_[span.first];
    leaves += end - span.first;
  }
  if (leaves > 0) return sum / static_cast<double>(leaves);
  return date ? std::optional(position_of(cell, attribute_.kind)) : std::nullopt;
}

CellSpans CellReader::spans_of_all(const std::vector<std::string>& cells) const {
  CellSpans all(cells.size());
  parallel_blocks(cells.size(), kCellsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) all[i] = spans(cells[i]);
  });
  return all;
}

std::vector<std::optional<double>> CellReader::positions_of_all(
    const std::vector<std::string>& cells, const CellSpans& spans) const {
  std::vector<std::optional<double>> all(cells.size());
  parallel_blocks(cells.size(), kCellsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) all[i] = position(cells[i], spans[i]);
  });
  return all;
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
