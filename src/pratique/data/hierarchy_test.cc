#include "pratique/data/hierarchy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "pratique/core/csv_field.h"
#include "pratique/core/error.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/data/uncovered.h"

namespace pratique::hierarchy_test {
namespace {

using Node = Hierarchy::Node;
using Path = std::vector<std::string>;

Hierarchy build(const std::vector<Path>& paths) {
  Hierarchy::Builder builder("test");
  std::size_t line = 0;
  for (const auto& path : paths) {
    builder.add(std::vector<std::string_view>(path.begin(), path.end()), ++line);
  }
  return builder.build();
}

// What is promised of every hierarchy, from the paths it was made of.
void check(const Hierarchy& tree, const std::vector<Path>& paths) {
  std::set<std::string> leaves;
  std::map<std::pair<int, std::string>, std::set<std::string>> under;
  std::map<std::string, int> highest;
  for (const auto& path : paths) {
    leaves.insert(path[0]);
    for (int level = 0; level < static_cast<int>(path.size()); ++level) {
      under[{level, path[level]}].insert(path[0]);
      highest[path[level]] = std::max(highest[path[level]], level);
    }
  }
  ASSERT_EQ(tree.height(), static_cast<int>(paths[0].size()));
  ASSERT_EQ(tree.node_count(), under.size());
  ASSERT_EQ(tree.leaf_count(), leaves.size());
  ASSERT_EQ(tree.parent(tree.root()), tree.root());
  ASSERT_EQ(tree.level(tree.root()), tree.height() - 1);
  for (const auto& path : paths) {
    const auto leaf = tree.leaf(path[0]);
    ASSERT_TRUE(leaf);
    Node node = *leaf;
    for (int level = 0; level < tree.height(); ++level) {
      ASSERT_EQ(tree.ancestor(*leaf, level), node);
      ASSERT_EQ(tree.label(node), path[level]);
      ASSERT_EQ(tree.level(node), level);
      node = tree.parent(node);
    }
  }
  std::size_t children = 0;
  for (Node node = 0; node < tree.node_count(); ++node) {
    const std::string label(tree.label(node));
    const auto& expected = under.at({tree.level(node), label});
    ASSERT_EQ(tree.leaves_under(node), expected.size()) << label;
    ASSERT_EQ(tree.is_leaf(node), tree.level(node) == 0);
    for (const Node child : tree.children(node)) {
      ASSERT_EQ(tree.parent(child), node);
      ++children;
    }
    for (const auto& value : leaves) {
      ASSERT_EQ(tree.is_under(*tree.leaf(value), node), expected.contains(value));
    }
    ASSERT_EQ(tree.level(*tree.find(label)), highest.at(label));
    for (int level = tree.level(node); level < tree.height(); ++level) {
      ASSERT_EQ(tree.level(tree.ancestor(node, level)), level);
    }
    ASSERT_EQ(tree.ancestor(node, 0), node);
  }
  ASSERT_EQ(children, tree.node_count() - 1);
}

Error error_of(const std::string& text) {
  try {
    (void)parse_hierarchy_csv(text, "h.csv");
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error for " << text;
  return Error::machine("none");
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Hierarchy, KeepsItsPromises) {
  const std::vector<Path> paths = {{"a", "A", "*"}, {"b", "A", "*"}, {"c", "B", "*"},
                                   {"A", "C", "*"}, {"", "", "*"},   {"a", "A", "*"},
                                   {"*", "C", "*"}, {"d", "d", "*"}};
  check(build(paths), paths);
  check(build({{"only"}}), {{"only"}});
  check(build({{"x", "*"}}), {{"x", "*"}});
}

TEST(Hierarchy, NumbersLeavesFirstInTheOrderGiven) {
  const Hierarchy tree = build({{"b", "B", "*"}, {"a", "A", "*"}, {"c", "B", "*"}});
  std::vector<std::string> labels;
  for (Node node = 0; node < tree.node_count(); ++node) labels.emplace_back(tree.label(node));
  EXPECT_EQ(labels, (std::vector<std::string>{"b", "a", "c", "B", "A", "*"}));
  EXPECT_FALSE(tree.leaf("B"));
  EXPECT_FALSE(tree.leaf("z"));
  EXPECT_FALSE(tree.find("z"));
  const auto children = tree.children(3);
  EXPECT_EQ(std::vector<Node>(children.begin(), children.end()), (std::vector<Node>{0, 2}));
}

// Random digits name a node of level l by their last digits, so the paths are always a tree.
RC_GTEST_PROP(Hierarchy, KeepsItsPromisesOnRandomTrees, ()) {
  const int height = *rc::gen::inRange(1, 5);
  const auto values =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 1000)));
  std::vector<Path> paths;
  for (const int value : values) {
    Path path;
    int rest = value;
    for (int level = 0; level + 1 < height; ++level, rest /= 4)
      path.push_back(std::to_string(rest));
    path.emplace_back("*");
    paths.push_back(path);
  }
  if (height == 1) paths.resize(1);
  check(build(paths), paths);
}

// Every list of up to three paths over two labels: built exactly when it is a tree by definition.
TEST(Hierarchy, BuildsExactlyTheTrees) {
  std::vector<Path> all;
  for (const char* leaf : {"a", "b"}) {
    for (const char* middle : {"a", "b"}) {
      for (const char* upper : {"a", "b"}) {
        for (const char* root : {"a", "b"}) all.push_back({leaf, middle, upper, root});
      }
    }
  }
  int trees = 0;
  for (const auto& p : all) {
    for (const auto& q : all) {
      for (const auto& r : all) {
        const std::vector<Path> paths = {p, q, r};
        bool tree = p[3] == q[3] && q[3] == r[3];
        for (int level = 0; level < 3; ++level) {
          std::map<std::string, std::string> parent;
          for (const auto& path : paths) {
            const auto [at, is_new] = parent.emplace(path[level], path[level + 1]);
            tree = tree && at->second == path[level + 1];
          }
        }
        if (tree) {
          ++trees;
          check(build(paths), paths);
        } else {
          EXPECT_THROW((void)build(paths), Error);
        }
      }
    }
  }
  EXPECT_GT(trees, 16);
}

TEST(HierarchyCsv, FindsTheDelimiter) {
  EXPECT_EQ(parse_hierarchy_csv("1;[0, 5[;*\n7;[5, 10[;*\n", "h").label(2), "[0, 5[");
  EXPECT_EQ(parse_hierarchy_csv("a,A,*\nb,A,*\n", "h").height(), 3);
  EXPECT_EQ(parse_hierarchy_csv("a;b\tA\t*\nc\tA\t*\n", "h").height(), 3);
  EXPECT_TRUE(parse_hierarchy_csv("\"a;b\",A,*\n\"c\",A,*\n", "h").leaf("a;b"));
}

TEST(HierarchyCsv, ReadsQuotesMarksAndLineEnds) {
  const Hierarchy tree =
      parse_hierarchy_csv("\xef\xbb\xbf\"say \"\"a\"\"\";A;*\r\n\r\nb;\"A\";*\r\"x\ny\";A;*", "h");
  EXPECT_EQ(tree.leaf_count(), 3U);
  EXPECT_TRUE(tree.leaf("say \"a\""));
  EXPECT_TRUE(tree.leaf("x\ny"));
  EXPECT_EQ(tree.leaves_under(*tree.find("A")), 3U);
  EXPECT_TRUE(parse_hierarchy_csv("5\" pipe;*\n", "h").leaf("5\" pipe"));
  EXPECT_TRUE(parse_hierarchy_csv("M\xfcnster;*\n", "h").leaf("M\xc3\xbcnster"));
  EXPECT_TRUE(parse_hierarchy_csv("M\xc3\xbcnster;*\n", "h").leaf("M\xc3\xbcnster"));
}

TEST(HierarchyCsv, AnEmptyLeafIsTheMissingValue) {
  const Hierarchy tree = parse_hierarchy_csv("a;A;*\n;;*\n", "h");
  ASSERT_TRUE(tree.leaf(""));
  EXPECT_EQ(tree.ancestor(*tree.leaf(""), 2), tree.root());
  EXPECT_TRUE(parse_hierarchy_csv("a;A;*\n;Unknown;*\n", "h").leaf(""));
}

// A code that is a category as well, one straight under the root, and one that goes all the way.
TEST(HierarchyCsv, PathsMayBeRaggedWhereThatIsAllowed) {
  const auto* text = "401.1;401;Heart;*\n401;Heart;*\nV10;*\n";
  EXPECT_THROW((void)parse_hierarchy_csv(text, "h.csv"), Error);
  const Hierarchy tree = parse_hierarchy_csv(text, "h.csv", PathLengths::ragged);
  EXPECT_EQ(tree.height(), 4);
  const auto path = [&](const char* leaf) {
    std::vector<std::string> labels;
    for (int level = 0; level < 4; ++level)
      labels.emplace_back(tree.label(tree.ancestor(*tree.leaf(leaf), level)));
    return labels;
  };
  EXPECT_EQ(path("401.1"), (std::vector<std::string>{"401.1", "401", "Heart", "*"}));
  EXPECT_EQ(path("401"), (std::vector<std::string>{"401", "401", "Heart", "*"}));
  EXPECT_EQ(path("V10"), (std::vector<std::string>{"V10", "V10", "V10", "*"}));
  EXPECT_EQ(tree.parent(*tree.leaf("401")), tree.parent(*tree.leaf("401.1")));
}

TEST(HierarchyCsv, NamesFileAndLine) {
  Error error = error_of("a;A;*\nb;*\n");
  EXPECT_EQ(error.place(), "h.csv:2");
  EXPECT_TRUE(has(error.message(), "2 levels"));

  error = error_of("a;A;*\n\nb;B;*\na;B;*\n");
  EXPECT_EQ(error.place(), "h.csv:4");
  EXPECT_TRUE(has(error.message(), "'a' has two paths"));
  EXPECT_TRUE(has(error.message(), "in line 1"));

  error = error_of("a;A;X;*\nb;A;Y;*\n");
  EXPECT_EQ(error.place(), "h.csv:2");
  EXPECT_TRUE(has(error.message(), "'A' at level 1 has two parents: 'Y' here and 'X' in line 1"));

  error = error_of("a;A;*\nb;B;ALL\n");
  EXPECT_EQ(error.place(), "h.csv:2");
  EXPECT_TRUE(has(error.message(), "two roots: 'ALL' and '*'"));

  error = error_of("value;group;any\nb;B;*\n");
  EXPECT_TRUE(has(error.hint(), "header"));

  error = error_of("a;;*\n");
  EXPECT_EQ(error.place(), "h.csv:1");
  EXPECT_TRUE(has(error.message(), "level 1 of 'a' is empty"));

  error = error_of("a;A;*\n;;\n");
  EXPECT_EQ(error.place(), "h.csv:2");

  error = error_of("a;A;*\n\"b;A;*\nc;A;*\n");
  EXPECT_EQ(error.place(), "h.csv:2");
  EXPECT_TRUE(has(error.message(), "does not end"));

  error = error_of("a;A;*\n\"b\"x;A;*\n");
  EXPECT_EQ(error.place(), "h.csv:2");

  error = error_of("a\nb\n");
  EXPECT_EQ(error.place(), "h.csv:1");

  EXPECT_EQ(error_of("").place(), "h.csv");
  EXPECT_EQ(error_of("\n\r\n").place(), "h.csv");
  EXPECT_TRUE(has(error_of(std::string("a;\0;*", 5)).message(), "NUL"));
}

TEST(HierarchyCsv, WritesFieldsThatItReads) {
  for (const std::string value : {"plain", "a;b", "say \"x\"", "two\nlines", "a,b", " "}) {
    for (const char delimiter : {';', ',', '\t'}) {
      const std::string line = csv_field(value) + delimiter + "*\n";
      EXPECT_TRUE(parse_hierarchy_csv(line, "h").leaf(value)) << line;
    }
  }
  EXPECT_EQ(csv_field("a b"), "a b");
}

TEST(Hierarchy, BindsEveryValue) {
  const Hierarchy tree = parse_hierarchy_csv("b;B;*\na;A;*\n;;*\n", "h.csv");
  Dictionary values;
  for (const char* value : {"a", "", "b"}) values.intern(value);
  EXPECT_EQ(tree.bind(values, {5, 1, 2}, "x"),
            (std::vector<Node>{*tree.leaf("a"), *tree.leaf(""), *tree.leaf("b")}));
}

TEST(Hierarchy, NamesWhatItLacksAndTheFix) {
  const Hierarchy tree = parse_hierarchy_csv("b,B,*\n", "h.csv");
  Dictionary values;
  std::vector<std::uint64_t> counts;
  for (int i = 0; i < 12; ++i) {
    values.intern("v" + std::to_string(i));
    counts.push_back(static_cast<std::uint64_t>(i + 1));
  }
  values.intern("b");
  counts.push_back(1);
  values.intern("");
  counts.push_back(100);
  values.intern("q,\"r");
  counts.push_back(50);
  try {
    (void)tree.bind(values, counts, "degree");
    FAIL() << "no error";
  } catch (const UncoveredValues& error) {
    EXPECT_EQ(error.place(), "h.csv");
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    // 1 to 12, 100 and 50.
    EXPECT_TRUE(has(error.message(), "'degree' is missing 14 values (228 rows)"))
        << error.message();
    for (const auto& said : {error.message(), error.hint()}) {
      EXPECT_FALSE(has(said, "v11") || has(said, "q,") || has(said, "(empty)")) << said;
    }
    EXPECT_TRUE(has(error.values(),
                    "(empty) (100 rows), 'q,\"r' (50 rows), 'v11' (12 rows), 'v10' (11 rows)"))
        << error.values();
    EXPECT_TRUE(has(error.values(), "'v4' (5 rows) and 4 more")) << error.values();
    EXPECT_FALSE(has(error.values(), "'v3'"));
    EXPECT_TRUE(has(error.values(), "\n,,*\n\"q,\"\"r\",LEVEL1,*\nv11,LEVEL1,*\n"))
        << error.values();
  }
  // The lines to add are what was missing.
  EXPECT_TRUE(parse_hierarchy_csv("b,B,*\n,,*\n\"q,\"\"r\",LEVEL1,*\n", "h").leaf("q,\"r"));
}

TEST(Hierarchy, ReadsTheHierarchiesOfAdult) {
  const std::filesystem::path folder = "../shared/data/adult";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!has(entry.path().filename(), "hierarchy")) continue;
    ++files;
    const Hierarchy tree = read_hierarchy_csv(entry.path());
    EXPECT_EQ(tree.label(tree.root()), "*");
  }
  EXPECT_EQ(files, 9U);
}

}  // namespace
}  // namespace pratique::hierarchy_test
