#include "pratique/kind/singled_out.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

namespace pratique::release::singled_out_test {
namespace {

TEST(SingledOut, ModelsThatSayNothingHoldNoColumn) {
  const auto held = [](const char* claims) { return held_secrets(Json::parse(claims)); };
  using Names = std::vector<std::string>;
  EXPECT_EQ(held(R"([{"model": "k-anonymity", "k": 5}])"), Names{});
  EXPECT_EQ(held(R"([{"k": 5}, {"sensitive": "ill", "l": 2}, {"sensitive": "pay", "t": 0.3}])"),
            (Names{"ill", "pay"}));
  for (const char* empty : {R"("l": 1)", R"("alpha": 1)", R"("t": 1)", R"("p": 1.0)", R"("e": 0)",
                            R"("e": 5, "m": 1)", R"("share": 0.1, "value": "flu")"})
    EXPECT_EQ(held((std::string(R"([{"sensitive": "ill", )") + empty + "}]").c_str()), Names{})
        << empty;
  for (const char* some : {R"("alpha": 0.9)", R"("e": 0, "m": 2)", R"("e": 3)", R"("p": 0.5)"})
    EXPECT_EQ(held((std::string(R"([{"sensitive": "ill", )") + some + "}]").c_str()), Names{"ill"})
        << some;
  EXPECT_EQ(held(R"([{"sensitive": ["410", "411"], "k": 5}, "not a claim"])"), Names{});  // codes
}

TEST(SingledOut, OnlyWhoStandsAloneCounts) {
  const std::vector<Code> ward = {0, 0, 1, 2};
  const std::vector<Code> day = {0, 1, 0, 0};
  const std::vector<std::uint64_t> each = {1, 1, 1, 1};
  EXPECT_EQ(singled_out({}, each), 0U);
  EXPECT_EQ(singled_out({&ward}, each), 2U);
  EXPECT_EQ(singled_out({&ward, &day}, each), 4U);
  const std::vector<std::uint64_t> many = {1, 3, 2, 1};
  EXPECT_EQ(singled_out({&ward}, many), 1U);
  EXPECT_EQ(singled_out({&day, &ward}, many), 2U);
  EXPECT_EQ(singled_out({&ward}, {}), 0U);
}

RC_GTEST_PROP(SingledOut, AreTheCombinationsOfOneRecord, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(0, 12);
  const auto width = *rc::gen::inRange<std::size_t>(1, 4);
  std::vector<std::vector<Code>> columns(width);
  for (auto& column : columns)
    column = *rc::gen::container<std::vector<Code>>(rows, rc::gen::inRange<Code>(0, 3));
  const auto counts =
      *rc::gen::container<std::vector<std::uint64_t>>(rows, rc::gen::inRange<std::uint64_t>(1, 3));
  std::map<std::vector<Code>, std::uint64_t> records;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<Code> cells;
    for (const auto& column : columns) cells.push_back(column[row]);
    records[cells] += counts[row];
  }
  std::uint64_t alone = 0;
  for (const auto& [cells, count] : records) alone += count == 1 ? 1 : 0;
  std::vector<const std::vector<Code>*> pointers;
  for (const auto& column : columns) pointers.push_back(&column);
  RC_ASSERT(singled_out(pointers, counts) == alone);
}

}  // namespace
}  // namespace pratique::release::singled_out_test
