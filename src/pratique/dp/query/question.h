// A question in SQL that can be answered privately:
//
//   SELECT keys and aggregates FROM data [JOIN table USING (person)] [WHERE row-local]
//   [GROUP BY row-local, ...]
//
// Aggregates: COUNT(*), COUNT(x), COUNT(DISTINCT person), SUM, AVG, VARIANCE, MEDIAN, QUANTILE(x,
// q) (quantile_cont and quantile_disc are the same), MIN, MAX. Everything else is refused by its
// name: what would show a row, joins by anything but the person, HAVING, ORDER BY, LIMIT, windows,
// subqueries, FILTER.
//
// Why a join by the person is private where no other is: a joined row is made of rows of one
// person, so that adding or removing a person changes that person's joined rows and no others.
// Joined by anything else, one person's row may meet everybody's.
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

// A table that questions may name: data, and others of the same people.
struct QueryTable {
  std::string name;
  std::vector<std::string> columns;
};

// A table in FROM, all joined by the person.
struct AskedTable {
  std::size_t table = 0;        // among those that may be named
  bool unmatched_stay = false;  // LEFT JOIN: rows without a partner here stay, with empty cells
};

struct Question {
  std::vector<AskedTable> tables;
  std::vector<Expression> keys;
  std::vector<std::string> key_names;
  std::vector<Aggregate> aggregates;
  std::vector<std::string> aggregate_names;
  std::vector<SelectedColumn> selected;  // in the order of the SELECT
  std::optional<Expression> where;

  // Those that are looked at, by their places: all columns of the first table in FROM, then those
  // of the next.
  [[nodiscard]] std::vector<std::size_t> columns() const;

  // `tree`: as sql_tree gives it. `person` may be empty. Throws Error::input.
  [[nodiscard]] static Question read(const Json& tree, const std::vector<QueryTable>& tables,
                                     const std::string& person);
  // Of the table data alone.
  [[nodiscard]] static Question read(const Json& tree, const std::vector<std::string>& columns,
                                     const std::string& person);

 private:
  [[nodiscard]] static Question read_tree(const Json& tree, const std::vector<QueryTable>& tables,
                                          const std::string& person);
};

}  // namespace pratique::dp
