#include "pratique/tables/attack/containment_index.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "pratique/crypto/random.h"
#include "pratique/data/generalised.h"
#include "pratique/data/hierarchy.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::containment_index_test {
namespace {

std::vector<std::uint32_t> all_rows(const Table& table) {
  std::vector<std::uint32_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

std::vector<std::vector<ClassId>> linked(const Table& release, const Table& originals,
                                         const std::vector<const Hierarchy*>& hierarchies) {
  std::vector<ContainmentIndex::LinkedColumn> columns;
  for (std::size_t c = 0; c < release.columns.size(); ++c) {
    columns.push_back({&release.columns[c], &originals.columns[c], hierarchies[c]});
  }
  const auto class_rows = all_rows(release);
  const auto original_rows = all_rows(originals);
  const ContainmentIndex index(columns, class_rows, original_rows);
  std::vector<std::vector<ClassId>> result(originals.rows());
  std::vector<int> visits(originals.rows(), 0);
  index.for_each_original([&](std::size_t original, std::span<const ClassId> classes) {
    ++visits[original];
    result[original].assign(classes.begin(), classes.end());
    std::sort(result[original].begin(), result[original].end());
  });
  EXPECT_EQ(visits, std::vector<int>(originals.rows(), 1));
  return result;
}

std::vector<std::vector<ClassId>> by_definition(const Table& release, const Table& originals,
                                                const std::vector<const Hierarchy*>& hierarchies) {
  std::vector<std::vector<ClassId>> result(originals.rows());
  for (std::size_t o = 0; o < originals.rows(); ++o) {
    for (std::size_t r = 0; r < release.rows(); ++r) {
      bool contained = true;
      for (std::size_t c = 0; c < release.columns.size() && contained; ++c) {
        contained = GeneralisedValue::parse_foreign(release.columns[c].text(r))
                        .contains(originals.columns[c].text(o), hierarchies[c]);
      }
      if (contained) result[o].push_back(static_cast<ClassId>(r));
    }
  }
  return result;
}

// Cells and values of one kind of column.
struct Kind {
  std::vector<std::string> cells;
  std::vector<std::string> values;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      // numbers
      {{"*", "1..5", "3..3", "4", "4.0", "04", "{1|7}", "-2..2", "2.5..3", "", "2-4", ">=5", "<3",
        "[1, 4[", "(1,4]", "5+", "0-0", "100000000000000000000..100000000000000000002", "7..1"},
       {"1", "2", "3", "3.0", "4", "4.5", "5", "7", "-1", "-.5", "2.75", "", "x", "04", "1e1",
        "1..5", "2-4", "100000000000000000001", "100000000000000000003"}},
      // dates
      {{"*", "1990", "1990-05", "1990-05-03", "1990-01-01..1992-12-31", "1985-05-01..1990-05-03",
        "{1990-05-03|1991}", "1980..1995", "", ">=1990", "<1990-05-04", "[1990-05-03, 1991-01-01[",
        "1990-05..1991-02", "1980-1990", "90..1991"},
       {"1990-05-03", "1990-05-03 12:30", "1990-05-04", "1991-01-01", "1992-12-31", "1993-01-01",
        "1990", "1990-05", "", "1985-05-01", "soon", "1990.5", "01990", "1990-13-01"}},
      // postcodes
      {{"*", "13053", "130**", "1305*", "13000..13099", "{13053|13068}", "13***", "148**", "02***",
        "1*0**", "**053", "\\130**"},
       {"13053", "13068", "14850", "13099", "02139", "2139", "1305", "", "130**", "\\130**"}},
      // texts
      {{"*", "F", "M", "{F|M}", "{M|F}", "{F, M}", "{F|U}", "\\*", "\\{F|M}", "a..b", "F..M",
        "\\\\*", "{|F}", "{a\\|b}"},
       {"F", "M", "U", "*", "{F|M}", "{M|F}", "{F, M}", "a..b", "", "\\*", "a|b", "\\{F|M}"}},
  };
  return all;
}

std::string pick(const std::vector<std::string>& from, SeededRandom& random) {
  return from[random.below(from.size())];
}

RC_GTEST_PROP(ContainmentIndex, FindsWhatBruteForceFinds, ()) {
  SeededRandom random = any_random();
  const auto width = random.below(5);
  const auto classes = random.below(60);
  const auto originals = random.below(40);
  std::vector<std::size_t> kind;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < width; ++c) {
    kind.push_back(random.below(kinds().size()));
    names.push_back(std::to_string(c));
  }
  Rows cells(classes);
  for (auto& row : cells) {
    for (const std::size_t k : kind) row.push_back(pick(kinds()[k].cells, random));
  }
  Rows values(originals);
  for (auto& row : values) {
    for (const std::size_t k : kind) row.push_back(pick(kinds()[k].values, random));
  }
  const Table release = table_of(names, cells);
  const Table people = table_of(names, values);
  const std::vector<const Hierarchy*> none(width, nullptr);
  RC_ASSERT(linked(release, people, none) == by_definition(release, people, none));
}

// The first cell of an order that contains a value, asked one by one.
std::vector<Code> first_by_definition(const Dictionary& cells, const std::vector<Code>& order,
                                      const Dictionary& values, const Hierarchy* hierarchy) {
  std::vector<Code> result;
  for (Code value = 0; value < values.size(); ++value) {
    const auto first = std::find_if(order.begin(), order.end(), [&](Code cell) {
      return GeneralisedValue::parse_foreign(cells.value(cell))
          .contains(values.value(value), hierarchy);
    });
    result.push_back(first == order.end() ? kNoCode : *first);
  }
  return result;
}

std::vector<Code> some_of(const Dictionary& cells, SeededRandom& random) {
  std::vector<Code> order(cells.size());
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  order.resize(random.below(order.size() + 1));
  return order;
}

RC_GTEST_PROP(FirstContaining, IsTheFirstThatContainsAValue, ()) {
  SeededRandom random = any_random();
  const Kind& kind = kinds()[random.below(kinds().size())];
  Dictionary cells;
  Dictionary values;
  for (const auto& cell : kind.cells) cells.intern(cell);
  for (const auto& value : kind.values) values.intern(value);
  for (int i = 0; i < 30; ++i) {
    const double low = static_cast<double>(random.below(600)) / 100 - 1;
    cells.intern(fmt::format("{}..{}", low, low + static_cast<double>(random.below(300)) / 100));
    values.intern(fmt::format("{}", static_cast<double>(random.below(700)) / 100 - 1));
    const auto begins = random.below(7);
    values.intern(fmt::format("[{}-{})", begins, begins + random.below(4) + 1));
  }
  const auto order = some_of(cells, random);
  RC_ASSERT(internal::first_containing(cells, order, values, nullptr, CellsAre::anything) ==
            first_by_definition(cells, order, values, nullptr));
}

// A tree whose labels look like ranges, masks and sets, and whose word goes where they differ: 35
// is under 20..29 here, and 28 is in no tree.
Hierarchy odd_tree() {
  Hierarchy::Builder builder("test");
  const std::vector<std::vector<std::string_view>> paths = {
      {"20", "20..29", "young", "*"},     {"24", "20..29", "young", "*"},
      {"35", "20..29", "young", "*"},     {"40", "4*", "old", "*"},
      {"51", "4*", "old", "*"},           {"60", "{60|61}", "old", "*"},
      {"61", "{60|61}", "old", "*"},      {"old", "old", "old", "*"},
      {"1990-05-03", "1990", "old", "*"}, {"", "none", "none", "*"}};
  for (const auto& path : paths) builder.add(path);
  return builder.build();
}

RC_GTEST_PROP(ContainmentIndex, FollowsTheTree, ()) {
  const Hierarchy tree = odd_tree();
  const std::vector<std::string> cells = {"20..29", "4*", "{60|61}", "{young|40}", "young",
                                          "old",    "*",  "none",    "",           "20..60",
                                          "1990",   "24", "5*",      "{61|60}",    "[20, 30["};
  const std::vector<std::string> values = {"20", "24", "28", "35",         "40",        "45",
                                           "51", "60", "61", "1990-05-03", "",          "old",
                                           "*",  "5x", "29", "20..29",     "1990-06-01"};
  SeededRandom random = any_random();
  Rows released(30);
  for (auto& row : released) row = {pick(cells, random), pick(cells, random)};
  Rows originals(30);
  for (auto& row : originals) row = {pick(values, random), pick(values, random)};
  const Table release = table_of({"a", "b"}, released);
  const Table people = table_of({"a", "b"}, originals);
  const std::vector<const Hierarchy*> trees = {&tree, nullptr};
  RC_ASSERT(linked(release, people, trees) == by_definition(release, people, trees));
  Dictionary cell_texts;
  Dictionary value_texts;
  for (const auto& cell : cells) cell_texts.intern(cell);
  for (const auto& value : values) value_texts.intern(value);
  SeededRandom order_of_cells = any_random();
  const auto order = some_of(cell_texts, order_of_cells);
  RC_ASSERT(internal::first_containing(cell_texts, order, value_texts, &tree, CellsAre::anything) ==
            first_by_definition(cell_texts, order, value_texts, &tree));
}

// Local recoding: boxes over two numbers and a sex, thousands of them, overlapping.
TEST(ContainmentIndex, FindsOverlappingBoxes) {
  SeededRandom random(7);
  Rows cells;
  for (int i = 0; i < 1500; ++i) {
    const auto a = random.between(0, 90);
    const auto z = random.between(10000, 10900);
    cells.push_back({std::to_string(a) + ".." + std::to_string(a + random.between(0, 9)),
                     std::to_string(z) + ".." + std::to_string(z + random.between(0, 99)),
                     random.chance(0.3) ? "*" : (random.chance(0.5) ? "F" : "M")});
  }
  Rows values;
  for (int i = 0; i < 600; ++i) {
    values.push_back({std::to_string(random.between(0, 99)),
                      std::to_string(random.between(10000, 10999)),
                      random.chance(0.5) ? "F" : "M"});
  }
  const Table release = table_of({"age", "zip", "sex"}, cells);
  const Table people = table_of({"age", "zip", "sex"}, values);
  const std::vector<const Hierarchy*> none(3, nullptr);
  EXPECT_EQ(linked(release, people, none), by_definition(release, people, none));
}

// All pairs would be ten thousand million questions.
TEST(ContainmentIndex, ManyExactValuesOnBothSidesMeetByLookUp) {
  constexpr std::size_t kRows = 100'000;
  Rows cells;
  Rows values;
  for (std::size_t i = 0; i < kRows; ++i) {
    cells.push_back({"v" + std::to_string(i)});
    values.push_back({"v" + std::to_string(i + kRows / 2)});
  }
  const auto result = linked(table_of({"id"}, cells), table_of({"id"}, values), {nullptr});
  for (std::size_t i = 0; i < kRows; ++i) {
    ASSERT_EQ(result[i].size(), i < kRows / 2 ? 1U : 0U);
    if (i < kRows / 2) {
      ASSERT_EQ(result[i][0], i + kRows / 2);
    }
  }
}

}  // namespace
}  // namespace pratique::tables::containment_index_test
