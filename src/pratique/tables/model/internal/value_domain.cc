#include "pratique/tables/model/internal/value_domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "pratique/core/error.h"
#include "pratique/data/date.h"
#include "pratique/data/number.h"

namespace pratique::tables {
namespace {

using Node = Hierarchy::Node;

// Where each leaf stands when the tree is read from left to right.
std::vector<std::uint32_t> positions_in_tree(const Hierarchy& hierarchy) {
  std::vector<std::uint32_t> position(hierarchy.leaf_count());
  std::uint32_t next = 0;
  std::vector<Node> pending{hierarchy.root()};
  while (!pending.empty()) {
    const Node node = pending.back();
    pending.pop_back();
    if (hierarchy.is_leaf(node)) {
      position[node] = next++;
      continue;
    }
    const auto children = hierarchy.children(node);
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
  return position;
}

}  // namespace

std::vector<std::uint64_t> records_of_values(const Column& column,
                                             const std::vector<std::uint64_t>& counts) {
  std::vector<std::uint64_t> records(column.dictionary.size(), 0);
  for (std::size_t row = 0; row < counts.size(); ++row) records[column.codes[row]] += counts[row];
  return records;
}

std::vector<Node> leaves_of_values(const Column& column, const std::vector<std::uint64_t>& records,
                                   const Hierarchy& hierarchy) {
  std::vector<Node> leaves(records.size(), hierarchy.root());
  for (Code code = 0; code < records.size(); ++code) {
    if (records[code] == 0) continue;
    const auto leaf = hierarchy.leaf(column.dictionary.value(code));
    // Binding says which values are missing and what would mend it.
    if (!leaf) return hierarchy.bind(column.dictionary, records, column.name);
    leaves[code] = *leaf;
  }
  return leaves;
}

ValueOrder order_values(const Column& column, const std::vector<std::uint64_t>& records,
                        const Hierarchy* hierarchy) {
  std::vector<Code> codes;
  bool numbers = true;
  bool days = true;
  for (Code code = 0; code < records.size(); ++code) {
    if (records[code] == 0) continue;
    codes.push_back(code);
    const std::string_view text = column.dictionary.value(code);
    if (text.empty()) continue;
    numbers = numbers && is_number(text);
    days = days && is_iso_day(text);
  }

  // Below, at or above zero, as values do in the order; both present.
  std::function<int(Code, Code)> compare;
  const auto text = [&](Code code) { return column.dictionary.value(code); };
  if (numbers) {
    compare = [&](Code a, Code b) { return compare_numbers(text(a), text(b)); };
  } else if (days) {
    compare = [&](Code a, Code b) {
      return parse_iso_date(text(a))->first_day() - parse_iso_date(text(b))->first_day();
    };
  } else if (hierarchy != nullptr) {
    const auto leaves = leaves_of_values(column, records, *hierarchy);
    const auto in_tree = positions_in_tree(*hierarchy);
    compare = [leaves, in_tree](Code a, Code b) {
      return static_cast<int>(in_tree[leaves[a]]) - static_cast<int>(in_tree[leaves[b]]);
    };
  } else {
    throw Error::input(
        fmt::format("the values of '{}' are neither numbers nor dates, so they have no order",
                    column.name))
        .hint(fmt::format("Give them one with --hierarchy {}=FILE (its lines, from first to last), "
                          "or ask for --distance equal.",
                          column.name));
  }
  const bool natural = numbers || days;
  const auto before = [&](Code a, Code b) {
    if (natural && (text(a).empty() || text(b).empty())) return !text(a).empty();
    return compare(a, b) < 0;
  };
  std::sort(codes.begin(), codes.end(), [&](Code a, Code b) { return a != b && before(a, b); });
  ValueOrder order{.position = std::vector<std::uint32_t>(records.size(), 0), .natural = natural};
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (i == 0 || before(codes[i - 1], codes[i])) ++order.positions;
    order.position[codes[i]] = order.positions - 1;
  }
  return order;
}

}  // namespace pratique::tables
