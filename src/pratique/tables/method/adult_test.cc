// The methods on UCI Adult, where it is at hand: how much they may lose, and in which order they
// come.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "pratique/data/hierarchy_csv.h"
#include "pratique/tables/method/clustering.h"
#include "pratique/tables/method/mondrian.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::adult_test {
namespace {

const std::string kFolder = "../shared/data/adult/";

class Adult : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kFolder + "adult.csv")) GTEST_SKIP() << "no " << kFolder;
    std::ifstream file(kFolder + "adult.csv");
    const auto fields = [&] {
      std::string line;
      std::getline(file, line);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      std::istringstream stream(line);
      std::vector<std::string> cells;
      for (std::string field; std::getline(stream, field, ';');) cells.push_back(field);
      return cells;
    };
    const auto names = fields();
    std::map<std::vector<std::string>, std::uint64_t> rows;
    for (auto row = fields(); !row.empty(); row = fields()) ++rows[row];
    Rows distinct;
    for (const auto& [row, count] : rows) {
      distinct.push_back(row);
      counts_.push_back(count);
    }
    table_ = table_of(names, distinct);
    for (const auto& column : table_.columns) {
      if (column.name == "occupation") {
        input_.sensitive.push_back(&column);
        continue;
      }
      hierarchies_.push_back(std::make_unique<Hierarchy>(
          read_hierarchy_csv(kFolder + "adult_hierarchy_" + column.name + ".csv")));
      input_.attributes.push_back(make_attribute(column, *hierarchies_.back(), column.counts()));
    }
    input_.counts = &counts_;
  }

  Table table_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::unique_ptr<Hierarchy>> hierarchies_;
  ProtectionInput input_;
};

TEST_F(Adult, LosesLittleAtFive) {
  const auto models = k_only(5);
  for (const auto style : {CellStyle::labels, CellStyle::free}) {
    ClusteringOptions options;
    options.style = style;
    const auto recoding = cluster_up(input_, models, options);
    expect_sound(input_, models, recoding);
    EXPECT_LE(loss_metric(input_, recoding), style == CellStyle::labels ? 0.062 : 0.0120);
  }
}

TEST_F(Adult, BottomUpLosesLeastThenTopDownThenMondrian) {
  for (const std::uint64_t k : {2, 10, 50}) {
    const auto models = k_only(k);
    const auto up = normalized_certainty_penalty(input_, cluster_up(input_, models, {}));
    const auto down = normalized_certainty_penalty(input_, cluster_down(input_, models, {}));
    const auto cut = normalized_certainty_penalty(input_, mondrian(input_, models, {}));
    EXPECT_LT(up, down) << k;
    EXPECT_LT(down, cut) << k;
  }
}

TEST_F(Adult, ModelsOnTheSensitiveValueHoldToo) {
  auto models = k_only(5);
  models.push_back(diverse_for_test(3, 0.5));
  expect_sound(input_, models, mondrian(input_, models, {}));
  expect_sound(input_, models, cluster_down(input_, models, {}));
}

}  // namespace
}  // namespace pratique::tables::adult_test
