#include "pratique/dp/query/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace pratique::dp {
namespace {

constexpr std::uint64_t kQuantileSteps = 10'000;

// The same expression, wherever in the text it stands and whatever it is called.
Json without_places(Json node) {
  if (node.is_object()) {
    node.erase("query_location");
    node.erase("alias");
    for (auto& member : node) member = without_places(member);
  } else if (node.is_array()) {
    for (auto& member : node) member = without_places(member);
  }
  return node;
}

bool is_empty_part(const Json& node, const char* key) {
  const auto member = node.find(key);
  return member == node.end() || member->is_null() || *member == "" ||
         (member->is_structured() && member->empty());
}

void refuse_unless_empty(const Json& node, const char* key, const std::string& name) {
  if (!is_empty_part(node, key)) throw refused_in_sql(name);
}

const Json& only_select(const Json& tree) {
  const auto statements = tree.is_object() ? tree.find("statements") : tree.end();
  if (!tree.is_object() || statements == tree.end() || !statements->is_array() ||
      statements->size() != 1) {
    throw refused_in_sql("there must be one question at a time");
  }
  const Json& statement = statements->front();
  const auto node = statement.is_object() ? statement.find("node") : statement.end();
  if (!statement.is_object() || node == statement.end() || !node->is_object()) {
    throw refused_in_sql("it is not a SELECT");
  }
  if (node->value("type", "") != "SELECT_NODE") {
    throw refused_in_sql("UNION, EXCEPT, INTERSECT and the like");
  }
  refuse_unless_empty(statement, "named_param_map", "parameters");
  return *node;
}

void require_plain_select(const Json& node) {
  for (const auto& modifier : node.value("modifiers", Json::array())) {
    const std::string type = modifier.is_object() ? modifier.value("type", "") : "";
    throw refused_in_sql(type == "ORDER_MODIFIER"   ? "ORDER BY (the answer may be sorted freely)"
                         : type == "LIMIT_MODIFIER" ? "LIMIT"
                         : type == "DISTINCT_MODIFIER" ? "SELECT DISTINCT would show rows"
                                                       : type);
  }
  if (node.contains("cte_map") && node["cte_map"].is_object()) {
    refuse_unless_empty(node["cte_map"], "map", "WITH");
  }
  refuse_unless_empty(node, "having", "HAVING");
  refuse_unless_empty(node, "sample", "SAMPLE");
  refuse_unless_empty(node, "qualify", "QUALIFY");
  if (node.value("aggregate_handling", "STANDARD_HANDLING") != "STANDARD_HANDLING") {
    throw refused_in_sql("GROUP BY ALL; name the columns");
  }
  if (node.contains("group_sets") && node["group_sets"].is_array() &&
      node["group_sets"].size() > 1) {
    throw refused_in_sql("grouping sets, ROLLUP and CUBE");
  }
}

// The tables in FROM, and the columns that they give a question.
struct From {
  std::vector<AskedTable> tables = {};
  ColumnScope columns = {};
  std::size_t first_of_last = 0;  // among the columns, of the table that was added last
};
constexpr std::size_t kMostTables = 8;

void add_table(const Json& node, const std::vector<QueryTable>& tables, const std::string& person,
               bool unmatched_stay, From& from) {
  const auto name = node.value("table_name", std::string());
  const auto known = std::find_if(tables.begin(), tables.end(),
                                  [&](const QueryTable& table) { return table.name == name; });
  if (known == tables.end()) {
    std::vector<std::string> names;
    for (const auto& table : tables) names.push_back(table.name);
    throw refused_in_sql(fmt::format("another table than {}, which is what the budget is bound to",
                                     fmt::join(names, ", ")));
  }
  for (const char* key :
       {"schema_name", "catalog_name", "column_name_alias", "sample", "at_clause"}) {
    refuse_unless_empty(node, key, fmt::format("{} in FROM", key));
  }
  if (from.tables.size() == kMostTables) throw refused_in_sql("more than eight tables");
  const auto alias = node.value("alias", std::string());
  from.first_of_last = from.columns.size();
  from.columns.add(alias.empty() ? name : alias, known->columns, person);
  from.tables.push_back({static_cast<std::size_t>(known - tables.begin()), unmatched_stay});
}

bool is_person(const Json& node, const ColumnScope& columns, const std::string& person) {
  return node.is_object() && node.value("class", "") == "COLUMN_REF" &&
         columns.name_of(columns.find(node.value("column_names", Json::array()))) == person;
}

// Left joined with the table that was added last, and by nothing but the person.
void require_join_by_person(const Json& node, const From& from, const std::string& person) {
  const Error other = refused_in_sql(
      person.empty()
          ? std::string("a join, where --person of dp open does not say whose rows are whose")
          : fmt::format("a join by anything but the person: write USING ({})", person));
  if (person.empty() || node.value("ref_type", "") != "REGULAR") throw other;
  const Json by = node.value("using_columns", Json::array());
  const auto condition = node.find("condition");
  const bool has_condition = condition != node.end() && condition->is_object();
  if (!by.empty()) {
    if (has_condition || by.size() != 1 || by.front() != person) throw other;
    return;
  }
  if (!has_condition || condition->value("type", "") != "COMPARE_EQUAL") throw other;
  const Json left = condition->value("left", Json());
  const Json right = condition->value("right", Json());
  if (!is_person(left, from.columns, person) || !is_person(right, from.columns, person))
    throw other;
  // Of this table and of one before it.
  const auto is_last = [&](const Json& side) {
    return from.columns.find(side.at("column_names")) >= from.first_of_last;
  };
  if (is_last(left) == is_last(right)) throw other;
}

void read_from(const Json& node, const std::vector<QueryTable>& tables, const std::string& person,
               From& from) {
  const std::string type = node.is_object() ? node.value("type", "") : "";
  if (type == "BASE_TABLE") return add_table(node, tables, person, false, from);
  if (type == "EMPTY" || type.empty()) throw refused_in_sql("it has no FROM data");
  if (type != "JOIN") throw refused_in_sql(fmt::format("{} in FROM", type));
  const std::string kind = node.value("join_type", "");
  const Json right = node.value("right", Json());
  if (kind != "INNER" && kind != "LEFT")
    throw refused_in_sql(fmt::format("a join of type {}", kind));
  if (!right.is_object() || right.value("type", "") != "BASE_TABLE") {
    throw refused_in_sql("a join with something that is not a table");
  }
  read_from(node.value("left", Json()), tables, person, from);
  add_table(right, tables, person, kind == "LEFT", from);
  require_join_by_person(node, from, person);
}

struct AggregateName {
  std::string_view name;
  AggregateKind kind;
  std::size_t arguments = 1;
  Quantile quantile = {};
};
constexpr std::array<AggregateName, 13> kAggregates = {{
    {"count_star", AggregateKind::count_rows, 0},
    {"count", AggregateKind::count_values},
    {"sum", AggregateKind::sum},
    {"avg", AggregateKind::average},
    {"mean", AggregateKind::average},
    {"variance", AggregateKind::variance},
    {"var_samp", AggregateKind::variance},
    {"median", AggregateKind::quantile},
    {"quantile", AggregateKind::quantile, 2},
    {"quantile_cont", AggregateKind::quantile, 2},
    {"quantile_disc", AggregateKind::quantile, 2},
    {"min", AggregateKind::quantile, 1, {0, 1}},
    {"max", AggregateKind::quantile, 1, {1, 1}},
}};

Quantile quantile_from(const Json& node) {
  if (!node.is_object() || node.value("class", "") != "CONSTANT") {
    throw refused_in_sql("a quantile that is not a number between 0 and 1");
  }
  const auto share = number_in(constant_of(node));
  if (!share || !(*share >= 0 && *share <= 1)) {
    throw refused_in_sql("a quantile that is not a number between 0 and 1");
  }
  const auto steps = static_cast<std::uint64_t>(std::llround(*share * kQuantileSteps));
  const std::uint64_t common = std::gcd(steps, kQuantileSteps);
  return {steps / common, kQuantileSteps / common};
}

// None where it is no aggregate.
std::optional<Aggregate> aggregate_from(const Json& node, const ColumnScope& columns,
                                        const std::string& person) {
  if (node.value("class", "") == "WINDOW") throw refused_in_sql("a window over other rows");
  if (node.value("class", "") != "FUNCTION") return std::nullopt;
  const std::string name = node.value("function_name", "");
  const Json parts = node.value("children", Json::array());
  for (const auto& known : kAggregates) {
    if (known.name != name) continue;
    if (parts.size() != known.arguments) break;
    refuse_unless_empty(node, "filter", "FILTER; use CASE or WHERE");
    if (node.contains("order_bys") && node["order_bys"].is_object()) {
      refuse_unless_empty(node["order_bys"], "orders", "ORDER BY in an aggregate");
    }
    Aggregate aggregate{.kind = known.kind, .quantile = known.quantile};
    if (!parts.empty()) aggregate.of = Expression::read(parts[0], columns);
    if (parts.size() == 2) aggregate.quantile = quantile_from(parts[1]);
    if (node.value("distinct", false)) {
      if (name != "count" || person.empty() || aggregate.of->column() != person) {
        throw refused_in_sql(
            "DISTINCT, except in COUNT(DISTINCT person), where --person of dp open "
            "names the person");
      }
      aggregate.kind = AggregateKind::count_people;
    }
    return aggregate;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::size_t> Question::columns() const {
  std::set<std::size_t> used;
  for (const auto& key : keys) key.add_columns(used);
  for (const auto& aggregate : aggregates) {
    if (aggregate.of) aggregate.of->add_columns(used);
  }
  if (where) where->add_columns(used);
  return {used.begin(), used.end()};
}

Question Question::read(const Json& tree, const std::vector<std::string>& columns,
                        const std::string& person) {
  return read(tree, std::vector<QueryTable>{{"data", columns}}, person);
}

Question Question::read(const Json& tree, const std::vector<QueryTable>& tables,
                        const std::string& person) {
  try {
    return read_tree(tree, tables, person);
  } catch (const nlohmann::json::exception&) {
    throw refused_in_sql("its parts are not what the parser makes");
  }
}

Question Question::read_tree(const Json& tree, const std::vector<QueryTable>& tables,
                             const std::string& person) {
  const Json& node = only_select(tree);
  require_plain_select(node);
  From from;
  read_from(node.value("from_table", Json()), tables, person, from);
  const ColumnScope& columns = from.columns;
  Question question;
  question.tables = std::move(from.tables);
  std::vector<Json> keys;
  for (const auto& key : node.value("group_expressions", Json::array())) {
    if (key.is_object() && key.value("class", "") == "CONSTANT") {
      throw refused_in_sql("GROUP BY a number; name the column");
    }
    question.keys.push_back(Expression::read(key, columns));
    question.key_names.emplace_back(question.keys.back().column());
    keys.push_back(without_places(key));
  }
  const Json selected = node.value("select_list", Json::array());
  for (const auto& item : selected) {
    if (!item.is_object()) throw refused_in_sql("an empty column");
    const std::string alias = item.value("alias", "");
    const auto key = std::find(keys.begin(), keys.end(), without_places(item));
    if (key != keys.end()) {
      const auto index = static_cast<std::size_t>(key - keys.begin());
      std::string& name = question.key_names[index];
      if (!alias.empty()) name = alias;
      if (name.empty()) name = fmt::format("key{}", index + 1);
      question.selected.push_back({name, true, index});
      continue;
    }
    const auto aggregate = aggregate_from(item, columns, person);
    if (!aggregate) {
      // Names what is not understood, where that is what is wrong.
      (void)Expression::read(item, columns);
      throw refused_in_sql("a column that is neither counted nor grouped by would show rows");
    }
    const std::string function = item.value("function_name", "");
    const std::string shown = function == "count_star" ? "count" : function;
    const std::string of =
        aggregate->of && !aggregate->of->column().empty() ? "_" + aggregate->of->column() : "";
    question.aggregate_names.push_back(alias.empty() ? shown + of : alias);
    question.selected.push_back(
        {question.aggregate_names.back(), false, question.aggregates.size()});
    question.aggregates.push_back(*aggregate);
  }
  if (question.aggregates.empty())
    throw refused_in_sql("it asks for no aggregate, and so for rows");
  if (const auto where = node.find("where_clause"); where != node.end() && where->is_object()) {
    question.where = Expression::read(*where, columns);
  }
  return question;
}

}  // namespace pratique::dp
