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
    throw refused_in_sql("it is no SELECT");
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
  const auto from = node.find("from_table");
  if (from == node.end() || !from->is_object()) throw refused_in_sql("it has no FROM data");
  const std::string type = from->value("type", "");
  if (type == "JOIN") throw refused_in_sql("a join: the budget is bound to one table");
  if (type == "EMPTY") throw refused_in_sql("it has no FROM data");
  if (type != "BASE_TABLE") throw refused_in_sql(fmt::format("{} in FROM", type));
  const auto table = from->find("table_name");
  if (table == from->end() || *table != "data") {
    throw refused_in_sql("another table than data, which is what the budget is bound to");
  }
  for (const char* key :
       {"schema_name", "catalog_name", "column_name_alias", "sample", "at_clause"}) {
    refuse_unless_empty(*from, key, fmt::format("{} in FROM", key));
  }
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
std::optional<Aggregate> aggregate_from(const Json& node, const std::vector<std::string>& columns,
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
  try {
    return read_tree(tree, columns, person);
  } catch (const nlohmann::json::exception&) {
    throw refused_in_sql("its parts are not what the parser makes");
  }
}

Question Question::read_tree(const Json& tree, const std::vector<std::string>& columns,
                             const std::string& person) {
  const Json& node = only_select(tree);
  require_plain_select(node);
  Question question;
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
