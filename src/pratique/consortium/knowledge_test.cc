// What participants see: recorders at every endpoint, and what is left of a world when only
// equality is visible.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "pratique/consortium/decision.h"
#include "pratique/consortium/testing/together.h"

namespace pratique::consortium::knowledge_test {
namespace {

using testing::Together;

// Every value of 32 bytes that others sent as a point, and every payload.
struct Recorder {
  void saw(const Message& message) {
    const std::lock_guard lock(mutex);
    payloads += message.payload;
    if (message.type != MessageType::raise && message.type != MessageType::raised &&
        message.type != MessageType::list)
      return;
    ByteReader reader(message.payload);
    (void)reader.number(1);
    (void)reader.number(4);
    if (message.type == MessageType::raised) (void)reader.raw<32>();
    const auto points = reader.points(1000);
    ASSERT_TRUE(points);
    for (const Point& point : *points) values.push_back(point);
  }

  std::mutex mutex;
  std::string payloads;
  std::vector<Point> values;
};

struct Recorded {
  explicit Recorded(std::vector<SiteLists> lists) : together(lists.size(), 2) {
    together.lists = std::move(lists);
    recorders = std::vector<Recorder>(together.lists.size() + 1);
    for (std::size_t c = 0; c < together.lists.size(); ++c)
      together.conduct[c].saw = [&, c](const Message& message) { recorders[c].saw(message); };
    together.authority.saw = [&](const Message& message) { recorders.back().saw(message); };
    together.run();
  }

  Together together;
  std::vector<Recorder> recorders;  // the authority's last
};

std::vector<SiteLists> example() {
  std::vector<SiteLists> lists(3);
  for (int i = 0; i < 12; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      if (c != static_cast<std::size_t>(i) % 3 && i % 2 == 0) continue;
      lists[c].people.push_back("person number " + std::to_string(i));
      lists[c].samples.push_back("sample number " + std::to_string(i));
    }
  }
  return lists;
}

TEST(Knowledge, NobodySeesPlaintextNorAValueOfAnEarlierSession) {
  const Recorded first(example());
  const Recorded second(example());
  ASSERT_TRUE(first.together.failed.empty() && second.together.failed.empty());
  std::set<Point> earlier;
  for (const auto& recorder : first.recorders) {
    EXPECT_GT(recorder.values.size(), 20U);
    EXPECT_EQ(recorder.payloads.find("number"), std::string::npos);
    earlier.insert(recorder.values.begin(), recorder.values.end());
  }
  for (const auto& recorder : second.recorders)
    for (const Point& value : recorder.values) EXPECT_FALSE(earlier.contains(value));
}

// A site's program that may compare all that it sees: whatever others have, all of it is different.
// Only the authority sees equal values, and those are the trails.
TEST(Knowledge, ASiteSeesTheSameOfListsThatAreEqualAndThatHaveNothingInCommon) {
  auto equal = example();
  auto apart = example();
  for (std::size_t c = 0; c < 3; ++c) {
    equal[c] = equal[0];
    apart[c] = apart[0];
    for (auto* list : {&apart[c].people, &apart[c].samples})
      for (auto& element : *list) element += " of " + std::to_string(c);
  }
  for (const auto& lists : {equal, apart}) {
    const Recorded recorded(lists);
    ASSERT_TRUE(recorded.together.failed.empty());
    const std::size_t records = lists[0].samples.size() + lists[0].people.size();
    for (std::size_t c = 0; c < 3; ++c) {
      const auto& values = recorded.recorders[c].values;
      EXPECT_EQ(values.size(), 4 * records);  // asked by two, answered by two
      EXPECT_EQ(std::set<Point>(values.begin(), values.end()).size(), values.size());
    }
    const auto& values = recorded.recorders.back().values;
    EXPECT_EQ(std::set<Point>(values.begin(), values.end()).size(),
              lists[0].samples == lists[1].samples ? records : 3 * records);
  }
}

Token random_token() { return (Scalar::random() * Point::generator()).bytes(); }

// All worlds of two sites and three people with a sample each: the authority's decision follows
// from which records are equal, whatever the values are.
TEST(Knowledge, TheDecisionFollowsFromEqualityAlone) {
  const auto engine = Engine::duckdb();
  Configuration configuration;
  configuration.sites = {"H1", "H2"};
  configuration.k = 2;
  std::size_t disclosed = 0;
  for (unsigned world = 0; world < 27; ++world) {  // each at the first, the second, or both
    const auto lists_with = [&] {
      SubmittedLists lists{std::vector<std::vector<Token>>(2), std::vector<std::vector<Token>>(2)};
      unsigned rest = world;
      for (int i = 0; i < 3; ++i, rest /= 3) {
        const Token person = random_token();
        const Token sample = random_token();
        for (unsigned site = 0; site < 2; ++site) {
          if (rest % 3 == 1 - site) continue;
          lists.people[site].push_back(person);
          lists.samples[site].push_back(sample);
        }
      }
      return lists;
    };
    const auto sizes_of = [&](const Decision& decision) {
      std::vector<std::size_t> sizes;
      for (const auto& bits : decision.disclosed)
        sizes.push_back(static_cast<std::size_t>(std::ranges::count(bits, true)));
      return sizes;
    };
    const auto one = decide(configuration, lists_with(), 7, *engine, Progress::silent());
    const auto other = decide(configuration, lists_with(), 7, *engine, Progress::silent());
    EXPECT_EQ(sizes_of(one), sizes_of(other)) << world;
    disclosed += one.total;
  }
  EXPECT_GT(disclosed, 0U);
}

}  // namespace
}  // namespace pratique::consortium::knowledge_test
