#include "pratique/dp/flow/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/dp/budget/budget.h"
#include "pratique/dp/flow/left.h"
#include "pratique/dp/query/answer.h"
#include "pratique/dp/query/found_domains.h"
#include "pratique/dp/query/joined_rows.h"
#include "pratique/engine/sql_tree.h"

namespace pratique::dp::flow {
namespace {

constexpr double kDeltaShare = 0.1;
constexpr std::uint64_t kJoinedRows = 64;  // of a person, before WHERE; more where max_rows is

// What a question is about, before anything is charged or read but the names of columns.
struct Asked {
  BudgetState state;
  std::vector<Source> sources;  // the data, and the tables beside it
  Question question;
  std::vector<Domain> domains;
  QueryLimits limits;
  Delta delta;

  // `more`: domains beside the declared ones.
  [[nodiscard]] QueryPlan plan(Epsilon epsilon, const std::vector<Domain>& more = {}) const {
    std::vector<Domain> all = domains;
    all.insert(all.end(), more.begin(), more.end());
    return QueryPlan(question, all, limits, {epsilon, delta});
  }
};

// How epsilon is shared between finding bounds and answering.
struct Finding {
  std::vector<UnboundedAggregate> missing;
  std::vector<Domain> placeholders;
  Epsilon of_bounds;
  Epsilon of_answer;
};

Finding bounds_to_find(const QueryRequest& request, const Asked& asked) {
  Finding finding;
  finding.of_answer = Epsilon::from(request.epsilon);
  if (!request.find_bounds) return finding;
  finding.missing = unbounded_aggregates(asked.question, asked.domains);
  if (finding.missing.empty()) return finding;
  const auto [of_bounds, of_answer] = finding.of_answer.split(*request.find_bounds);
  finding.of_bounds = of_bounds;
  finding.of_answer = of_answer;
  if (of_bounds.part_of(2 * finding.missing.size()).billionths == 0) {
    throw Error::input("epsilon is too small to find bounds with");
  }
  for (const auto& aggregate : finding.missing) {
    finding.placeholders.push_back(Domain::range(aggregate.name, 0, 1));
  }
  return finding;
}

Asked ask(const QueryRequest& request, const Run& run) {
  Asked asked;
  asked.state = read_budget(request.ledger);
  const BudgetTerms& terms = asked.state.terms;
  std::vector<QueryTable> tables;
  asked.sources.push_back(run.open(terms.data));
  tables.push_back({"data", asked.sources.back().columns});
  for (const auto& [name, data] : terms.tables) {
    asked.sources.push_back(run.open(data));
    tables.push_back({name, asked.sources.back().columns});
  }
  require_same_data(request.ledger, asked.state,
                    [&](const std::string& data) { return run.engine.identify(data).sha256; });
  asked.question = Question::read(sql_tree(request.sql), tables, terms.person);
  asked.domains = parse_domains(request.domains);
  std::vector<std::string> known = asked.question.aggregate_names;
  for (const auto& asked_table : asked.question.tables) {
    const QueryTable& table = tables[asked_table.table];
    known.insert(known.end(), table.columns.begin(), table.columns.end());
    for (const auto& column : table.columns) known.push_back(table.name + "." + column);
  }
  for (const auto& domain : asked.domains) {
    (void)column_index(known, domain.column(), asked.sources.front().name);
  }
  asked.limits = {terms.max_rows, request.max_groups};
  asked.delta = request.delta ? Delta::from(*request.delta)
                              : Delta{static_cast<std::uint64_t>(
                                    kDeltaShare * static_cast<double>(terms.limit.delta.parts))};
  return asked;
}

// The rows that a question is about, by the columns that it looks at.
struct AskedRows {
  GroupedTable table;
  std::optional<std::size_t> person = {};  // the column that says whose they are
  std::optional<Column> person_of_joined = {};

  [[nodiscard]] QueryRows rows() const {
    const Column* whose = person             ? &table.groups.columns[*person]
                          : person_of_joined ? &*person_of_joined
                                             : nullptr;
    return {table.groups, table.counts, whose};
  }
};

// Of one of the question's tables: the names of the columns that are looked at, in order.
std::vector<std::string> asked_columns(const Asked& asked, std::size_t which) {
  std::size_t first = 0;
  for (std::size_t t = 0; t < which; ++t) {
    first += asked.sources[asked.question.tables[t].table].columns.size();
  }
  const auto& all = asked.sources[asked.question.tables[which].table].columns;
  std::vector<std::string> columns;
  for (const auto at : asked.question.columns()) {
    if (at >= first && at < first + all.size()) columns.push_back(all[at - first]);
  }
  return columns;
}

// Where the person stands among these columns; added as the last one where it is not there.
std::size_t with_person(std::vector<std::string>& columns, const std::string& person) {
  const auto at = std::find(columns.begin(), columns.end(), person);
  const auto place = static_cast<std::size_t>(at - columns.begin());
  if (at == columns.end()) columns.push_back(person);
  return place;
}

AskedRows read_joined(const Asked& asked, Noise& noise, const Run& run) {
  const BudgetTerms& terms = asked.state.terms;
  std::vector<TableToJoin> tables;
  for (std::size_t t = 0; t < asked.question.tables.size(); ++t) {
    std::vector<std::string> columns = asked_columns(asked, t);
    const std::size_t looked_at = columns.size();
    const std::size_t person = with_person(columns, terms.person);
    tables.push_back({.rows = run.engine.group(asked.sources[asked.question.tables[t].table],
                                               columns, run.progress),
                      .person = person,
                      .person_asked = person < looked_at,
                      .unmatched_stay = asked.question.tables[t].unmatched_stay});
  }
  RandomBits choice = noise.phase("joined rows");
  auto joined = joined_by_person(tables, std::max(terms.max_rows, kJoinedRows), choice);
  return {.table = std::move(joined.rows), .person_of_joined = std::move(joined.person)};
}

AskedRows read_rows(const Asked& asked, Noise& noise, const Run& run) {
  if (asked.question.tables.size() > 1) return read_joined(asked, noise, run);
  const Source& source = asked.sources[asked.question.tables.front().table];
  std::vector<std::string> columns = asked_columns(asked, 0);
  AskedRows rows;
  const std::string& person = asked.state.terms.person;
  if (!person.empty()) rows.person = with_person(columns, person);
  // With no column to look at (COUNT(*) alone) any will do.
  if (columns.empty()) columns.push_back(source.columns.front());
  rows.table = run.engine.group(source, columns, run.progress);
  return rows;
}

Json number_of(AggregateKind kind, double value) {
  const bool is_count = kind == AggregateKind::count_rows || kind == AggregateKind::count_values ||
                        kind == AggregateKind::count_people;
  return is_count ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

}  // namespace

Outcome query(const QueryRequest& request, const Run& run) {
  const Asked asked = ask(request, run);
  const Finding finding = bounds_to_find(request, asked);
  // With any bounds, so that what is refused is refused before it is charged.
  const PrivacyLoss loss{Epsilon::from(request.epsilon),
                         asked.plan(finding.of_answer, finding.placeholders).loss().delta};
  const BudgetState after = charge_budget(
      request.ledger,
      {loss, "dp query", request.sql, request.analyst, request.insecure_seed.has_value()},
      run.progress);

  // Charged: from here on the data may be looked at.
  const BudgetTerms& terms = asked.state.terms;
  Noise noise(request.insecure_seed);
  const AskedRows rows_asked = read_rows(asked, noise, run);
  const QueryRows data = rows_asked.rows();
  std::vector<FoundDomain> found_domains;
  if (!finding.missing.empty()) {
    found_domains = find_domains(asked.question, finding.missing, data, terms.max_rows,
                                 finding.of_bounds, noise);
  }
  std::vector<Domain> ranges;
  for (const auto& bounds : found_domains) ranges.push_back(bounds.domain);
  const QueryPlan plan = asked.plan(finding.of_answer, ranges);
  const auto rows = plan.answer(data, noise);

  const Question& question = plan.question();
  Json result = {{"columns", Json::array()},
                 {"rows", Json::array()},
                 {"intervals", Json::array()},
                 {"epsilon_spent", loss.epsilon.value()},
                 {"epsilon_left", after.left_to(request.analyst).value()},
                 {"delta_spent", loss.delta.value()},
                 {"delta_left", after.left().delta.value()},
                 {"costs", Json::array()},
                 {"confidence", 0.95}};
  Json shown = Json::array();
  const auto costs = plan.expected(1000);
  for (const auto& column : question.selected) {
    result["columns"].push_back(column.name);
    if (!column.is_key) {
      result["costs"].push_back(
          {{"column", column.name}, {"epsilon", costs[column.index].epsilon}});
    }
  }
  for (const auto& row : rows) {
    Json values = Json::array();
    Json intervals = Json::array();
    Json line = Json::object();
    for (const auto& column : question.selected) {
      if (column.is_key) {
        values.push_back(row.keys[column.index]);
        intervals.push_back(nullptr);
        line[column.name] = row.keys[column.index];
        continue;
      }
      const AnswerCell& cell = row.cells[column.index];
      const AggregateKind kind = question.aggregates[column.index].kind;
      values.push_back(number_of(kind, cell.value));
      intervals.push_back({number_of(kind, cell.low), number_of(kind, cell.high)});
      line[column.name] = fmt::format("{:.6g} ({:.6g} to {:.6g})", cell.value, cell.low, cell.high);
    }
    result["rows"].push_back(std::move(values));
    result["intervals"].push_back(std::move(intervals));
    shown.push_back(std::move(line));
  }
  Json notes = Json::array();
  if (plan.threshold()) {
    notes.push_back(fmt::format(
        "groups were found in the data: one with fewer than about {} people is not told",
        *plan.threshold()));
  }
  if (std::any_of(question.aggregates.begin(), question.aggregates.end(),
                  [](const Aggregate& aggregate) {
                    return aggregate.kind == AggregateKind::sum ||
                           aggregate.kind == AggregateKind::average ||
                           aggregate.kind == AggregateKind::variance ||
                           aggregate.kind == AggregateKind::quantile;
                  })) {
    notes.push_back(
        "values beyond the bounds were clamped to them, which the intervals "
        "do not show");
  }
  for (const auto& [domain, above_noise] : found_domains) {
    const NumberRange& range = *domain.numbers();
    result["bounds"].push_back(
        {{"column", domain.column()}, {"low", range.low}, {"high", range.high}});
    notes.push_back(fmt::format("the bounds of {} were found: {:.6g} to {:.6g}{}", domain.column(),
                                range.low, range.high,
                                above_noise ? "" : ", a guess, as there are too few values"));
  }
  if (question.tables.size() > 1) {
    notes.push_back(fmt::format(
        "rows were joined by {}: of a person, at most {} of each table and {} joined ones",
        terms.person, kMostRowsToJoin, std::max(terms.max_rows, kJoinedRows)));
  }
  if (!terms.person.empty()) {
    notes.push_back(fmt::format("at most {} rows of each person are in it", terms.max_rows));
  }
  result["private"] = noise.is_private();
  if (!noise.is_private()) notes.push_back("NOT PRIVATE: the noise follows from --insecure-seed");
  if (!notes.empty()) result["notes"] = notes;
  Json for_a_person = {{"answer", shown},
                       {"epsilon_spent", result["epsilon_spent"]},
                       {"epsilon_left", result["epsilon_left"]}};
  if (!notes.empty()) for_a_person["notes"] = notes;
  return {.result = result, .passed = true, .for_a_person = for_a_person};
}

Outcome plan(const PlanRequest& request, const Run& run) {
  if (request.epsilon.has_value() == request.error.has_value()) {
    throw Error::input("give --epsilon, to see the error, or --error, to see the cost");
  }
  const Asked asked = ask(request.query, run);
  const auto rows = static_cast<double>(request.rows);
  const auto worst = [&](Epsilon epsilon) {
    double error = 0;
    for (const auto& cost : asked.plan(epsilon).expected(rows)) error = std::max(error, cost.error);
    return error;
  };
  Epsilon epsilon = request.epsilon ? Epsilon::from(*request.epsilon) : Epsilon::from(100);
  if (request.error) {
    if (!(*request.error > 0) || worst(epsilon) > *request.error) {
      throw Error::input("no epsilon up to 100 gives an error as small as that")
          .hint("Ask for a larger --error, or narrower bounds.");
    }
    // The error falls with epsilon; ten thousandths of it are near enough.
    double low = 1e-6;
    double high = 100;
    while (high / low > 1.0001) {
      const double middle = std::sqrt(low * high);
      (worst(Epsilon::from(middle)) <= *request.error ? high : low) = middle;
    }
    epsilon = Epsilon::from(high);
  }
  const QueryPlan plan = asked.plan(epsilon);
  Json result = {{"epsilon", epsilon.value()},
                 {"delta", plan.loss().delta.value()},
                 {"affordable", plan.loss().within(asked.state.left())},
                 {"rows_assumed", request.rows},
                 {"columns", Json::array()}};
  const auto costs = plan.expected(rows);
  for (std::size_t i = 0; i < costs.size(); ++i) {
    result["columns"].push_back({{"column", plan.question().aggregate_names[i]},
                                 {"epsilon", costs[i].epsilon},
                                 {"error", costs[i].error},
                                 {"in_rows", costs[i].error_in_rows}});
  }
  if (plan.threshold()) result["least_people_told"] = *plan.threshold();
  result.update(Json{{"epsilon_left", asked.state.left_to(request.query.analyst).value()}});
  return {result};
}

}  // namespace pratique::dp::flow
