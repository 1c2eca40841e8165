#include "pratique/dp/query/expression.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/data/number.h"
#include "pratique/data/utf8.h"
#include "pratique/dp/query/text_functions.h"
#include "pratique/dp/written_date.h"

namespace pratique::dp {
namespace {

constexpr int kDeepestExpression = 100;

const std::string& text_member(const Json& node, const char* key) {
  const auto member = node.find(key);
  if (member == node.end() || !member->is_string()) throw refused_in_sql("a part without a name");
  return member->get_ref<const std::string&>();
}

const Json& list_member(const Json& node, const char* key) {
  static const Json kNone = Json::array();
  const auto member = node.find(key);
  return member == node.end() || !member->is_array() ? kNone : *member;
}

const Json& node_member(const Json& node, const char* key) {
  const auto member = node.find(key);
  if (member == node.end() || !member->is_object()) throw refused_in_sql("an empty part");
  return *member;
}

SqlValue finite(double value) {
  if (!std::isfinite(value)) return {};
  return value;
}

SqlValue from_text(std::string text) {
  if (text.empty()) return {};
  return text;
}

// Below, at or above zero; none where one of them is NULL or they are of two worlds.
std::optional<int> compared(const SqlValue& a, const SqlValue& b) {
  const auto order = [](const auto& x, const auto& y) { return x < y ? -1 : y < x ? 1 : 0; };
  if (a.index() == 0 || b.index() == 0) return std::nullopt;
  if (std::holds_alternative<double>(a) || std::holds_alternative<double>(b)) {
    const auto x = number_in(a);
    const auto y = number_in(b);
    if (!x || !y) return std::nullopt;
    return order(*x, *y);
  }
  return order(text_of(a), text_of(b));
}

std::optional<bool> truth_of(const SqlValue& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto number = number_in(value)) return *number != 0;
  return std::nullopt;
}

}  // namespace

Error refused_in_sql(const std::string& what) {
  return Error::input("this question cannot be answered privately: " + what)
      .hint("docs/dp.md lists what a question may have. Nothing was charged.");
}

std::optional<double> number_in(const SqlValue& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (!is_number(*text)) return std::nullopt;
    const double number = to_double(*text);
    if (std::isfinite(number)) return number;
  }
  return std::nullopt;
}

std::string text_of(const SqlValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  return {};
}

SqlValue constant_of(const Json& node) {
  const Json& value = node_member(node, "value");
  if (value.value("is_null", false)) return {};
  const Json& type = node_member(value, "type");
  const std::string& id = text_member(type, "id");
  const auto content = value.find("value");
  if (content == value.end()) throw refused_in_sql("a constant without a value");
  if (id == "VARCHAR" && content->is_string()) return from_text(content->get<std::string>());
  if (id == "BOOLEAN" && content->is_boolean()) return content->get<bool>();
  if (id == "DECIMAL" && content->is_number_integer()) {
    const Json& info = node_member(type, "type_info");
    const auto scale = info.find("scale");
    if (scale == info.end() || !scale->is_number_integer()) throw refused_in_sql("a constant");
    return finite(content->get<double>() / std::pow(10, scale->get<int>()));
  }
  static constexpr std::array<std::string_view, 6> kNumbers = {"INTEGER", "BIGINT",   "DOUBLE",
                                                               "FLOAT",   "SMALLINT", "TINYINT"};
  for (const auto number : kNumbers) {
    if (id == number && content->is_number()) return finite(content->get<double>());
  }
  throw refused_in_sql(fmt::format("a constant of type {}", id));
}

Expression Expression::of(Operation operation, std::vector<Expression> children) {
  Expression expression;
  expression.operation_ = operation;
  expression.children_ = std::move(children);
  return expression;
}

Expression Expression::read(const Json& node, const ColumnScope& columns) {
  return read_at(node, columns, 0);
}

Expression Expression::read_at(const Json& node, const ColumnScope& columns, int depth) {
  if (!node.is_object()) throw refused_in_sql("an empty part");
  if (depth > kDeepestExpression) throw refused_in_sql("it is nested too deeply");
  const auto child = [&](const char* key) {
    return read_at(node_member(node, key), columns, depth + 1);
  };
  const auto children = [&] {
    std::vector<Expression> all;
    for (const auto& part : list_member(node, "children")) {
      all.push_back(read_at(part, columns, depth + 1));
    }
    return all;
  };
  const std::string& kind = text_member(node, "class");
  const std::string& type = text_member(node, "type");
  if (kind == "COLUMN_REF") {
    Expression expression = of(Operation::column, {});
    expression.at_ = columns.find(list_member(node, "column_names"));
    expression.column_ = columns.name_of(expression.at_);
    return expression;
  }
  if (kind == "CONSTANT") {
    Expression expression = of(Operation::constant, {});
    expression.constant_ = constant_of(node);
    return expression;
  }
  if (kind == "COMPARISON") {
    static const std::vector<std::pair<std::string_view, Operation>> kComparisons = {
        {"COMPARE_EQUAL", Operation::equal},
        {"COMPARE_NOTEQUAL", Operation::not_equal},
        {"COMPARE_LESSTHAN", Operation::less},
        {"COMPARE_LESSTHANOREQUALTO", Operation::at_most},
        {"COMPARE_GREATERTHAN", Operation::more},
        {"COMPARE_GREATERTHANOREQUALTO", Operation::at_least}};
    for (const auto& [name, operation] : kComparisons) {
      if (type == name) return of(operation, {child("left"), child("right")});
    }
  }
  if (kind == "BETWEEN" && type == "COMPARE_BETWEEN") {
    return of(Operation::both, {of(Operation::at_least, {child("input"), child("lower")}),
                                of(Operation::at_most, {child("input"), child("upper")})});
  }
  if (kind == "CONJUNCTION") {
    return of(type == "CONJUNCTION_AND" ? Operation::both : Operation::either, children());
  }
  if (kind == "OPERATOR") return read_operator(node, columns, depth);
  if (kind == "CASE") {
    std::vector<Expression> parts;
    for (const auto& check : list_member(node, "case_checks")) {
      parts.push_back(read_at(node_member(check, "when_expr"), columns, depth + 1));
      parts.push_back(read_at(node_member(check, "then_expr"), columns, depth + 1));
    }
    parts.push_back(child("else_expr"));
    return of(Operation::choose, std::move(parts));
  }
  if (kind == "CAST") {
    const std::string& to = text_member(node_member(node, "cast_type"), "id");
    if (to == "VARCHAR") return of(Operation::to_text, {child("child")});
    for (const std::string_view number : {"DOUBLE", "FLOAT", "DECIMAL"}) {
      if (to == number) return of(Operation::to_number, {child("child")});
    }
    for (const std::string_view number : {"INTEGER", "BIGINT", "SMALLINT", "HUGEINT"}) {
      if (to == number) return of(Operation::to_whole, {child("child")});
    }
    throw refused_in_sql(fmt::format("a cast to {}", to));
  }
  if (kind == "FUNCTION") return read_function(node, columns, depth);
  if (kind == "SUBQUERY") throw refused_in_sql("a question within the question");
  if (kind == "WINDOW") throw refused_in_sql("a window over other rows");
  if (kind == "STAR") throw refused_in_sql("* would show rows");
  throw refused_in_sql(fmt::format("{} ({})", type, kind));
}

Expression Expression::read_operator(const Json& node, const ColumnScope& columns, int depth) {
  const std::string& type = text_member(node, "type");
  std::vector<Expression> children;
  for (const auto& part : list_member(node, "children")) {
    children.push_back(read_at(part, columns, depth + 1));
  }
  const auto with = [&](Operation operation, std::size_t at_least, std::size_t at_most) {
    if (children.size() < at_least || children.size() > at_most) throw refused_in_sql(type);
    return of(operation, std::move(children));
  };
  constexpr std::size_t kAny = 100'000;
  if (type == "OPERATOR_NOT") return with(Operation::negation, 1, 1);
  if (type == "OPERATOR_IS_NULL") return with(Operation::is_null, 1, 1);
  if (type == "OPERATOR_IS_NOT_NULL") return with(Operation::is_not_null, 1, 1);
  if (type == "COMPARE_IN") return with(Operation::in, 2, kAny);
  if (type == "COMPARE_NOT_IN") return of(Operation::negation, {with(Operation::in, 2, kAny)});
  if (type == "OPERATOR_COALESCE") return with(Operation::coalesce, 1, kAny);
  throw refused_in_sql(type);
}

Expression Expression::read_function(const Json& node, const ColumnScope& columns, int depth) {
  struct Known {
    std::string_view name;
    Operation operation;
    std::size_t arguments;
    bool negated = false;
  };
  static constexpr std::array<Known, 31> kFunctions = {{{"+", Operation::plus, 2},
                                                        {"-", Operation::minus, 2},
                                                        {"*", Operation::times, 2},
                                                        {"/", Operation::over, 2},
                                                        {"%", Operation::remainder, 2},
                                                        {"mod", Operation::remainder, 2},
                                                        {"~~", Operation::like, 2},
                                                        {"!~~", Operation::like, 2, true},
                                                        {"~~*", Operation::like_any_case, 2},
                                                        {"!~~*", Operation::like_any_case, 2, true},
                                                        {"lower", Operation::lower, 1},
                                                        {"lcase", Operation::lower, 1},
                                                        {"upper", Operation::upper, 1},
                                                        {"ucase", Operation::upper, 1},
                                                        {"trim", Operation::trim, 1},
                                                        {"length", Operation::length, 1},
                                                        {"substring", Operation::part, 3},
                                                        {"substr", Operation::part, 3},
                                                        {"substring", Operation::part, 2},
                                                        {"substr", Operation::part, 2},
                                                        {"left", Operation::first_part, 2},
                                                        {"||", Operation::joined, 2},
                                                        {"abs", Operation::magnitude, 1},
                                                        {"floor", Operation::round_down, 1},
                                                        {"ceil", Operation::round_up, 1},
                                                        {"ceiling", Operation::round_up, 1},
                                                        {"round", Operation::round, 1},
                                                        {"year", Operation::year, 1},
                                                        {"month", Operation::month, 1},
                                                        {"day", Operation::day, 1},
                                                        {"dayofmonth", Operation::day, 1}}};
  const std::string& name = text_member(node, "function_name");
  std::vector<Expression> arguments;
  const Json& parts = list_member(node, "children");
  for (const auto& function : kFunctions) {
    if (function.name != name || parts.size() != function.arguments) continue;
    for (const auto& part : parts) arguments.push_back(read_at(part, columns, depth + 1));
    Expression result = of(function.operation, std::move(arguments));
    return function.negated ? of(Operation::negation, {std::move(result)}) : result;
  }
  if (name == "-" && parts.size() == 1) {
    Expression zero = of(Operation::constant, {});
    zero.constant_ = 0.0;
    return of(Operation::minus, {std::move(zero), read_at(parts.front(), columns, depth + 1)});
  }
  // EXTRACT(year FROM x)
  if (name == "date_part" && parts.size() == 2) {
    const std::string unit = text_of(constant_of(parts.front()));
    for (const auto& function : kFunctions) {
      const bool of_date = function.operation == Operation::year ||
                           function.operation == Operation::month ||
                           function.operation == Operation::day;
      if (!of_date || function.name != unit) continue;
      return of(function.operation, {read_at(parts.back(), columns, depth + 1)});
    }
  }
  throw refused_in_sql(fmt::format("the function {}", name));
}

void Expression::add_columns(std::set<std::size_t>& used) const {
  if (operation_ == Operation::column) used.insert(at_);
  for (const auto& child : children_) child.add_columns(used);
}

bool Expression::holds(const RowCells& row) const { return truth_of(value(row)).value_or(false); }

SqlValue Expression::value(const RowCells& row) const {
  const auto operand = [&](std::size_t i) { return children_[i].value(row); };
  const auto comparison = [&](auto&& holds_for) -> SqlValue {
    const auto order = compared(operand(0), operand(1));
    if (!order) return {};
    return holds_for(*order);
  };
  const auto arithmetic = [&](auto&& compute) -> SqlValue {
    const auto a = number_in(operand(0));
    const auto b = number_in(operand(1));
    if (!a || !b) return {};
    return finite(compute(*a, *b));
  };
  const auto of_number = [&](auto&& compute) -> SqlValue {
    const auto number = number_in(operand(0));
    if (!number) return {};
    return finite(compute(*number));
  };
  switch (operation_) {
    case Operation::column:
      return from_text(std::string(row(at_)));
    case Operation::constant:
      return constant_;
    case Operation::equal:
      return comparison([](int order) { return order == 0; });
    case Operation::not_equal:
      return comparison([](int order) { return order != 0; });
    case Operation::less:
      return comparison([](int order) { return order < 0; });
    case Operation::at_most:
      return comparison([](int order) { return order <= 0; });
    case Operation::more:
      return comparison([](int order) { return order > 0; });
    case Operation::at_least:
      return comparison([](int order) { return order >= 0; });
    case Operation::both:
    case Operation::either: {
      // One that decides does so even where others are NULL.
      const bool deciding = operation_ == Operation::either;
      bool unknown = false;
      for (std::size_t i = 0; i < children_.size(); ++i) {
        const auto truth = truth_of(operand(i));
        if (truth == deciding) return deciding;
        unknown = unknown || !truth;
      }
      if (unknown) return {};
      return !deciding;
    }
    case Operation::negation: {
      const auto truth = truth_of(operand(0));
      if (!truth) return {};
      return !*truth;
    }
    case Operation::is_null:
      return operand(0).index() == 0;
    case Operation::is_not_null:
      return operand(0).index() != 0;
    case Operation::in: {
      const SqlValue sought = operand(0);
      bool unknown = sought.index() == 0;
      for (std::size_t i = 1; i < children_.size(); ++i) {
        const auto order = compared(sought, operand(i));
        if (order == 0) return true;
        unknown = unknown || !order;
      }
      if (unknown) return {};
      return false;
    }
    case Operation::like: {
      const SqlValue text = operand(0);
      const SqlValue pattern = operand(1);
      if (text.index() == 0 || pattern.index() == 0) return {};
      return is_like(text_of(text), text_of(pattern));
    }
    case Operation::like_any_case: {
      const SqlValue text = operand(0);
      const SqlValue pattern = operand(1);
      if (text.index() == 0 || pattern.index() == 0) return {};
      return is_like(lower_case(text_of(text)), lower_case(text_of(pattern)));
    }
    case Operation::plus:
      return arithmetic([](double a, double b) { return a + b; });
    case Operation::minus:
      return arithmetic([](double a, double b) { return a - b; });
    case Operation::times:
      return arithmetic([](double a, double b) { return a * b; });
    case Operation::over:
      return arithmetic([](double a, double b) { return a / b; });  // by 0: not finite, so NULL
    case Operation::remainder:
      return arithmetic([](double a, double b) { return std::fmod(a, b); });  // by 0: NULL
    case Operation::choose:
      for (std::size_t i = 0; i + 1 < children_.size(); i += 2) {
        if (children_[i].holds(row)) return operand(i + 1);
      }
      return operand(children_.size() - 1);
    case Operation::coalesce:
      for (std::size_t i = 0; i < children_.size(); ++i) {
        SqlValue value = operand(i);
        if (value.index() != 0) return value;
      }
      return {};
    case Operation::to_number:
      return of_number([](double number) { return number; });
    case Operation::to_whole:
      return of_number([](double number) { return std::round(number); });
    case Operation::to_text:
      return from_text(text_of(operand(0)));
    case Operation::lower:
      return from_text(lower_case(text_of(operand(0))));
    case Operation::upper:
      return from_text(upper_case(text_of(operand(0))));
    case Operation::trim:
      return from_text(std::string(without_blanks_around(text_of(operand(0)))));
    case Operation::joined: {
      const SqlValue a = operand(0);
      const SqlValue b = operand(1);
      if (a.index() == 0 || b.index() == 0) return {};
      return text_of(a) + text_of(b);
    }
    case Operation::part:
    case Operation::first_part: {
      const bool from_start = operation_ == Operation::first_part;
      const std::string text = text_of(operand(0));
      const auto first = from_start ? std::optional(1.0) : number_in(operand(1));
      const auto count = from_start             ? number_in(operand(1))
                         : children_.size() > 2 ? number_in(operand(2))
                                                : std::optional<double>(text.size());
      // Counted from the end in SQL; here nothing is.
      if (!first || !count || *first < 1 || *count < 0) return {};
      return from_text(std::string(substring(text, std::floor(*first), std::floor(*count))));
    }
    case Operation::year:
    case Operation::month:
    case Operation::day: {
      const auto date = written_date(text_of(operand(0)));
      if (!date) return {};
      const int number = operation_ == Operation::year    ? date->year
                         : operation_ == Operation::month ? date->month
                                                          : date->day;
      // Of 1970 no month, and of 1970-03 no day.
      if (number == 0 && operation_ != Operation::year) return {};
      return static_cast<double>(number);
    }
    case Operation::magnitude:
      return of_number([](double number) { return std::abs(number); });
    case Operation::round_down:
      return of_number([](double number) { return std::floor(number); });
    case Operation::round_up:
      return of_number([](double number) { return std::ceil(number); });
    case Operation::round:
      return of_number([](double number) { return std::round(number); });
    case Operation::length: {
      const SqlValue value = operand(0);
      if (value.index() == 0) return {};
      return static_cast<double>(count_characters(text_of(value)));
    }
  }
  return {};
}

}  // namespace pratique::dp
