#include "pratique/tables/metric/query_error.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::query_error_test {
namespace {

Column column_of(const std::string& name, const std::vector<std::string>& values) {
  Rows rows;
  for (const auto& value : values) rows.push_back({value});
  Table table = table_of({name}, rows);
  return std::move(table.columns[0]);
}

// Ages 21 to 30 and postcodes 1 to 10 exist; two records share one cell of each.
struct Tutorial {
  Column age = column_of("age", {"21", "22", "23", "24", "25", "26", "27", "28", "29", "30"});
  Column code = column_of("code", {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"});
  Hierarchy ages = make_hierarchy("flat", age.dictionary, age.counts(), "age");
  Hierarchy codes = make_hierarchy("flat", code.dictionary, code.counts(), "code");
  std::vector<std::uint64_t> counts = std::vector<std::uint64_t>(10, 0);
  ProtectionInput input;
  Recoding recoding;

  Tutorial() {
    counts[9] = 1;  // age 30, postcode 10
    counts[0] = 1;  // age 21, postcode 1
    input.attributes.push_back(make_attribute(age, ages, age.counts()));
    input.attributes.push_back(make_attribute(code, codes, code.counts()));
    input.counts = &counts;
    recoding.groups = {0, 9};
    recoding.counts = {1, 1};
    recoding.class_of = {0, 0};
    recoding.class_count = 1;
    write_cells(input, CellStyle::free, recoding);
  }
};

// The tutorial's example: two records in [21-30] x [1-10], COUNT where age = 30 and postcode = 10
// covers 1/10 x 1/10 of the class: 2 x 0.01 = 0.02, and the error is (1 - 0.02) / 1 = 0.98.
TEST(QueryError, IsTheTutorialsExample) {
  const Tutorial world;
  ASSERT_EQ(world.recoding.columns[0].values[0], "21..30");
  const CountQuery query{{{0, {{9, 9}}}, {1, {{9, 9}}}}, {}};
  EXPECT_NEAR(average_relative_error(world.input, world.recoding, {query}), 0.98, 1e-12);
}

TEST(QueryError, AQueryForNobodyIsLeftOut) {
  const Tutorial world;
  const CountQuery nobody{{{0, {{4, 4}}}}, {}};
  const CountQuery everybody{{{0, {{0, 9}}}}, {}};
  EXPECT_DOUBLE_EQ(average_relative_error(world.input, world.recoding, {nobody, everybody}), 0);
}

TEST(QueryError, UnchangedDataHasNone) {
  Tutorial world;
  world.recoding.class_of = {0, 1};
  world.recoding.class_count = 2;
  write_cells(world.input, CellStyle::free, world.recoding);
  const auto workload = generate_workload(world.input, {.queries = 50, .attributes = 2});
  EXPECT_EQ(workload.size(), 50U);
  EXPECT_DOUBLE_EQ(average_relative_error(world.input, world.recoding, workload), 0);
}

// By the definition, record by record. Two columns of 1,100 values have too many combinations to
// count; those of few values do not.
TEST(QueryError, IsWhatEveryRecordSays) {
  for (const std::uint64_t values : {5, 1100}) {
    SeededRandom random(values);
    Rows rows;
    for (std::uint64_t i = 0; i < values; ++i) {
      rows.push_back({std::to_string(i), std::to_string((i * 7) % values),
                      std::to_string(random.below(3)), "s" + std::to_string(random.below(2))});
    }
    const Table table = table_of({"a", "b", "c", "s"}, rows);
    std::vector<Hierarchy> hierarchies;
    std::vector<std::uint64_t> counts;
    ProtectionInput input;
    for (std::size_t a = 0; a < 3; ++a) {
      const Column& column = table.columns[a];
      hierarchies.push_back(
          make_hierarchy("flat", column.dictionary, column.counts(), column.name));
    }
    for (std::size_t a = 0; a < 3; ++a) {
      const Column& column = table.columns[a];
      input.attributes.push_back(make_attribute(column, hierarchies[a], column.counts()));
    }
    input.sensitive = {&table.columns[3]};
    Recoding recoding;
    for (std::uint32_t i = 0; i < values; ++i) {
      counts.push_back(1 + random.below(3));
      if (i % 5 == 4) continue;  // suppressed
      recoding.groups.push_back(i);
      recoding.counts.push_back(counts.back());
      recoding.class_of.push_back(i / 5);
    }
    recoding.class_count = (values + 4) / 5;
    input.counts = &counts;
    write_cells(input, CellStyle::free, recoding);
    const auto workload = generate_workload(input, {.queries = 40, .selectivity = 0.4});
    const std::vector<CellReader> readers(input.attributes.begin(), input.attributes.end());
    double errors = 0;
    double asked = 0;
    for (const auto& query : workload) {
      const auto has_value = [&](std::uint32_t group) {
        return !query.sensitive || input.sensitive[0]->codes[group] == query.sensitive->second;
      };
      double actual = 0;
      for (std::uint32_t group = 0; group < values; ++group) {
        bool counts_in = has_value(group);
        for (const auto& [a, spans] : query.predicates) {
          const auto& span = spans.at(0);
          const auto rank = input.attributes[a].rank[input.attributes[a].column->codes[group]];
          counts_in = counts_in && span.first <= rank && rank <= span.last;
        }
        actual += counts_in ? static_cast<double>(counts[group]) : 0;
      }
      double estimated = 0;
      for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
        double records =
            has_value(recoding.groups[i]) ? static_cast<double>(recoding.counts[i]) : 0;
        for (const auto& [a, spans] : query.predicates) {
          const auto& span = spans.at(0);
          const auto& column = recoding.columns[a];
          records *=
              share_within(readers[a].spans(column.values[column.codes[i]]), span.first, span.last);
        }
        estimated += records;
      }
      if (actual == 0) continue;
      errors += std::abs(actual - estimated) / actual;
      ++asked;
    }
    ASSERT_GT(asked, 20);
    EXPECT_NEAR(average_relative_error(input, recoding, workload), errors / asked, 1e-9);
  }
}

TEST(CellReader, ReadsWhatTheGrammarHas) {
  const Tutorial world;
  const CellReader reader(world.input.attributes[0]);
  const auto leaves = [&](std::string_view cell) { return leaves_in(reader.spans(cell)); };
  EXPECT_EQ(leaves("*"), 10U);
  EXPECT_EQ(leaves("24"), 1U);
  EXPECT_EQ(leaves("22..25"), 4U);
  EXPECT_EQ(leaves("20..25"), 5U);  // 20 is no leaf
  EXPECT_EQ(leaves("{21|22|30}"), 3U);
  EXPECT_EQ(leaves("nobody"), 0U);
  EXPECT_DOUBLE_EQ(share_within(reader.spans("{21|22|30}"), 1, 9), 2.0 / 3);
}

RC_GTEST_PROP(CellReader, AMeanStandsWhereTheNearestLeafStands, ()) {
  auto random = any_random();
  Rows rows(1 + random.below(20));
  for (auto& row : rows)
    row = {std::to_string(random.below(40)) + (random.chance(0.2) ? ".0" : "")};
  if (random.chance(0.3)) rows.push_back({""});
  rows.push_back({"7"});
  const ProtectionWorld world(rows, {"flat"}, std::vector<std::uint64_t>(rows.size(), 1));
  const Attribute& attribute = world.input.attributes[0];
  const CellReader reader(attribute);
  const double wanted = static_cast<double>(random.below(200)) / 4 - 5 + 0.125;  // no leaf
  const auto spans = reader.spans(fmt::format("{}", wanted));
  double least = std::numeric_limits<double>::infinity();
  std::uint32_t nearest = 0;
  for (std::size_t code = 0; code < attribute.position.size(); ++code) {
    const double distance = std::abs(attribute.position[code] - wanted);
    if (std::isnan(distance)) continue;
    if (distance < least || (distance == least && attribute.rank[code] < nearest)) {
      least = distance;
      nearest = attribute.rank[code];
    }
  }
  RC_ASSERT(spans.size() == 1U);
  RC_ASSERT(spans[0].first == nearest);
  RC_ASSERT(spans[0].last == nearest);
}

}  // namespace
}  // namespace pratique::tables::query_error_test
