#include "pratique/engine/people.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>

#include "pratique/core/file.h"

namespace pratique::people_test {
namespace {

using Row = std::vector<std::string>;
using Names = std::vector<std::string>;

class PeopleTest : public testing::Test {
 protected:
  // Rows of a, b, c and who; people have several, in any order.
  std::vector<Row> rows_by_chance(std::mt19937& random, std::size_t rows, std::size_t people) {
    std::vector<Row> all;
    for (std::size_t i = 0; i < rows; ++i) {
      all.push_back({"a" + std::to_string(random() % 2), "b" + std::to_string(random() % 3),
                     random() % 4 == 0 ? "" : "c" + std::to_string(random() % 5),
                     "p" + std::to_string(random() % people)});
    }
    return all;
  }
  Source written(const std::vector<Row>& rows) {
    const std::string path = folder_.path() + "/" + std::to_string(++files_) + ".csv";
    std::ofstream text(path);
    text << "a,b,c,who\n";
    for (const auto& row : rows)
      text << row[0] << ',' << row[1] << ',' << row[2] << ',' << row[3] << '\n';
    text.close();
    return engine->open(path, {}, progress);
  }
  // By the definition: the rows of each person as a set with repetitions.
  static std::vector<std::uint64_t> by_definition(const std::vector<Row>& rows,
                                                  const std::vector<std::size_t>& columns,
                                                  bool has_people) {
    std::map<std::string, std::vector<Row>> said;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Row cells;
      for (const auto c : columns) cells.push_back(rows[i][c]);
      said[has_people ? rows[i][3] : std::to_string(i)].push_back(cells);
    }
    std::map<std::vector<Row>, std::uint64_t> alike;
    for (auto& [who, cells] : said) {
      std::sort(cells.begin(), cells.end());
      ++alike[cells];
    }
    std::vector<std::uint64_t> sizes;
    for (const auto& [cells, count] : alike) sizes.push_back(count);
    std::sort(sizes.begin(), sizes.end());
    return sizes;
  }

  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});
  Progress& progress = Progress::silent();

 private:
  PrivateFolder folder_;
  int files_ = 0;
};

TEST_F(PeopleTest, WhoIsAlikeFollowsFromAllRowsOfAPerson) {
  std::mt19937 random(1);
  for (const std::size_t people : {1U, 3U, 20U, 60U}) {
    const auto rows = rows_by_chance(random, 60, people);
    const Source source = written(rows);
    for (const std::string person : {"who", ""}) {
      const PeopleAlike alike(*engine, source, {"a", "b", "c"}, person, progress);
      for (const auto& [names, columns] : std::map<Names, std::vector<std::size_t>>{
               {{"a"}, {0}}, {{"b", "a"}, {1, 0}}, {{"a", "b", "c"}, {0, 1, 2}}, {{"c"}, {2}}}) {
        auto sizes = alike.sizes(names);
        std::sort(sizes.begin(), sizes.end());
        const auto expected = by_definition(rows, columns, !person.empty());
        EXPECT_EQ(sizes, expected) << people << person;
        EXPECT_EQ(alike.alone(names),
                  static_cast<std::uint64_t>(std::count(expected.begin(), expected.end(), 1U)));
        EXPECT_EQ(count_people_alone(*engine, source, names, person, progress), alike.alone(names));
      }
      EXPECT_TRUE(alike.sizes({}).empty());
      // Of columns that were not read when it was made, the same.
      auto more = PeopleAlike(*engine, source, {"a"}, person, progress).sizes({"a", "c"});
      std::sort(more.begin(), more.end());
      EXPECT_EQ(more, by_definition(rows, {0, 2}, !person.empty()));
    }
  }
}

TEST_F(PeopleTest, SpellingsOfOnePersonAreOnePerson) {
  const Source source =
      written({{"a1", "b1", "", "Ann"}, {"a1", "b2", "", "ANN"}, {"a1", "b1", "", "Bob"}});
  const PeopleAlike alike(*engine, source, {"a", "b"}, "who", progress);
  EXPECT_EQ(alike.people(), 2U);
  EXPECT_EQ(alike.alone({"a"}), 2U);  // of one row, and of two
  EXPECT_EQ(alike.sizes({"b"}), (std::vector<std::uint64_t>{1, 1}));
}

TEST_F(PeopleTest, ColumnsThatTellMostApart) {
  std::vector<Row> rows;
  for (int i = 0; i < 12; ++i)
    rows.push_back(
        {"same", "b" + std::to_string(i % 4), "c" + std::to_string(i), "p" + std::to_string(i)});
  const Source source = written(rows);
  for (const std::string person : {"who", ""}) {
    const PeopleAlike alike(*engine, source, {"a", "b", "c"}, person, progress);
    EXPECT_EQ(alike.telling_most_apart({"a", "c"}),
              (Names{"a", "c"}));  // together, all are told apart
    EXPECT_EQ(alike.telling_most_apart({"a", "b"}), Names());
    EXPECT_EQ(alike.telling_most_apart({}), Names());
  }
}

}  // namespace
}  // namespace pratique::people_test
