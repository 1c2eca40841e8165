#include "pratique/verify/internal/likely_values.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pratique/data/builtin_hierarchies.h"

namespace pratique::verify::likely_values_test {
namespace {

const std::vector<std::string> kValues = {"",
                                          "0",
                                          "5",
                                          "5.0",
                                          "5.5",
                                          "-3",
                                          "00123",
                                          "1970",
                                          "1975",
                                          "1970-03",
                                          "1970-03-05",
                                          "1970-03-06",
                                          "1981-12-31",
                                          "F",
                                          "M",
                                          "{F|M}",
                                          "\\*",
                                          "*",
                                          "20..29",
                                          "29.5",
                                          "30",
                                          "130",
                                          "13*",
                                          "1970-03-05 12:30",
                                          "99999999999999999999",
                                          "+5"};
const std::vector<std::string> kCells = {"",
                                         "*",
                                         "5",
                                         "5.0",
                                         "0..5",
                                         "20..29",
                                         "-3..30",
                                         "5..99999999999999999999",
                                         "1970",
                                         "1970-03",
                                         "1970-03-05",
                                         "1970..1979",
                                         "1970-03-05..1981-12-31",
                                         "{F|M}",
                                         "{F|130}",
                                         "{1970|F}",
                                         "{1970-03|5}",
                                         "\\*",
                                         "\\{F|M}",
                                         "13*",
                                         "00123",
                                         "{00123|130}",
                                         "F",
                                         "130",
                                         ">=5",  // ranges without an end, of other tools
                                         ">5",
                                         "<30",
                                         "<=29.5",
                                         "90+",
                                         ">=1970-03-06",
                                         "<1981-12-31",
                                         "[5,30["};

// The cell itself decides, asked about every value.
TEST(LikelyValues, LackNothingThatACellContains) {
  Dictionary values;
  for (const auto& value : kValues) values.intern(value);
  const std::vector<std::uint64_t> counts(values.size(), 1);
  const Hierarchy flat = make_builtin_hierarchy("flat", values, counts, "c");
  Dictionary fewer;
  for (const auto* value : {"5", "F", "130", "1970-03-05"}) fewer.intern(value);
  const Hierarchy small =
      make_builtin_hierarchy("flat", fewer, std::vector<std::uint64_t>(fewer.size(), 1), "c");
  for (const Hierarchy* tree : {static_cast<const Hierarchy*>(nullptr), &flat, &small}) {
    const LikelyValues likely(values, tree);
    for (const auto& text : kCells) {
      for (const auto& cell :
           {GeneralisedValue::parse(text), GeneralisedValue::parse_foreign(text)}) {
        const auto label = cell.label_in(tree);
        const auto codes = likely.of(cell, label);
        if (!codes) continue;
        EXPECT_TRUE(std::adjacent_find(codes->begin(), codes->end()) == codes->end()) << text;
        for (Code code = 0; code < values.size(); ++code) {
          const bool listed = std::find(codes->begin(), codes->end(), code) != codes->end();
          EXPECT_TRUE(listed || !cell.contains(values.value(code), tree, label))
              << text << " contains " << values.value(code);
        }
      }
    }
  }
}

// Days of one year, of forty: a cell of a month is asked about few of them.
TEST(LikelyValues, AreFew) {
  Dictionary values;
  for (int year = 1950; year < 1990; ++year) {
    for (int day = 1; day <= 28; ++day)
      values.intern(std::to_string(year) + "-03-" + (day < 10 ? "0" : "") + std::to_string(day));
  }
  const LikelyValues likely(values, nullptr);
  const auto of = [&](const char* cell) {
    return likely.of(GeneralisedValue::parse(cell), std::nullopt)->size();
  };
  EXPECT_EQ(of("1960-03-05..1960-03-09"), 5U);
  EXPECT_EQ(of("1960-03-05"), 1U);
  EXPECT_EQ(of("1960-03"), 28U);
  EXPECT_EQ(of("{1960-03-05|1971-03-01}"), 2U);
  EXPECT_EQ(of("5..9"), 0U);
}

}  // namespace
}  // namespace pratique::verify::likely_values_test
