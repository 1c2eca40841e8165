#include "pratique/tables/internal/cell_population.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pratique::tables {

namespace {
using Node = Hierarchy::Node;
}  // namespace

CellPopulation::CellPopulation(const ProtectionInput& input, CellStyle style)
    : input_(input), style_(style) {
  for (std::uint32_t group = 0; group < input.groups(); ++group) {
    if ((*input.population)[group] > 0) people_.push_back(group);
    total_ += (*input.population)[group];
  }
  for (const auto& attribute : input.attributes) {
    const auto& codes = attribute.column->codes;
    ByCode& lists = by_code_.emplace_back();
    lists.begin.assign(attribute.distinct() + 1, 0);
    for (const auto group : people_) ++lists.begin[codes[group] + 1];
    for (std::size_t c = 1; c < lists.begin.size(); ++c) lists.begin[c] += lists.begin[c - 1];
    lists.groups.resize(people_.size());
    auto next = lists.begin;
    for (const auto group : people_) lists.groups[next[codes[group]]++] = group;

    const Hierarchy& hierarchy = *attribute.hierarchy;
    auto& highest = highest_.emplace_back();
    for (Node node = 0; node < hierarchy.node_count(); ++node) {
      highest.push_back(hierarchy.find(hierarchy.label(node)).value_or(node));
    }
  }
}

void CellPopulation::add_under(std::size_t attribute, Node node, std::vector<char>& in) const {
  const Attribute& values = input_.attributes[attribute];
  node = highest_[attribute][node];
  for (Code code = 0; code < in.size(); ++code) {
    if (values.hierarchy->is_under(values.leaf[code], node)) in[code] = 1;
  }
}

std::vector<char> CellPopulation::cell_over(std::size_t attribute,
                                            std::span<const std::uint32_t> groups) const {
  const Attribute& values = input_.attributes[attribute];
  const auto& codes = values.column->codes;
  std::vector<char> in(values.distinct(), 0);
  const auto label_over_all = [&] {
    const Hierarchy& hierarchy = *values.hierarchy;
    Node node = values.leaf[codes[groups.front()]];
    for (const auto group : groups) {
      while (!hierarchy.is_under(values.leaf[codes[group]], node)) node = hierarchy.parent(node);
    }
    add_under(attribute, node, in);
    return in;
  };
  if (style_ == CellStyle::labels) return label_over_all();
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  bool missing = false;
  bool several = false;
  for (const auto group : groups) {
    several = several || codes[group] != codes[groups.front()];
    const double position = values.position[codes[group]];
    if (std::isnan(position)) missing = true;
    low = std::min(low, position);
    high = std::max(high, position);
  }
  if (values.kind != Attribute::Kind::category && !missing && several) {
    for (Code code = 0; code < in.size(); ++code) {
      in[code] = values.position[code] >= low && values.position[code] <= high ? 1 : 0;
    }
    return in;
  }
  // As written (recoding.cc): days beside a missing one are not listed.
  if (values.kind == Attribute::Kind::date && missing && several) return label_over_all();
  for (const auto group : groups) {
    const Code code = codes[group];
    if (in[code] != 0) continue;
    in[code] = 1;
    const Node leaf = values.leaf[code];
    if (highest_[attribute][leaf] != leaf) add_under(attribute, leaf, in);
  }
  return in;
}

bool CellPopulation::contain(const Cells& cells, std::uint32_t group) const {
  for (std::size_t a = 0; a < cells.size(); ++a) {
    if (cells[a][input_.attributes[a].column->codes[group]] == 0) return false;
  }
  return true;
}

std::uint64_t CellPopulation::count(const Cells& cells) const {
  if (cells.empty()) return total_;
  std::size_t selective = 0;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (std::size_t a = 0; a < cells.size(); ++a) {
    std::size_t fitting = 0;
    const auto& begin = by_code_[a].begin;
    for (Code code = 0; code < cells[a].size(); ++code) {
      if (cells[a][code] != 0) fitting += begin[code + 1] - begin[code];
    }
    if (fitting < fewest) {
      fewest = fitting;
      selective = a;
    }
  }
  std::uint64_t people = 0;
  const auto& lists = by_code_[selective];
  for (Code code = 0; code < cells[selective].size(); ++code) {
    if (cells[selective][code] == 0) continue;
    for (auto at = lists.begin[code]; at < lists.begin[code + 1]; ++at) {
      if (contain(cells, lists.groups[at])) people += (*input_.population)[lists.groups[at]];
    }
  }
  return people;
}

CellPopulation::Cells CellPopulation::over(std::span<const std::uint32_t> groups) const {
  Cells cells;
  for (std::size_t a = 0; a < input_.attributes.size(); ++a) cells.push_back(cell_over(a, groups));
  return cells;
}

CellPopulation::Cells CellPopulation::under(std::span<const Node> nodes) const {
  Cells cells;
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    add_under(a, nodes[a], cells.emplace_back(input_.attributes[a].distinct(), 0));
  }
  return cells;
}

}  // namespace pratique::tables
