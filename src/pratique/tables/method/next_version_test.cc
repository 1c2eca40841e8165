#include "pratique/tables/method/next_version.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/model/l_diversity.h"
#include "pratique/tables/testing/protection_for_test.h"

namespace pratique::tables::next_version_test {
namespace {

struct Person {
  int place = 0;  // 0 to 3; the level above has 0 and 1, 2 and 3
  int value = 0;
};

// People as the methods see them: each a group of its own.
std::unique_ptr<ProtectionForTest> world_of(const std::vector<Person>& people) {
  auto world = std::make_unique<ProtectionForTest>();
  Rows rows;
  for (const auto& person : people)
    rows.push_back({std::to_string(person.place), "v" + std::to_string(person.value)});
  world->table = table_of({"place", "s"}, rows);
  world->counts.assign(people.size(), 1);
  Hierarchy::Builder builder("test");
  for (const auto& [leaf, node] :
       {std::pair("0", "low"), {"1", "low"}, {"2", "high"}, {"3", "high"}})
    builder.add(std::vector<std::string_view>{leaf, node, "*"});
  world->hierarchies.push_back(builder.build());
  world->connect();
  return world;
}

EarlierVersion version_of(const Recoding& recoding, const ProtectionForTest& world) {
  EarlierVersion version;
  for (std::size_t entry = 0; entry < recoding.groups.size(); ++entry) {
    const auto& column = recoding.columns[0];
    version[{column.values[column.codes[entry]]}]
           [{std::string(world.table.columns[1].text(recoding.groups[entry]))}] +=
        recoding.counts[entry];
  }
  return version;
}

Models models_of(std::uint64_t k, std::uint64_t l) {
  Models models;
  models.push_back(k_anonymity(k));
  models.push_back(distinct_l_diversity(l, {0, "s"}));
  return models;
}

TEST(NextVersion, WhoComesAloneWaits) {
  std::vector<Person> people;
  for (int p = 0; p < 6; ++p) people.push_back({p % 4, p % 3});
  const auto models = models_of(2, 2);
  const auto first = world_of(people);
  EarlierVersions earlier{.levels = {2}, .k = 2, .l = {2}};
  earlier.sensitive = {&first->table.columns[1]};
  const auto before = next_version(first->input, models, earlier);
  EXPECT_EQ(before.recoding.suppressed, 0U);  // nothing went before
  earlier.versions.push_back(version_of(before.recoding, *first));

  const auto release = [&](const std::vector<Person>& now) {
    const auto world = world_of(now);
    earlier.sensitive = {&world->table.columns[1]};
    const auto next = next_version(world->input, models, earlier);
    return std::pair(next.waiting, version_of(next.recoding, *world));
  };
  EXPECT_EQ(release(people).first, 0U);
  auto more = people;
  more.push_back({0, 9});
  EXPECT_EQ(release(more).first, 1U);
  EXPECT_EQ(release(more).second, earlier.versions[0]);
  more.push_back({0, 9});  // two who have one value
  EXPECT_EQ(release(more).first, 2U);
  more.push_back({0, 8});
  EXPECT_EQ(release(more).first, 0U);
  // Where one leaves, the class waits: how much less it shows would tell of the one.
  auto fewer = people;
  fewer.pop_back();
  EXPECT_EQ(release(fewer).first, fewer.size());
  EXPECT_TRUE(release(fewer).second.empty());
}

// The definition, with people in the place of counts: of nobody, or of k with l values.
bool is_safe(const std::multiset<std::string>& part, std::uint64_t k, std::uint64_t l) {
  return part.empty() ||
         (part.size() >= k && std::set<std::string>(part.begin(), part.end()).size() >= l);
}
std::multiset<std::string> people_of(const ValuesOfClass& values) {
  std::multiset<std::string> all;
  for (const auto& [value, count] : values) {
    for (std::uint64_t i = 0; i < count; ++i) all.insert(value[0]);
  }
  return all;
}

// Worlds that grow and shrink, released four times.
RC_GTEST_PROP(NextVersion, IsSafeBesideEveryEarlierOne, ()) {
  auto random = any_random();
  const std::uint64_t k = 2 + random.below(3);
  const std::uint64_t l = 1 + random.below(3);
  const auto models = models_of(k, l);
  EarlierVersions earlier{.levels = {static_cast<int>(random.below(3))}, .k = k, .l = {l}};
  std::vector<Person> people(20 + random.below(30));
  const auto draw = [&] {
    return Person{static_cast<int>(random.below(4)), static_cast<int>(random.below(5))};
  };
  std::generate(people.begin(), people.end(), draw);
  for (int version = 0; version < 4; ++version) {
    const auto world = world_of(people);
    earlier.sensitive = {&world->table.columns[1]};
    const auto next = next_version(world->input, models, earlier);
    const auto released = version_of(next.recoding, *world);
    std::uint64_t records = 0;
    for (const auto& [cells, values] : released) {
      const auto now = people_of(values);
      records += now.size();
      RC_ASSERT(is_safe(now, k, l));
      // Nobody is invented.
      std::multiset<std::string> here;
      for (const auto& person : people) {
        const std::string place = std::to_string(person.place);
        const std::string half = person.place < 2 ? "low" : "high";
        if (cells[0] == place || cells[0] == half || cells[0] == "*")
          here.insert("v" + std::to_string(person.value));
      }
      RC_ASSERT(std::includes(here.begin(), here.end(), now.begin(), now.end()));
      for (const auto& old : earlier.versions) {
        const auto there = old.find(cells);
        if (there == old.end()) continue;
        const auto before = people_of(there->second);
        std::multiset<std::string> gained;
        std::set_difference(now.begin(), now.end(), before.begin(), before.end(),
                            std::inserter(gained, gained.end()));
        RC_ASSERT(std::includes(now.begin(), now.end(), before.begin(), before.end()));
        RC_ASSERT(is_safe(gained, k, std::max<std::uint64_t>(l, 2)));
      }
    }
    RC_ASSERT(records + next.recoding.suppressed == people.size());
    RC_ASSERT(next.waiting <= next.recoding.suppressed);
    earlier.versions.push_back(released);
    for (auto left = random.below(5); left > 0 && !people.empty(); --left)
      people.erase(people.begin() + static_cast<std::ptrdiff_t>(random.below(people.size())));
    for (auto joined = random.below(12); joined > 0; --joined) people.push_back(draw());
  }
}

// Five join a class of six and then five others leave it. The first and the third version less the
// second would be one person.
TEST(NextVersion, ThreeVersionsTellNothingThatTwoDoNot) {
  const std::vector<Person> alice = {{0, 9}};
  std::vector<Person> b;
  for (const int value : {1, 1, 1, 2, 2}) b.push_back({0, value});
  const std::vector<Person> c = b;
  const auto joined = [](std::vector<Person> all, const std::vector<Person>& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const auto models = models_of(5, 2);
  EarlierVersions earlier{.levels = {0}, .k = 5, .l = {2}};
  std::vector<std::size_t> sizes;
  for (const auto& people : {joined(alice, b), joined(joined(alice, b), c), joined(alice, c)}) {
    const auto world = world_of(people);
    earlier.sensitive = {&world->table.columns[1]};
    const auto next = next_version(world->input, models, earlier);
    sizes.push_back(people.size() - next.recoding.suppressed);
    earlier.versions.push_back(version_of(next.recoding, *world));
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{6, 11, 0}));
}

TEST(NextVersion, ColumnsAreHeldAloneAndTogether) {
  Column a;
  Column b;
  const EarlierVersions earlier{.sensitive = {&a, &b}, .k = 2, .l = {1, 2}};
  const ValuesOfClass before = {{{"x", "p"}, 2}, {{"x", "q"}, 2}};
  EXPECT_TRUE(may_follow(before, before, earlier));
  // Two join: by the first column both are x.
  EXPECT_FALSE(may_follow(before, {{{"x", "p"}, 3}, {{"x", "q"}, 3}}, earlier));
  EXPECT_TRUE(may_follow(before, {{{"x", "p"}, 3}, {{"x", "q"}, 2}, {{"y", "q"}, 1}}, earlier));
  EXPECT_FALSE(may_follow(before, {{{"x", "p"}, 2}}, earlier));  // two left
  // Each column by itself is as before, and yet two changed places.
  EXPECT_FALSE(may_follow({{{"x", "p"}, 2}, {{"y", "q"}, 2}, {{"x", "q"}, 2}, {{"y", "p"}, 2}},
                          {{{"x", "q"}, 4}, {{"y", "p"}, 4}}, earlier));
}

}  // namespace
}  // namespace pratique::tables::next_version_test
