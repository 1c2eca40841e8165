#include "pratique/kind/run.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/kind/group_sizes.h"

namespace pratique::run_test {
namespace {

class RunTest : public testing::Test {
 protected:
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});
  pratique::Run run{.engine = *engine,
                    .progress = Progress::silent(),
                    .command = {"tables", "protect"},
                    .options = Json{{"k", 5}}};
};

TEST_F(RunTest, AGivenSeedIsTakenAsItIs) {
  for (const std::uint64_t seed : {0U, 7U}) {
    const Seeded seeded = with_seed(run, seed);
    EXPECT_EQ(seeded.seed, seed);
    EXPECT_EQ(seeded.command, run.command);
    EXPECT_EQ(*seeded.options, *run.options);
  }
}

// Whoever repeats the command gets the same release.
TEST_F(RunTest, ADrawnSeedIsRecordedInTheCommandAndTheOptions) {
  const Seeded seeded = with_seed(run, std::nullopt);
  EXPECT_EQ(seeded.command,
            (std::vector<std::string>{"tables", "protect", "--seed", std::to_string(seeded.seed)}));
  EXPECT_EQ((*seeded.options)["seed"], seeded.seed);
  EXPECT_EQ((*seeded.options)["k"], 5);
  EXPECT_NE(seeded.seed, with_seed(run, std::nullopt).seed);
}

TEST_F(RunTest, TheSettingsFileIsAmongTheSettings) {
  EXPECT_TRUE(run.settings().empty());
  EXPECT_EQ(run.settings({"a"}), std::vector<std::string>{"a"});
  run.config = "pratique.toml";
  EXPECT_EQ(run.settings({"a"}), (std::vector<std::string>{"a", "pratique.toml"}));
}

TEST(GroupSizes, FromOneToSevenTimesTheDouble) {
  using release::group_size_steps;
  EXPECT_EQ(group_size_steps(5), (std::vector<std::uint64_t>{1, 5, 10, 20, 40, 80, 160, 320, 640}));
  // Groups of one are their own step, whatever k.
  EXPECT_EQ(group_size_steps(1), group_size_steps(2));
  EXPECT_EQ(group_size_steps(0), group_size_steps(2));
  EXPECT_EQ(group_size_steps(2).at(1), 2U);
}

}  // namespace
}  // namespace pratique::run_test
