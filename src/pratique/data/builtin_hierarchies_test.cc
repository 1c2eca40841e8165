#include "pratique/data/builtin_hierarchies.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/data/date.h"
#include "pratique/data/generalised.h"
#include "pratique/data/number.h"

namespace pratique::builtin_hierarchies_test {
namespace {

using Node = Hierarchy::Node;

Hierarchy make(const std::string& spec, const std::vector<std::string>& values) {
  Dictionary dictionary;
  for (const auto& value : values) dictionary.intern(value);
  return make_hierarchy(spec, dictionary, std::vector<std::uint64_t>(dictionary.size(), 2), "x");
}

std::vector<std::string> path(const Hierarchy& tree, const std::string& value) {
  std::vector<std::string> labels;
  labels.reserve(static_cast<std::size_t>(tree.height()));
  for (int level = 0; level < tree.height(); ++level) {
    labels.emplace_back(tree.label(tree.ancestor(tree.leaf(value).value(), level)));
  }
  return labels;
}

using Labels = std::vector<std::string>;

Error error_of(const std::string& spec, const std::vector<std::string>& values) {
  try {
    (void)make(spec, values);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error for " << spec;
  return Error::machine("none");
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// What a label says by itself is what the tree says.
void check_labels(const Hierarchy& tree) {
  for (Node node = tree.leaf_count(); node < tree.node_count(); ++node) {
    const auto cell = GeneralisedValue::parse_foreign(tree.label(node));
    const Node meant = *tree.find(tree.label(node));
    for (Node leaf = 0; leaf < tree.leaf_count(); ++leaf) {
      ASSERT_EQ(cell.contains(tree.label(leaf)), tree.is_under(leaf, meant))
          << tree.label(node) << " and " << tree.label(leaf);
    }
  }
}

TEST(Interval, IsAlignedAtZeroAndNests) {
  const Hierarchy tree = make("interval:5,10,20", {"23", "0", "-1", "19", "20", ""});
  EXPECT_EQ(path(tree, "23"), (Labels{"23", "20..24", "20..29", "20..39", "*"}));
  EXPECT_EQ(path(tree, "0"), (Labels{"0", "0..4", "0..9", "0..19", "*"}));
  EXPECT_EQ(path(tree, "-1"), (Labels{"-1", "-5..-1", "-10..-1", "-20..-1", "*"}));
  EXPECT_EQ(path(tree, "19"), (Labels{"19", "15..19", "10..19", "0..19", "*"}));
  EXPECT_EQ(path(tree, ""), (Labels{"", "", "", "", "*"}));
  check_labels(tree);
}

TEST(Interval, RangesGoIntoTheIntervalThatHoldsThem) {
  const Hierarchy tree =
      make("interval:20,40", {"[70-80)", "60-69", "75", "80..89", "90+", "?", ""});
  EXPECT_EQ(path(tree, "[70-80)"), (Labels{"[70-80)", "60..79", "40..79", "*"}));
  EXPECT_EQ(path(tree, "60-69"), (Labels{"60-69", "60..79", "40..79", "*"}));
  EXPECT_EQ(path(tree, "75"), (Labels{"75", "60..79", "40..79", "*"}));
  EXPECT_EQ(path(tree, "80..89"), (Labels{"80..89", "80..99", "80..119", "*"}));
  EXPECT_EQ(path(tree, "90+"), (Labels{"90+", "90+", "90+", "*"}));
  EXPECT_EQ(path(tree, "?"), (Labels{"?", "?", "?", "*"}));
  // Half open: 80 is not in it, and 79.5 is.
  const Hierarchy tenths = make("interval:20", {"[70-80)", "79.5"});
  EXPECT_EQ(path(tenths, "[70-80)"), (Labels{"[70-80)", "60.0..79.9", "*"}));
  EXPECT_EQ(path(make("interval:20", {"(59-79]"}), "(59-79]"), (Labels{"(59-79]", "60..79", "*"}));
  // No interval holds all of it.
  EXPECT_TRUE(has(error_of("interval:20", {"[70-80)", "[50-75)"}).message(), "cannot place"));
  EXPECT_TRUE(has(error_of("interval:20", {"70-80"}).message(), "cannot place"));
}

TEST(Interval, HasTheDecimalsOfTheColumn) {
  const Hierarchy tree = make("interval:5,10", {"24.9", "20", "-0.1", "25.0"});
  EXPECT_EQ(path(tree, "24.9"), (Labels{"24.9", "20.0..24.9", "20.0..29.9", "*"}));
  EXPECT_EQ(path(tree, "-0.1"), (Labels{"-0.1", "-5.0..-0.1", "-10.0..-0.1", "*"}));
  check_labels(tree);
  const Hierarchy halves = make("interval:.5,1", {"1", "2"});
  EXPECT_EQ(path(halves, "1"), (Labels{"1", "1.0..1.4", "1.0..1.9", "*"}));
  check_labels(halves);
}

RC_GTEST_PROP(Interval, HoldsEveryValueOnce, ()) {
  const int places = *rc::gen::inRange(0, 4);
  const auto numbers =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-3000, 3000)));
  const int width = *rc::gen::inRange(1, 50);
  const int factor = *rc::gen::inRange(2, 6);
  std::vector<std::string> values;
  for (const int number : numbers) {
    std::string digits = std::to_string(std::abs(number));
    while (static_cast<int>(digits.size()) <= places) digits.insert(0, "0");
    if (places > 0) digits.insert(digits.size() - places, ".");
    values.push_back((number < 0 ? "-" : "") + digits);
  }
  const Hierarchy tree =
      make("interval:" + std::to_string(width) + "," + std::to_string(width * factor), values);
  check_labels(tree);
}

TEST(Interval, ARangeWithoutAnEndStaysWhatItIs) {
  const auto ages = make("interval:10,20", {"85", "90+"});
  EXPECT_EQ(path(ages, "90+"), (Labels{"90+", "90+", "90+", "*"}));
  EXPECT_EQ(path(ages, "85"), (Labels{"85", "80..89", "80..99", "*"}));
  const auto years = make("date", {"1985", "<=1936"});
  EXPECT_EQ(path(years, "<=1936"), (Labels{"<=1936", "<=1936", "<=1936", "<=1936", "*"}));
  EXPECT_THROW((void)make("interval:10", {"85", "ninety+"}), Error);
}

TEST(Interval, RefusesBadWidthsAndValues) {
  EXPECT_TRUE(has(error_of("interval:5,12", {"1"}).message(), "does not nest"));
  EXPECT_TRUE(has(error_of("interval:5,5", {"1"}).message(), "does not nest"));
  EXPECT_TRUE(has(error_of("interval:10,5", {"1"}).message(), "does not nest"));
  EXPECT_TRUE(has(error_of("interval", {"1"}).message(), "no widths"));
  for (const char* spec : {"interval:", "interval:0", "interval:-5", "interval:5,", "interval:a"}) {
    EXPECT_TRUE(has(error_of(spec, {"1"}).message(), "not a number above 0")) << spec;
  }
  const Error error = error_of("interval:5", {"1", "n/a", "2"});
  EXPECT_TRUE(has(error.message(), "cannot place 1 value (2 rows)")) << error.message();
  EXPECT_FALSE(has(error.message(), "n/a") || has(error.hint(), "n/a"));
  EXPECT_TRUE(has(error_of("interval:5", {std::string(40, '9')}).message(), "1 value"));
  EXPECT_TRUE(has(error_of("interval:5", {"0." + std::string(40, '9')}).message(), "digits"));
}

TEST(Prefix, HidesCharactersFromTheRight) {
  const Hierarchy tree = make("prefix", {"02138", "02139", "02215", "94110", ""});
  EXPECT_EQ(path(tree, "02138"), (Labels{"02138", "0213*", "021**", "02***", "0****", "*"}));
  EXPECT_EQ(tree.leaves_under(*tree.find("0213*")), 2U);
  EXPECT_EQ(tree.leaves_under(*tree.find("02***")), 3U);
  EXPECT_EQ(path(tree, ""), (Labels{"", "", "", "", "", "*"}));
  check_labels(tree);
}

TEST(Prefix, ShorterValuesWaitForTheirTurn) {
  const Hierarchy tree = make("prefix", {"021", "02138", "0"});
  EXPECT_EQ(path(tree, "02138"), (Labels{"02138", "0213*", "021**", "02***", "0****", "*"}));
  EXPECT_EQ(path(tree, "021"), (Labels{"021", "021**", "021**", "02***", "0****", "*"}));
  EXPECT_EQ(path(tree, "0"), (Labels{"0", "0****", "0****", "0****", "0****", "*"}));
  check_labels(tree);
}

TEST(Prefix, CountsCharactersAndNotBytes) {
  const Hierarchy tree = make("prefix", {"\xc3\xbc\xc3\xa4", "\xc3\xbc\xc3\xb6"});
  EXPECT_EQ(path(tree, "\xc3\xbc\xc3\xa4"), (Labels{"\xc3\xbc\xc3\xa4", "\xc3\xbc*", "*"}));
  EXPECT_EQ(tree.height(), 3);
  check_labels(tree);
  EXPECT_EQ(make("prefix", {""}).height(), 2);
  EXPECT_TRUE(has(error_of("prefix", {std::string(65, 'x')}).message(), "65 characters"));
}

RC_GTEST_PROP(Prefix, IsATreeOverAnyValues, (std::vector<std::string> values)) {
  if (values.empty()) return;
  for (auto& value : values) value.resize(std::min<std::size_t>(value.size(), 64));
  const Hierarchy tree = make("prefix", values);
  for (Node leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    RC_ASSERT(tree.is_under(leaf, tree.root()));
  }
}

TEST(DateHierarchy, GoesFromDayToDecade) {
  const Hierarchy tree = make("date", {"1970-03-05", "1979-12-31", "1970-03", "1970", ""});
  EXPECT_EQ(path(tree, "1970-03-05"), (Labels{"1970-03-05", "1970-03", "1970", "1970..1979", "*"}));
  EXPECT_EQ(path(tree, "1970-03"), (Labels{"1970-03", "1970-03", "1970", "1970..1979", "*"}));
  EXPECT_EQ(path(tree, "1970"), (Labels{"1970", "1970", "1970", "1970..1979", "*"}));
  EXPECT_EQ(path(tree, ""), (Labels{"", "", "", "", "*"}));
  check_labels(tree);
}

TEST(DateHierarchy, TimesGetALevelOfDays) {
  const Hierarchy tree = make("date", {"1970-03-05 10:00", "1970-03-05 11:00", "1970-04-01"});
  EXPECT_EQ(path(tree, "1970-03-05 10:00"),
            (Labels{"1970-03-05 10:00", "1970-03-05", "1970-03", "1970", "1970..1979", "*"}));
  EXPECT_EQ(tree.leaves_under(*tree.find("1970-03-05")), 2U);
  check_labels(tree);
}

RC_GTEST_PROP(DateHierarchy, LabelsMeanWhatTheTreeMeans, ()) {
  const auto days =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-40000, 40000)));
  std::vector<std::string> values;
  values.reserve(days.size());
  for (const int day : days) values.push_back(to_string(civil_from_days(day)));
  check_labels(make("date", values));
}

TEST(DateHierarchy, TheColumnTellsTheMonthFromTheDay) {
  EXPECT_EQ(path(make("date", {"03/05/1970", "03/25/1970"}), "03/05/1970")[1], "1970-03");
  EXPECT_EQ(path(make("date", {"03/05/1970", "25/03/1970"}), "03/05/1970")[1], "1970-05");
  EXPECT_EQ(path(make("date", {"5.5.1970"}), "5.5.1970")[1], "1970-05");
  EXPECT_EQ(path(make("date", {"1970/03/05", "19700405"}), "19700405")[1], "1970-04");
  const Error ambiguous = error_of("date", {"03/05/1970", "04/06/1970"});
  EXPECT_TRUE(has(ambiguous.message(), "do not show which number is the month"));
  EXPECT_TRUE(has(ambiguous.hint(), "YYYY-MM-DD"));
  EXPECT_TRUE(has(error_of("date", {"03/25/1970", "25/03/1970"}).message(), "month first"));
  EXPECT_TRUE(has(error_of("date", {"1970-02-30", "soon"}).message(), "2 values"));
}

TEST(Icd9Hierarchy, GoesFromDigitsToChapters) {
  const Hierarchy tree =
      make("icd9", {"296.01", "296.02", "296.1", "296", "V45.69", "E812.3", "042", ""});
  EXPECT_EQ(path(tree, "296.01"), (Labels{"296.01", "296.0", "296", "295-299", "290-319", "*"}));
  EXPECT_EQ(path(tree, "296.1"), (Labels{"296.1", "296.1", "296", "295-299", "290-319", "*"}));
  EXPECT_EQ(path(tree, "296"), (Labels{"296", "296", "296", "295-299", "290-319", "*"}));
  EXPECT_EQ(path(tree, "V45.69"), (Labels{"V45.69", "V45.6", "V45", "V40-V49", "V01-V91", "*"}));
  EXPECT_EQ(path(tree, "E812.3"),
            (Labels{"E812.3", "E812.3", "E812", "E810-E819", "E000-E999", "*"}));
  EXPECT_EQ(path(tree, "042"), (Labels{"042", "042", "042", "042", "001-139", "*"}));
  EXPECT_EQ(path(tree, ""), (Labels{"", "", "", "", "", "*"}));
  // The label 296 is the category, not the one leaf.
  EXPECT_EQ(tree.leaves_under(*tree.find("296")), 4U);
  EXPECT_TRUE(GeneralisedValue::parse("296").contains("296.02", &tree));
  EXPECT_TRUE(GeneralisedValue::parse_foreign("295-299").contains("296.02", &tree));
}

TEST(Icd9Hierarchy, WritesThePointAsTheColumnDoes) {
  EXPECT_EQ(path(make("icd9", {"29601", "E8123"}), "29601")[1], "2960");
  EXPECT_EQ(path(make("icd9", {"29601", "250.00"}), "29601")[1], "296.0");
  const Error error = error_of("icd9", {"296.01", "019", "4.1", "E82.8"});
  EXPECT_TRUE(has(error.message(), "cannot place 3 values")) << error.message();
  EXPECT_FALSE(has(error.message(), "019"));
}

TEST(Icd9Hierarchy, PlacesEveryPublishedCode) {
  const char* file = "../shared/data/codes/icd9cm_hierarchy.csv";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  std::ifstream lines(file);
  std::string line;
  std::getline(lines, line);
  std::vector<std::string> codes;
  while (std::getline(lines, line)) {
    const std::size_t start = line.find(',') + 1;
    codes.push_back(line.substr(start, line.find(',', start) - start));
  }
  const Hierarchy tree = make("icd9", codes);
  EXPECT_EQ(tree.leaf_count(), 17561U);
  EXPECT_EQ(tree.children(tree.root()).size(), 19U);
}

TEST(Flat, PutsEverythingUnderTheRoot) {
  const Hierarchy tree = make("flat", {"F", "M", "", "*"});
  EXPECT_EQ(tree.height(), 2);
  EXPECT_EQ(tree.leaves_under(tree.root()), 4U);
  EXPECT_EQ(*tree.find("*"), tree.root());
  check_labels(tree);
}

TEST(MakeHierarchy, ReadsFilesAndOffersNames) {
  const PrivateFolder folder;
  const std::string file = folder.path() + "/sex.csv";
  write_file_atomically(file, "F;*\nM;*\n");
  EXPECT_EQ(make(file, {"M"}).leaf_count(), 2U);
  EXPECT_TRUE(has(error_of(file, {"M", "X"}).message(), "is missing 1 value (2 rows)"));
  EXPECT_EQ(error_of(folder.path() + "/none.csv", {"M"}).code(), ErrorCode::bad_input);
  EXPECT_TRUE(has(error_of("prefx", {"M"}).hint(), "prefix"));
  EXPECT_TRUE(has(error_of("intervall:5", {"1"}).hint(), "interval"));
  EXPECT_TRUE(has(error_of("something else", {"1"}).hint(), "CSV"));
  EXPECT_TRUE(has(error_of("flat", {}).message(), "no values"));
}

}  // namespace
}  // namespace pratique::builtin_hierarchies_test
