// Row-local expressions: what they give for a row follows from that row alone, and they give
// something for every row. Division by nothing, a text that is no number, a number beyond all
// bounds: all are NULL. So no row can make a question fail, and an error tells nothing of the data.
//
// Types follow from the question, never from the data: compared with a number, or counted with, a
// cell is a number, and else a text. An empty cell is NULL, and NULL is neither true nor false.
//
// Read from the tree of DuckDB's parser (engine/sql_tree.h). What is not in the list below is
// refused by its name: columns, constants, = <> < <= > >=, BETWEEN, IN, AND, OR, NOT, IS NULL,
// LIKE, ILIKE, + - * / %, ||, CASE, COALESCE, CAST to a number or text, lower, upper, trim, length,
// substring, left, abs, floor, ceil, round, and year, month and day of dates such as 2020-03-05.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/json.h"
#include "pratique/dp/query/column_scope.h"

namespace pratique::dp {

// NULL, a truth, a number (finite), a text (not empty).
using SqlValue = std::variant<std::monostate, bool, double, std::string>;

// The text of a column in the row at hand.
using RowCells = std::function<std::string_view(std::size_t column)>;

class Expression {
 public:
  // `columns`: those there are. Throws Error::input.
  [[nodiscard]] static Expression read(const Json& node, const ColumnScope& columns);

  [[nodiscard]] SqlValue value(const RowCells& row) const;
  // True, and not NULL.
  [[nodiscard]] bool holds(const RowCells& row) const;

  // The column that this is, and nothing else; else empty.
  [[nodiscard]] const std::string& column() const { return column_; }
  void add_columns(std::set<std::size_t>& used) const;

 private:
  enum class Operation {
    column,
    constant,
    equal,
    not_equal,
    less,
    at_most,
    more,
    at_least,
    both,
    either,
    negation,
    is_null,
    is_not_null,
    in,
    like,
    like_any_case,
    plus,
    minus,
    times,
    over,
    remainder,
    choose,  // condition, result, ..., otherwise
    coalesce,
    to_number,
    to_whole,
    to_text,
    lower,
    upper,
    trim,
    joined,
    part,        // of a text: from, how many
    first_part,  // how many
    magnitude,
    round_down,
    round_up,
    round,
    length,
    year,
    month,
    day,
  };

  static Expression of(Operation operation, std::vector<Expression> children);
  static Expression read_at(const Json& node, const ColumnScope& columns, int depth);
  static Expression read_function(const Json& node, const ColumnScope& columns, int depth);
  static Expression read_operator(const Json& node, const ColumnScope& columns, int depth);

  Operation operation_ = Operation::constant;
  std::vector<Expression> children_;
  SqlValue constant_;
  std::size_t at_ = 0;
  std::string column_;
};

[[nodiscard]] Error refused_in_sql(const std::string& what);
[[nodiscard]] std::optional<double> number_in(const SqlValue& value);
[[nodiscard]] std::string text_of(const SqlValue& value);
// Of a constant in the tree.
[[nodiscard]] SqlValue constant_of(const Json& node);

}  // namespace pratique::dp
