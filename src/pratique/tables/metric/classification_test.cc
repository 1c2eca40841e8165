#include "pratique/tables/metric/classification.h"

#include <gtest/gtest.h>

#include "pratique/crypto/random.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::classification_test {
namespace {

// A label that is the sex, and an age that says nothing.
struct World {
  Table table;
  std::vector<Hierarchy> hierarchies;
  std::vector<std::uint64_t> counts;
  ProtectionInput input;

  World() {
    SeededRandom random(4);
    Rows rows;
    for (int i = 0; i < 2000; ++i) {
      const bool woman = random.chance(0.6);
      rows.push_back(
          {std::to_string(20 + random.below(50)), woman ? "F" : "M", woman ? "yes" : "no"});
    }
    table = table_of({"age", "sex", "label"}, rows);
    counts.assign(rows.size(), 1);
    for (std::size_t c = 0; c < 2; ++c) {
      const Column& column = table.columns[c];
      hierarchies.push_back(
          make_hierarchy("flat", column.dictionary, column.counts(), column.name));
    }
    for (std::size_t c = 0; c < 2; ++c) {
      input.attributes.push_back(
          make_attribute(table.columns[c], hierarchies[c], table.columns[c].counts()));
    }
    input.counts = &counts;
  }

  // Classes by a function of the row.
  template <class ClassOf>
  [[nodiscard]] Recoding classes(std::size_t count, const ClassOf& class_of) const {
    Recoding recoding;
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      recoding.groups.push_back(row);
      recoding.counts.push_back(1);
      recoding.class_of.push_back(class_of(row));
    }
    recoding.class_count = count;
    write_cells(input, CellStyle::free, recoding);
    return recoding;
  }
};

TEST(Classification, AReleaseThatKeepsTheSexTeachesAll) {
  const World world;
  const auto& sex = world.table.columns[1].codes;
  const auto release = world.classes(2, [&](std::uint32_t row) { return sex[row]; });
  const auto accuracy = classification_accuracy(world.input, release, world.table.columns[2]);
  EXPECT_DOUBLE_EQ(accuracy.original, 1);
  EXPECT_DOUBLE_EQ(accuracy.released, 1);
  EXPECT_NEAR(accuracy.majority, 0.6, 0.06);
}

TEST(Classification, AReleaseOfOneClassTeachesNoMoreThanTheMajority) {
  const World world;
  const auto release = world.classes(1, [](std::uint32_t) { return 0; });
  const auto accuracy = classification_accuracy(world.input, release, world.table.columns[2]);
  EXPECT_DOUBLE_EQ(accuracy.released, accuracy.majority);
}

}  // namespace
}  // namespace pratique::tables::classification_test
