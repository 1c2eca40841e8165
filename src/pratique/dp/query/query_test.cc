#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/dp/query/answer.h"
#include "pratique/dp/tester/tester.h"
#include "pratique/engine/sql_tree.h"

namespace pratique::dp::query_test {
namespace {

const std::vector<std::string> kColumns = {"id", "region", "age", "note"};

Question read(const std::string& sql) { return Question::read(sql_tree(sql), kColumns, "id"); }

// The value of an expression on one row: 7, north, 41, and an empty note.
SqlValue value_of(const std::string& expression) {
  const std::vector<std::string> row = {"7", "north", "41", ""};
  const auto question = read("SELECT SUM(" + expression + ") FROM data");
  return question.aggregates.front().of->value(
      [&](std::size_t column) { return std::string_view(row[column]); });
}

TEST(Expression, IsWhatSqlSays) {
  const std::vector<std::pair<std::string, SqlValue>> cases = {
      {"age", "41"},
      {"note", SqlValue()},
      {"age + 1", 42.0},
      {"-age", -41.0},
      {"age / 2", 20.5},
      {"age / 0", SqlValue()},
      {"region + 1", SqlValue()},
      {"1e300 * 1e300", SqlValue()},
      {"age > 5", true},
      {"age > '5'", false},  // as texts
      {"age = 41.0", true},
      {"region < 'south'", true},
      {"region = 'south' OR age = 41", true},
      {"note = 'x'", SqlValue()},
      {"note = 'x' OR age = 41", true},
      {"note = 'x' AND age = 1", false},
      {"NOT note = 'x'", SqlValue()},
      {"note IS NULL", true},
      {"age IS NOT NULL", true},
      {"age BETWEEN 41 AND 42", true},
      {"age BETWEEN 42 AND 43", false},
      {"age IN (1, 41)", true},
      {"age NOT IN (1, 2)", true},
      {"region IN ('a', 'b')", false},
      {"region LIKE 'n%t_'", true},
      {"region LIKE 'n_t%'", false},
      {"region NOT LIKE '%x%'", true},
      {"CASE WHEN age < 18 THEN 1 WHEN age < 65 THEN 2 ELSE 3 END", 2.0},
      {"CASE WHEN note = 'x' THEN 1 END", SqlValue()},
      {"COALESCE(note, region)", "north"},
      {"CAST(age AS DOUBLE)", 41.0},
      {"CAST(region AS INTEGER)", SqlValue()},
      {"CAST(age AS VARCHAR)", "41"},
      {"upper(region)", "NORTH"},
      {"lower('ABC')", "abc"},
      {"abs(-3.5)", 3.5},
      {"floor(age / 10)", 4.0},
      {"ceil(age / 10)", 5.0},
      {"length(region)", 5.0},
      {"1.25", 1.25},
      {"data.age", "41"},
      {"age % 10", 1.0},
      {"age % 0", SqlValue()},
      {"round(2.5)", 3.0},
      {"region || '-' || age", "north-41"},
      {"region || note", SqlValue()},
      {"substring(region, 2, 3)", "ort"},
      {"substring(region, 4)", "th"},
      {"substring(region, 9, 3)", SqlValue()},
      {"substring(region, age, age)", SqlValue()},
      {"substring(region, -1, 2)", SqlValue()},
      {"substring(region, 1, 1e308)", "north"},
      {"left(region, 2)", "no"},
      {"left(region, note)", SqlValue()},
      {"trim('  a b ')", "a b"},
      {"region ILIKE 'NO%'", true},
      {"region NOT ILIKE 'NO%'", false},
      // Characters, not bytes.
      {"length('Zürich')", 6.0},
      {"'Zürich' LIKE 'Z_rich'", true},
      {"'Zürich' LIKE 'Z__rich'", false},
      {"'Zürich' LIKE '%_r%'", true},
      {"substring('Zürich', 2, 2)", "ür"},
      {"year('2020-03-05')", 2020.0},
      {"month('2020-03-05 12:30')", 3.0},
      {"day('2020-03-05')", 5.0},
      {"day('2020-03')", SqlValue()},
      {"month('5.3.2020')", 3.0},
      {"month('2020/03/05')", 3.0},
      {"month('05/03/2020')", SqlValue()},  // or May?
      {"year('5 March')", SqlValue()},
      {"year('2020-02-31')", SqlValue()},
      {"EXTRACT(year FROM '2020-03-05')", 2020.0},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(value_of(text), expected) << text;
}

TEST(Question, RefusesByNameWhatItCannotAnswer) {
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"SELECT * FROM data", "show rows"},
      {"SELECT age FROM data", "show rows"},
      {"SELECT DISTINCT region FROM data", "show rows"},
      {"SELECT region, age, COUNT(*) FROM data GROUP BY region", "show rows"},
      {"SELECT COUNT(*) FROM data, data d", "join"},
      {"SELECT COUNT(*) FROM data JOIN other USING (id)", "another table"},
      {"SELECT COUNT(*) FROM other", "another table"},
      {"SELECT COUNT(*) FROM 'people.csv'", "another table"},
      {"SELECT COUNT(*) FROM main.data", "schema_name"},
      {"SELECT COUNT(*) FROM read_csv('x')", "TABLE_FUNCTION"},
      {"SELECT COUNT(*) FROM (SELECT * FROM data)", "SUBQUERY"},
      {"SELECT COUNT(*) FROM data WHERE age > (SELECT AVG(age) FROM data)", "within the question"},
      {"SELECT COUNT(*) FROM data HAVING COUNT(*) > 5", "HAVING"},
      {"SELECT COUNT(*) FROM data LIMIT 1", "LIMIT"},
      {"SELECT COUNT(*) FROM data ORDER BY 1", "ORDER BY"},
      {"WITH d AS (SELECT 1) SELECT COUNT(*) FROM data", "WITH"},
      {"SELECT COUNT(*) FROM data UNION SELECT 1", "UNION"},
      {"SELECT COUNT(*) FROM data; SELECT COUNT(*) FROM data", "one question"},
      {"SELECT COUNT(*) OVER () FROM data", "window"},
      {"SELECT SUM(age) FILTER (WHERE age > 5) FROM data", "FILTER"},
      {"SELECT COUNT(DISTINCT region) FROM data", "DISTINCT"},
      {"SELECT SUM(DISTINCT age) FROM data", "DISTINCT"},
      {"SELECT string_agg(region, ',') FROM data", "string_agg"},
      {"SELECT COUNT(*) FROM data WHERE random() < 0.5", "random"},
      {"SELECT COUNT(*) FROM data WHERE getenv('HOME') = 'x'", "getenv"},
      {"SELECT COUNT(*) FROM data GROUP BY ALL", "GROUP BY ALL"},
      {"SELECT COUNT(*) FROM data GROUP BY ROLLUP (region)", "ROLLUP"},
      {"SELECT COUNT(*) + 1 FROM data", "count_star"},
      {"SELECT quantile(age, 2) FROM data", "between 0 and 1"},
      {"SELECT COUNT(*) FROM data TABLESAMPLE 10%", "sample"},
      {"SELECT COUNT(*)", "FROM"},
      {"SELECT COUNT(*) FROM data WHERE age = DATE '2020-01-01'", "cast to DATE"},
      {"DELETE FROM data", "SELECT"},
      {"nonsense", "SQL"},
      {"SELECT COUNT(*) FROM data WHERE agee > 3", "agee"},
  };
  for (const auto& [sql, part] : refused) {
    try {
      (void)read(sql);
      ADD_FAILURE() << sql;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input) << sql;
      EXPECT_NE(error.message().find(part), std::string::npos) << sql << ": " << error.message();
    }
  }
}

const std::vector<QueryTable> kTables = {
    {"data", kColumns}, {"visits", {"id", "ward", "age"}}, {"drugs", {"drug", "id"}}};

Question read_of_tables(const std::string& sql, const std::string& person = "id") {
  return Question::read(sql_tree(sql), kTables, person);
}

TEST(Question, JoinsTablesByThePersonAlone) {
  for (const char* sql :
       {"SELECT COUNT(*) FROM data JOIN visits USING (id) WHERE ward = 'x' AND data.age > 3",
        "SELECT COUNT(*) FROM data JOIN visits ON data.id = visits.id "
        "WHERE visits.ward = 'x' AND data.age > 3",
        "SELECT COUNT(*) FROM data d INNER JOIN visits AS v ON v.id = d.id "
        "WHERE v.ward = 'x' AND d.age > 3"}) {
    const auto question = read_of_tables(sql);
    ASSERT_EQ(question.tables.size(), 2U) << sql;
    EXPECT_EQ(question.tables[1].table, 1U);
    EXPECT_FALSE(question.tables[1].unmatched_stay);
    EXPECT_EQ(question.columns(), (std::vector<std::size_t>{2, 5})) << sql;  // age, ward
  }
  const auto three = read_of_tables(
      "SELECT visits.age, COUNT(DISTINCT id) FROM data LEFT JOIN visits USING (id) "
      "JOIN drugs ON visits.id = drugs.id GROUP BY visits.age");
  EXPECT_TRUE(three.tables[1].unmatched_stay);
  EXPECT_FALSE(three.tables[2].unmatched_stay);
  EXPECT_EQ(three.key_names, std::vector<std::string>{"visits.age"});
  EXPECT_EQ(three.aggregates.front().kind, AggregateKind::count_people);
  EXPECT_EQ(read_of_tables("SELECT COUNT(*) FROM drugs").tables.front().table, 2U);
}

TEST(Question, RefusesJoinsThatMixPeople) {
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"SELECT COUNT(*) FROM data JOIN visits USING (age)", "anything but the person"},
      {"SELECT COUNT(*) FROM data JOIN visits USING (id, age)", "anything but the person"},
      {"SELECT COUNT(*) FROM data JOIN visits ON data.id = visits.id OR TRUE", "the person"},
      {"SELECT COUNT(*) FROM data JOIN visits ON data.id <> visits.id", "the person"},
      {"SELECT COUNT(*) FROM data JOIN visits ON data.id = visits.age", "the person"},
      {"SELECT COUNT(*) FROM data JOIN visits ON visits.id = visits.id", "the person"},
      {"SELECT COUNT(*) FROM data JOIN visits USING (id) JOIN drugs ON data.id = visits.id",
       "the person"},
      {"SELECT COUNT(*) FROM data, visits WHERE data.id = visits.id", "the person"},
      {"SELECT COUNT(*) FROM data CROSS JOIN visits", "the person"},
      {"SELECT COUNT(*) FROM data NATURAL JOIN visits", "the person"},
      {"SELECT COUNT(*) FROM data POSITIONAL JOIN visits", "join"},
      {"SELECT COUNT(*) FROM data ASOF JOIN visits USING (id)", "the person"},
      {"SELECT COUNT(*) FROM data FULL JOIN visits USING (id)", "join of type"},
      {"SELECT COUNT(*) FROM data RIGHT JOIN visits USING (id)", "join of type"},
      {"SELECT COUNT(*) FROM data SEMI JOIN visits USING (id)", "join of type"},
      {"SELECT COUNT(*) FROM data JOIN (SELECT * FROM visits) v USING (id)", "not a table"},
      {"SELECT COUNT(*) FROM data JOIN data USING (id)", "two tables are called data"},
      {"SELECT COUNT(*) FROM data JOIN visits USING (id) WHERE age > 3", "data.age or visits.age"},
      {"SELECT COUNT(*) FROM data JOIN visits USING (id) WHERE drugs.drug = 'x'", "another table"},
  };
  for (const auto& [sql, part] : refused) {
    try {
      (void)read_of_tables(sql);
      ADD_FAILURE() << sql;
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(part), std::string::npos) << sql << ": " << error.message();
    }
  }
  EXPECT_THROW((void)read_of_tables("SELECT COUNT(*) FROM data JOIN visits USING (id)", ""), Error);
}

TEST(Question, KnowsWhatIsAskedAndWhatItIsCalled) {
  const auto question = read(
      "SELECT region, COUNT(*), AVG(age) AS mean, COUNT(DISTINCT id), MEDIAN(age), MIN(age) "
      "FROM data WHERE note IS NULL GROUP BY region");
  EXPECT_EQ(question.key_names, std::vector<std::string>{"region"});
  EXPECT_EQ(question.aggregate_names,
            (std::vector<std::string>{"count", "mean", "count_id", "median_age", "min_age"}));
  EXPECT_EQ(question.aggregates[2].kind, AggregateKind::count_people);
  EXPECT_EQ(question.aggregates[3].quantile.b, 2U);
  EXPECT_EQ(question.aggregates[4].quantile.a, 0U);
  EXPECT_EQ(question.columns(), (std::vector<std::size_t>{0, 1, 2, 3}));
}

using Rows = std::vector<std::vector<std::string>>;  // of id, region, age, note

Column column_of(const Rows& rows, std::size_t at) {
  Column column{.name = kColumns[at], .dictionary = {}, .codes = {}};
  for (const auto& row : rows) column.codes.push_back(column.dictionary.intern(row[at]));
  return column;
}

// What a question reads of the rows.
struct Data {
  Data(const Rows& rows, const Question& question)
      : person(column_of(rows, 0)), counts(rows.size(), 1) {
    for (const auto at : question.columns()) table.columns.push_back(column_of(rows, at));
  }
  Table table;
  Column person;
  std::vector<std::uint64_t> counts;
};

std::vector<AnswerRow> answered(const Data& data, const QueryPlan& plan, std::uint64_t seed) {
  Noise noise(seed);
  return plan.answer({data.table, data.counts, &data.person}, noise);
}

std::vector<AnswerRow> answered(const Rows& rows, const QueryPlan& plan, std::uint64_t seed) {
  return answered(Data(rows, plan.question()), plan, seed);
}

constexpr double kNearlyNoNoise = 900;

TEST(QueryPlan, WithNearlyNoNoiseIsTheAnswer) {
  Rows rows;
  // 1,000 people, three rows each; ages 0 to 99, each ten times per row.
  for (int i = 0; i < 1000; ++i) {
    for (int k = 0; k < 3; ++k) {
      rows.push_back({std::to_string(i), i % 4 == 0 ? "north" : "south", std::to_string(i % 100),
                      k == 0 ? "x" : ""});
    }
  }
  const Rows& data = rows;
  const std::vector<Domain> domains = parse_domains({"age=0..100", "region=south|north|west"});
  const auto plan = QueryPlan(
      read("SELECT region, COUNT(*), COUNT(note), COUNT(DISTINCT id), SUM(age), AVG(age), "
           "VARIANCE(age), MEDIAN(age), QUANTILE(age, 0.9) FROM data GROUP BY region"),
      domains, {3, 1}, {Epsilon::from(kNearlyNoNoise), {}});
  EXPECT_EQ(plan.loss().delta.parts, 0U);
  const auto answer = answered(data, plan, 1);
  ASSERT_EQ(answer.size(), 3U);  // by name: north, south, west
  // North has ids 0, 4, ..., 996: ages 0, 4, ..., 96, ten people each.
  std::vector<double> ages;
  for (int i = 0; i < 1000; i += 4) ages.push_back(i % 100);
  double sum = 0;
  for (const double age : ages) sum += age;
  const double mean = sum / static_cast<double>(ages.size());
  double squares = 0;
  for (const double age : ages) squares += (age - mean) * (age - mean);
  const double variance = 3 * squares / (3 * static_cast<double>(ages.size()) - 1);
  const auto& north = answer[0].cells;
  EXPECT_EQ(answer[0].keys, std::vector<std::string>{"north"});
  EXPECT_EQ(north[0].value, 750);
  EXPECT_NEAR(north[1].value, 250, 1);
  EXPECT_EQ(north[2].value, 250);
  EXPECT_NEAR(north[3].value, 3 * sum, 20);
  EXPECT_NEAR(north[4].value, mean, 0.1);
  EXPECT_NEAR(north[5].value, variance, 5);
  EXPECT_NEAR(north[6].value, 48, 4.1);
  EXPECT_NEAR(north[7].value, 88, 4.1);
  EXPECT_EQ(answer[2].keys, std::vector<std::string>{"west"});
  EXPECT_NEAR(answer[2].cells[0].value, 0, 1);
  for (const auto& cell : north) {
    EXPECT_LE(cell.low, cell.value);
    EXPECT_GE(cell.high, cell.value);
  }
}

// Bounds one last place apart: half of their width cannot be told from the middle. A row at the end
// weighs 2^20 steps all the same, so three of four move the mean by 3/8 of a last place, which
// rounds down; weighing twice as much, they would round up.
TEST(QueryPlan, ARowWeighsNoMoreThanItsGridHoweverCloseBoundsAre) {
  const Rows rows = {
      {"1", "a", "9", ""}, {"2", "a", "9", ""}, {"3", "a", "9", ""}, {"4", "a", "0", ""}};
  const auto plan = QueryPlan(read("SELECT AVG(age) FROM data"),
                              {Domain::range("age", 1, std::nextafter(1.0, 2.0))}, {1, 1},
                              {Epsilon::from(kNearlyNoNoise), {}});
  EXPECT_EQ(answered(rows, plan, 1).front().cells.front().value, 1);
}

// With little epsilon as many rows further in would be at the other end.
TEST(QueryPlan, TheSmallestIsNotBeyondTheMedian) {
  Rows rows;
  for (int i = 0; i < 200; ++i) rows.push_back({std::to_string(i), "a", i < 100 ? "10" : "90", ""});
  const auto plan = QueryPlan(read("SELECT MIN(age), MAX(age) FROM data"),
                              parse_domains({"age=0..100"}), {1, 1}, {Epsilon::from(0.5), {}});
  double least = 0;
  double largest = 0;
  constexpr int kRuns = 50;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    const auto answer = answered(rows, plan, seed);
    least += answer.front().cells[0].value / kRuns;
    largest += answer.front().cells[1].value / kRuns;
  }
  EXPECT_LT(least, 65);
  EXPECT_GT(largest, 35);
}

TEST(QueryPlan, RowsOfNobodyCountNowhere) {
  Rows rows;
  for (int i = 0; i < 40; ++i) rows.push_back({i < 30 ? " " : "", "a", "5", ""});
  rows.push_back({"00", "a", "5", ""});
  rows.push_back({"0", "a", "5", ""});
  const auto plan = QueryPlan(read("SELECT COUNT(*), COUNT(DISTINCT id) FROM data"), {}, {1, 1},
                              {Epsilon::from(kNearlyNoNoise), {}});
  const auto answer = answered(rows, plan, 1);
  EXPECT_EQ(answer.front().cells[0].value, 1);  // 0 and 00 are one
  EXPECT_EQ(answer.front().cells[1].value, 1);
}

TEST(QueryPlan, UsesNoMoreRowsAndGroupsOfAPersonThanAgreed) {
  // One person with 100 rows in ten groups.
  Rows rows;
  for (int i = 0; i < 100; ++i) rows.push_back({"1", std::to_string(i % 10), "5", ""});
  const Rows& data = rows;
  const auto domains = parse_domains({"region=0..9"});
  std::vector<int> used(10);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto plan =
        QueryPlan(read("SELECT region, COUNT(*), COUNT(DISTINCT id) FROM data GROUP BY region"),
                  domains, {6, 2}, {Epsilon::from(kNearlyNoNoise), {}});
    double total = 0;
    double people = 0;
    const auto answer = answered(data, plan, seed);
    for (std::size_t g = 0; g < answer.size(); ++g) {
      total += answer[g].cells[0].value;
      people += answer[g].cells[1].value;
      used[g] += answer[g].cells[1].value > 0.5 ? 1 : 0;
    }
    EXPECT_LE(total, 6);
    EXPECT_LE(people, 2);
    EXPECT_GE(total, 1);
  }
  // Which ones is chance.
  for (const int times : used) EXPECT_GT(times, 10);
}

TEST(QueryPlan, IntervalsHoldTheTruthAsOftenAsTheySay) {
  Rows rows;
  for (int i = 0; i < 400; ++i)
    rows.push_back({std::to_string(i), "a", std::to_string(i % 80), ""});
  const Rows& data = rows;
  const auto domains = parse_domains({"age=0..100"});
  const auto plan = QueryPlan(read("SELECT COUNT(*), SUM(age), AVG(age), MEDIAN(age) FROM data"),
                              domains, {1, 1}, {Epsilon::from(2), {}});
  const std::array<double, 4> truth = {400, 400 * 39.5, 39.5, 39.5};
  std::array<int, 4> missed{};
  constexpr int kRuns = 300;
  for (int run = 0; run < kRuns; ++run) {
    const auto answer = answered(data, plan, 1000 + static_cast<std::uint64_t>(run));
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const AnswerCell& cell = answer[0].cells[i];
      missed[i] += truth[i] < cell.low - 0.6 || truth[i] > cell.high + 0.6 ? 1 : 0;
    }
  }
  // 5 % of 300 is 15; 35 is more than five deviations above.
  for (const int times : missed) EXPECT_LE(times, 35);
}

TEST(QueryPlan, FindsGroupsOnlyAboveTheThreshold) {
  Rows rows;
  for (int i = 0; i < 500; ++i)
    rows.push_back({std::to_string(i), i < 499 ? "many" : "one", "5", ""});
  const Rows& data = rows;
  const auto plan = QueryPlan(read("SELECT region, COUNT(*) FROM data GROUP BY region"), {}, {1, 1},
                              {Epsilon::from(1), Delta::from(1e-6)});
  EXPECT_EQ(plan.loss().delta, Delta::from(1e-6));
  ASSERT_TRUE(plan.threshold());
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto answer = answered(data, plan, seed);
    ASSERT_EQ(answer.size(), 1U);
    EXPECT_EQ(answer[0].keys.front(), "many");
  }
  EXPECT_THROW(QueryPlan(read("SELECT region, COUNT(*) FROM data GROUP BY region"), {}, {1, 1},
                         {Epsilon::from(1), {}}),
               Error);
  EXPECT_THROW(QueryPlan(read("SELECT SUM(age) FROM data"), {}, {1, 1}, {Epsilon::from(1), {}}),
               Error);
}

// The whole path on neighbours: one person more, with more rows and groups than are allowed.
TEST(QueryPlan, HoldsOnNeighbours) {
  const Rows base = {{"1", "a", "1", ""}, {"2", "b", "0", ""}};
  auto larger = base;
  for (const char* region : {"a", "b", "a", "b"}) larger.push_back({"3", region, "1", ""});
  const auto domains = parse_domains({"region=a|b", "age=0..1"});
  for (const char* sql : {"SELECT region, COUNT(*) FROM data GROUP BY region",
                          "SELECT region, COUNT(DISTINCT id) FROM data GROUP BY region",
                          "SELECT MAX(age), COUNT(*) FROM data"}) {
    const auto plan = std::make_shared<const QueryPlan>(read(sql), domains, QueryLimits{2, 2},
                                                        PrivacyLoss{Epsilon::from(1), {}});
    const auto sampler = [&plan](const Rows& rows, std::uint64_t offset) -> Sampler {
      auto data = std::make_shared<const Data>(rows, plan->question());
      return [plan, data, offset](std::uint64_t run) {
        std::string label;
        for (const auto& row : answered(*data, *plan, 2 * run + offset)) {
          for (const auto& cell : row.cells) {
            label += fmt::format("{:.0f} ", std::clamp(cell.value * 4, -60.0, 60.0) / 4);
          }
        }
        return label;
      };
    };
    const auto verdict = test_privacy({{sql, sampler(larger, 0), sampler(base, 1)}}, 1, 0, 6000);
    EXPECT_TRUE(verdict.holds) << sql << " " << verdict.epsilon_bound;
    // What would be seen had the two rows of a person been forgotten.
    EXPECT_LT(verdict.epsilon_bound, 1);
  }
}

}  // namespace
}  // namespace pratique::dp::query_test
