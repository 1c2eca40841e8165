// A question in SQL that can be answered privately:
//
//   SELECT keys and aggregates FROM data [WHERE row-local] [GROUP BY row-local, ...]
//
// Aggregates: COUNT(*), COUNT(x), COUNT(DISTINCT person), SUM, AVG, VARIANCE, MEDIAN, QUANTILE(x,
// q) (quantile_cont and quantile_disc are the same), MIN, MAX. Everything else is refused by its
// name: what would show a row, joins (only one table is bound to a budget), HAVING, ORDER BY,
// LIMIT, windows, subqueries, FILTER.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/dp/query/expression.h"

namespace pratique::dp {

enum class AggregateKind {
  count_rows,
  count_values,
  count_people,
  sum,
  average,
  variance,
  quantile
};

// a / b of all values lie below; the smallest value is 0/1, the largest 1/1.
struct Quantile {
  std::uint64_t a = 1;
  std::uint64_t b = 2;
};

struct Aggregate {
  AggregateKind kind = AggregateKind::count_rows;
  std::optional<Expression> of = {};
  Quantile quantile = {};
};

struct SelectedColumn {
  std::string name;
  bool is_key = false;
  std::size_t index = 0;  // among the keys, or the aggregates
};

struct Question {
  std::vector<Expression> keys;
  std::vector<std::string> key_names;
  std::vector<Aggregate> aggregates;
  std::vector<std::string> aggregate_names;
  std::vector<SelectedColumn> selected;  // in the order of the SELECT
  std::optional<Expression> where;

  // Of the table, those that are looked at, by their places.
  [[nodiscard]] std::vector<std::size_t> columns() const;

  // `tree`: as sql_tree gives it. `person` may be empty. Throws Error::input.
  [[nodiscard]] static Question read(const Json& tree, const std::vector<std::string>& columns,
                                     const std::string& person);

 private:
  [[nodiscard]] static Question read_tree(const Json& tree, const std::vector<std::string>& columns,
                                          const std::string& person);
};

}  // namespace pratique::dp
