// Methods that recode locally, under models that count a population: what the cells contain is
// counted here from their texts, as a reader would.
#include "pratique/tables/method/internal/class_mending.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pratique/core/error.h"
#include "pratique/tables/method/protection.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/model/population_models.h"
#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::class_mending_test {
namespace {

struct World {
  ProtectionWorld table;
  std::vector<std::uint64_t> people;

  World(const Rows& rows, const std::vector<std::string>& specs, std::vector<std::uint64_t> records,
        std::vector<std::uint64_t> population)
      : table(rows, specs, std::move(records)), people(std::move(population)) {
    table.input.population = &people;
  }
  [[nodiscard]] const ProtectionInput& input() const { return table.input; }
};

// Ages with gaps and missing ones, a tree, flat categories; half of the groups are people only.
std::unique_ptr<World> random_people(SeededRandom& random) {
  Rows rows;
  std::vector<std::uint64_t> records;
  std::vector<std::uint64_t> people;
  const std::size_t groups = 4 + random.below(20);
  for (std::size_t i = 0; i < groups; ++i) {
    rows.push_back({random.chance(0.05) ? "" : std::to_string(random.below(30)),
                    fmt::format("{:02}", random.below(40)),
                    std::string(1, static_cast<char>('a' + random.below(4))),
                    std::to_string(random.below(3)) + "s"});
    records.push_back(random.chance(0.5) ? 1 + random.below(3) : 0);
    people.push_back(random.chance(0.1) ? 0 : records.back() + random.below(3));
  }
  records.front() = std::max<std::uint64_t>(1, records.front());
  return std::make_unique<World>(rows, std::vector<std::string>{"interval:5,10", "prefix", "flat"},
                                 records, people);
}

struct Class {
  std::uint64_t records = 0;
  std::uint64_t people = 0;
  std::vector<std::string> cells;
};

bool contains(const ProtectionInput& input, const Class& eq_class, std::size_t group) {
  for (std::size_t a = 0; a < eq_class.cells.size(); ++a) {
    const Attribute& attribute = input.attributes[a];
    if (!GeneralisedValue::parse(eq_class.cells[a])
             .contains(attribute.column->text(group), attribute.hierarchy)) {
      return false;
    }
  }
  return true;
}

std::vector<Class> read_classes(const ProtectionInput& input, const Recoding& recoding) {
  std::vector<Class> classes(recoding.class_count);
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    Class& eq_class = classes[recoding.class_of[i]];
    eq_class.records += recoding.counts[i];
    eq_class.cells.clear();
    for (const auto& column : recoding.columns) {
      eq_class.cells.push_back(column.values[column.codes[i]]);
    }
  }
  for (Class& eq_class : classes) {
    for (std::size_t group = 0; group < input.groups(); ++group) {
      if (contains(input, eq_class, group)) eq_class.people += (*input.population)[group];
    }
  }
  return classes;
}

// The fewest and the most classes that a person is in.
std::pair<long, long> classes_per_person(const ProtectionInput& input,
                                         const std::vector<Class>& classes) {
  std::pair<long, long> ends{static_cast<long>(classes.size()), 0};
  for (std::size_t group = 0; group < input.groups(); ++group) {
    if ((*input.population)[group] == 0) continue;
    const auto in = std::count_if(classes.begin(), classes.end(), [&](const Class& eq_class) {
      return contains(input, eq_class, group);
    });
    ends = {std::min(ends.first, in), std::max(ends.second, in)};
  }
  return ends;
}

// 0: no k at all.
Models with_k(std::uint64_t k, std::unique_ptr<Model> model) {
  Models models = k == 0 ? Models{} : k_only(k);
  models.push_back(std::move(model));
  return models;
}

Method random_method(SeededRandom& random) {
  static const std::vector<std::string> names = {"mondrian",       "cluster-up", "cluster-down",
                                                 "microaggregate", "local",      "suppress-cells"};
  Method method;
  method.name = names[random.below(names.size())];
  method.style = random.chance(0.5) ? CellStyle::labels : CellStyle::free;
  method.relaxed = random.chance(0.5);
  method.centre = MicroaggregationOptions::Centre::range;
  return method;
}

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  std::uint64_t all = 0;
  for (const auto count : counts) all += count;
  return all;
}

RC_GTEST_PROP(PopulationFit, EnoughPeopleStandBehindEveryClass, ()) {
  SeededRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const auto world = random_people(random);
  const std::uint64_t k = random.below(4);
  const std::uint64_t wanted = 1 + random.below(8);
  const Method method = random_method(random);
  const Models models = with_k(k, k_map(wanted, {}, world->input().attributes));
  const bool possible = sum(world->table.counts) >= k && sum(world->people) >= wanted;
  try {
    const auto released = protect(world->input(), models, method, Progress::silent());
    RC_ASSERT(possible);
    expect_sound(world->input(), k_only(k), released.recoding);
    for (const auto& eq_class : read_classes(world->input(), released.recoding)) {
      RC_ASSERT(eq_class.people >= wanted);
    }
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::check_failed);
    RC_ASSERT(!possible);
  }
}

RC_GTEST_PROP(PopulationFit, TheShareOfPeopleInTheTableStaysWithinItsBounds, ()) {
  SeededRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const auto world = random_people(random);
  const std::uint64_t k = random.below(4);
  const double minimum = random.chance(0.5) ? 0 : random.uniform() * 0.3;
  const double maximum = minimum + random.uniform() * (1 - minimum);
  const Method method = random_method(random);
  RC_PRE(minimum == 0 || method.name != "suppress-cells");
  const Models models = with_k(k, delta_presence(minimum, maximum, {}, world->input().attributes));
  const auto records = sum(world->table.counts);
  const double share = static_cast<double>(records) / static_cast<double>(sum(world->people));
  const bool possible = records >= k && share >= minimum && share <= maximum;
  try {
    const auto released = protect(world->input(), models, method, Progress::silent());
    RC_ASSERT(possible);
    expect_sound(world->input(), k_only(k), released.recoding);
    const auto classes = read_classes(world->input(), released.recoding);
    for (const auto& eq_class : classes) {
      const double of_class =
          static_cast<double>(eq_class.records) / static_cast<double>(eq_class.people);
      RC_ASSERT(of_class <= maximum + 1e-9);
      RC_ASSERT(of_class >= minimum - 1e-9);
    }
    const auto [fewest, most] = classes_per_person(world->input(), classes);
    RC_ASSERT(most <= 1);
    if (minimum > 0) RC_ASSERT(fewest == 1);
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::check_failed);
    RC_ASSERT(!possible);
  }
}

TEST(PopulationFit, CellsGoAsFarAsTheNearestPeople) {
  // One record of age 20, and people of 20, 21, 23 and 60: for two people 20..21 is enough, for
  // three 20..23; nobody need be 60.
  const World world({{"20"}, {"20"}, {"21"}, {"23"}, {"60"}}, {"flat"}, {1, 0, 0, 0, 0},
                    {0, 1, 1, 1, 1});
  for (const auto& [wanted, cell] : std::vector<std::pair<std::uint64_t, std::string>>{
           {1, "20"}, {2, "20..21"}, {3, "20..23"}}) {
    Models models;
    models.push_back(k_map(wanted, {}, world.input().attributes));
    const auto released = protect(world.input(), models, {.name = "mondrian"}, Progress::silent());
    EXPECT_EQ(released.recoding.columns[0].values, std::vector<std::string>{cell});
  }
}

TEST(PopulationFit, UnitesClassesWhereThatCostsLessThanFarPeople) {
  // Alone, each record would have to reach 60.
  const World world({{"20"}, {"21"}, {"60"}}, {"flat"}, {1, 1, 0}, {1, 1, 1});
  Models models;
  models.push_back(k_map(2, {}, world.input().attributes));
  for (const auto* name : {"mondrian", "cluster-up", "cluster-down"}) {
    const auto released = protect(world.input(), models, {.name = name}, Progress::silent());
    EXPECT_EQ(released.recoding.columns[0].values, std::vector<std::string>{"20..21"}) << name;
  }
}

TEST(PopulationFit, EveryPersonIsInOneBoxWhereTheMinimumIsAboveZero) {
  // Two people of three in the table on each side: shares of 2/3 in both halves, none outside.
  const World world({{"1"}, {"2"}, {"3"}, {"11"}, {"12"}, {"13"}}, {"flat"}, {1, 0, 1, 1, 1, 0},
                    {1, 1, 1, 1, 1, 1});
  Models models;
  models.push_back(delta_presence(0.6, 0.7, {}, world.input().attributes));
  for (const auto* name : {"mondrian", "cluster-up", "cluster-down"}) {
    auto released = protect(world.input(), models, {.name = name}, Progress::silent());
    auto cells = released.recoding.columns[0].values;
    std::sort(cells.begin(), cells.end());
    EXPECT_EQ(cells, (std::vector<std::string>{"1..3", "11..13"})) << name;
  }
}

TEST(PopulationFit, AMeanContainsNobody) {
  const World world({{"1"}, {"2"}}, {"flat"}, {1, 1}, {1, 1});
  Models models;
  models.push_back(k_map(2, {}, world.input().attributes));
  try {
    (void)protect(world.input(), models, {.name = "microaggregate"}, Progress::silent());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("--centre range"), std::string::npos);
  }
}

}  // namespace
}  // namespace pratique::tables::class_mending_test
