#include "pratique/engine/internal/value_counter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "pratique/core/file.h"

namespace pratique::value_counter_test {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::vector<std::string>>;  // by column

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30U;

void add(ValueCounter& counter, const Texts& texts) {
  std::vector<std::vector<std::string_view>> views;
  for (const auto& column : texts) views.emplace_back(column.begin(), column.end());
  counter.add(views, views.front().size());
}

struct Listed {
  std::vector<std::string> values;
  std::vector<std::uint64_t> counts;
  friend bool operator==(const Listed&, const Listed&) = default;
};

Listed listed(const ValueCounts& column) {
  Listed all;
  for (const auto value : column.values.values()) all.values.emplace_back(value);
  all.counts = column.counts;
  return all;
}

std::size_t files_in(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(ValueCounter, CountsInTheOrderOfFirstAppearance) {
  const PrivateFolder folder;
  const std::size_t before = files_in(folder.path());
  ValueCounter counter({"a", "b"}, kPlenty, folder.path() + "/values");
  add(counter, {{"y", "x", "y"}, {"", "1", ""}});
  add(counter, {{"z", "y"}, {"1", ""}});
  EXPECT_EQ(files_in(folder.path()), before);
  const ValueCounts a = counter.take(0);
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(listed(a), (Listed{{"y", "x", "z"}, {3, 1, 1}}));
  EXPECT_EQ(listed(counter.take(1)), (Listed{{"", "1"}, {3, 2}}));
}

TEST(ValueCounter, PutsAsideTheColumnThatHoldsMost) {
  const PrivateFolder folder;
  const std::size_t before = files_in(folder.path());
  const std::string prefix = folder.path() + "/values";
  {
    // 40 blocks of 1,000 texts of 100 letters are 4 MB of `id`, and never more than a few KB of
    // `sex`.
    ValueCounter counter({"sex", "id"}, 1U << 20U, prefix);
    for (int block = 0; block < 40; ++block) {
      Texts texts(2);
      for (int i = 0; i < 1000; ++i) {
        texts[0].emplace_back(i % 4 == 0 ? "F" : "M");
        texts[1].push_back(std::to_string(block * 1000 + i) + std::string(95, 'x'));
      }
      add(counter, texts);
    }
    EXPECT_FALSE(fs::exists(prefix + "-0"));
    EXPECT_TRUE(fs::exists(prefix + "-1"));
    EXPECT_EQ(listed(counter.take(0)), (Listed{{"F", "M"}, {10'000, 30'000}}));
    const ValueCounts ids = counter.take(1);
    EXPECT_EQ(ids.counts, std::vector<std::uint64_t>(40'000, 1));
    EXPECT_EQ(ids.values.value(39'999), "39999" + std::string(95, 'x'));
  }
  EXPECT_EQ(files_in(folder.path()), before);
}

RC_GTEST_PROP(ValueCounter, ABoundChangesNothing, ()) {
  const PrivateFolder folder;
  const auto width = *rc::gen::inRange<std::size_t>(1, 4);
  std::vector<std::string> names;
  for (std::size_t c = 0; c < width; ++c) names.push_back("c" + std::to_string(c));
  // Of 1 byte: everything is put aside after every block.
  const auto most = *rc::gen::element<std::uint64_t>(1, 10'000, kPlenty);
  ValueCounter counter(names, most, folder.path() + "/values");
  std::vector<Listed> expected(width);
  const auto blocks = *rc::gen::inRange(0, 6);
  for (int block = 0; block < blocks; ++block) {
    const auto rows = *rc::gen::inRange<std::size_t>(0, 40);
    Texts texts(width);
    for (std::size_t c = 0; c < width; ++c) {
      texts[c] = *rc::gen::container<std::vector<std::string>>(
          rows, rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\n"))));
      for (const auto& text : texts[c]) {
        auto& [values, counts] = expected[c];
        const auto known = std::find(values.begin(), values.end(), text);
        if (known == values.end()) {
          values.push_back(text);
          counts.push_back(1);
        } else {
          ++counts[static_cast<std::size_t>(known - values.begin())];
        }
      }
    }
    add(counter, texts);
  }
  for (std::size_t c = 0; c < width; ++c) RC_ASSERT(listed(counter.take(c)) == expected[c]);
}

}  // namespace
}  // namespace pratique::value_counter_test
