// What participants see: recorders at every endpoint, and what is left of a world when only
// equality is visible.
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "pratique/consortium/decision.h"
#include "pratique/consortium/testing/together.h"
#include "pratique/core/json.h"

namespace pratique::consortium::knowledge_test {
namespace {

using testing::PlainLists;
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
    if (message.type == MessageType::raised) (void)reader.raw<96>();  // of what, signed
    const auto points = reader.points(1000);
    ASSERT_TRUE(points);
    for (const Point& point : *points) values.push_back(point);
  }

  std::mutex mutex;
  std::string payloads;
  std::vector<Point> values;
};

struct Recorded {
  explicit Recorded(std::vector<PlainLists> lists,
                    std::function<void(const Scalar&, testing::Points&)> first_raises = {})
      : together(lists.size(), 2) {
    together.lists = std::move(lists);
    together.conduct[0].raised = std::move(first_raises);
    recorders = std::vector<Recorder>(together.lists.size() + 1);
    for (std::size_t c = 0; c < together.lists.size(); ++c)
      together.conduct[c].saw = [&, c](const Message& message) { recorders[c].saw(message); };
    together.authority.saw = [&](const Message& message) { recorders.back().saw(message); };
    together.run();
  }

  Together together;
  std::vector<Recorder> recorders;  // the authority's last
};

std::vector<PlainLists> example() {
  std::vector<PlainLists> lists(3);
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
// A statement stands in the public manifest: whoever reads it must not find the bits by trying.
TEST(Knowledge, AStatementTellsNeitherHowManySamplesASiteHasNorWhichStay) {
  Together together(2, 2);
  for (PlainLists& list : together.lists) list = {{"s0", "s1", "s2"}, {"p0", "p1", "p2"}};
  std::map<std::string, std::string> decisions;
  std::mutex mutex;
  for (auto& conduct : together.conduct)
    conduct.saw = [&](const Message& message) {
      const std::lock_guard lock(mutex);
      if (message.type == MessageType::decision) decisions[message.to] = message.payload;
    };
  together.run();
  ASSERT_TRUE(together.failed.empty()) << together.failed.begin()->second;
  ASSERT_EQ(decisions.size(), 2U);
  std::set<std::string> commitments;
  std::set<Sha256Digest> salts;
  for (const auto& [site, payload] : decisions) {
    ByteReader reader(payload);
    const auto text = reader.text();
    (void)reader.raw<64>();
    const auto bits = reader.text();
    const auto salt = reader.raw<32>();
    ASSERT_TRUE(reader.ended() && bits->size() == 1);
    salts.insert(*salt);
    EXPECT_EQ(text->find(to_hex(*salt)), std::string::npos);
    const Json statement = parse_json(*text, "the statement");
    commitments.insert(statement.at("bitmap_commitment").get<std::string>());
    EXPECT_TRUE(commitments.contains(
        sha256_hex("pratique consortium bitmap\n" + to_hex(*salt) + "\n" + *bits)));
    for (int byte = 0; byte < 256; ++byte)
      EXPECT_EQ(text->find(sha256_hex(std::string(1, static_cast<char>(byte)))), std::string::npos);
  }
  EXPECT_EQ(salts.size(), 2U);
  EXPECT_EQ(commitments.size(), 2U);
}

TEST(Knowledge, TheDecisionFollowsFromEqualityAlone) {
  const auto engine = Engine::duckdb();
  Configuration configuration;
  configuration.sites = {"H1", "H2"};
  configuration.k = 2;
  std::size_t disclosed = 0;
  for (unsigned world = 0; world < 27; ++world) {  // each at the first, the second, or both
    const auto lists_with = [&] {
      auto lists = std::make_unique<SubmittedLists>(2);
      unsigned rest = world;
      for (int i = 0; i < 3; ++i, rest /= 3) {
        const Token person = random_token();
        const Token sample = random_token();
        for (unsigned site = 0; site < 2; ++site) {
          if (rest % 3 == 1 - site) continue;
          lists->people[site].add(std::span(&person, 1));
          lists->samples[site].add(std::span(&sample, 1));
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
    const auto one = decide(configuration, *lists_with(), 7, *engine, Progress::silent());
    const auto other = decide(configuration, *lists_with(), 7, *engine, Progress::silent());
    EXPECT_EQ(sizes_of(one), sizes_of(other)) << world;
    disclosed += one.total;
  }
  EXPECT_GT(disclosed, 0U);
}

// What a site's program can work out of what it saw, with its own key and its own elements: which
// values are equal, which follow from each other by its key, and which from its own elements.
std::vector<std::size_t> program_of(const Recorder& recorder, const Scalar& key,
                                    const PlainLists& own, const Sha256Digest& session) {
  const std::set<Point> values(recorder.values.begin(), recorder.values.end());
  std::size_t by_key = 0;
  for (const Point& value : values) {
    by_key += values.contains(key * value) ? 1 : 0;
    by_key += values.contains(key * (key * value)) ? 1 : 0;
  }
  std::size_t of_own = 0;
  for (const List list : {List::samples, List::people})
    for (const auto& element : list == List::samples ? own.samples : own.people) {
      const Point point = hash_to_group(element, list, session);
      of_own += values.contains(point) || values.contains(key * point) ||
                        values.contains(key.inverse() * point)
                    ? 1
                    : 0;
    }
  return {recorder.values.size(), values.size(), recorder.payloads.size(), by_key, of_own};
}

Sha256Digest session_of(const Together& together) {
  Sha256Digest session{};
  const auto& hex = together.report.session;
  for (std::size_t i = 0; i < session.size(); ++i)
    session[i] = static_cast<std::uint8_t>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
  return session;
}

// Others' records in place of which there are random ones, as many: the program says the same.
TEST(Knowledge, RandomPointsInPlaceOfOthersChangeNothingThatASiteCanWorkOut) {
  std::vector<std::vector<std::size_t>> outputs;
  std::vector<std::uint64_t> results;
  for (const bool random : {false, true}) {
    auto lists = example();
    if (random)
      for (std::size_t c = 1; c < 3; ++c)
        for (auto* list : {&lists[c].people, &lists[c].samples})
          for (auto& element : *list) element = std::to_string(secure_u64());
    const PlainLists own = lists[0];
    std::optional<Scalar> key;
    std::mutex mutex;
    const Recorded recorded(lists, [&](const Scalar& used, testing::Points&) {
      const std::lock_guard lock(mutex);
      key.emplace(used);
    });
    ASSERT_TRUE(recorded.together.failed.empty());
    auto output = program_of(recorded.recorders[0], *key, own, session_of(recorded.together));
    output[2] = 0;  // the statement, a part of the result, is longer with longer numbers
    outputs.push_back(output);
    results.push_back(recorded.together.report.disclosed);
  }
  EXPECT_EQ(outputs[0], outputs[1]);
  EXPECT_EQ(outputs[0][0], outputs[0][1]);  // no value twice
  EXPECT_EQ(outputs[0][3] + outputs[0][4], 0U);
  EXPECT_NE(results[0], results[1]);  // what differs is the result
}

// The authority and one site put together what they see and the site's key, and try every element
// that there is: no value is one of these under keys that they have, while with the others' keys
// all would be.
TEST(Knowledge, TheAuthorityWithOneSiteCannotTryElements) {
  auto lists = example();
  for (int i = 0; i < 6; ++i) lists[0].people.push_back("nobody else's " + std::to_string(i));
  std::vector<std::optional<Scalar>> keys(3);
  std::mutex mutex;
  Together together(3, 2);
  together.lists = lists;
  std::vector<Recorder> recorders(2);
  for (std::size_t c = 0; c < 3; ++c)
    together.conduct[c].raised = [&, c](const Scalar& key, testing::Points&) {
      const std::lock_guard lock(mutex);
      keys[c].emplace(key);
    };
  together.conduct[1].saw = [&](const Message& message) { recorders[0].saw(message); };
  together.authority.saw = [&](const Message& message) { recorders[1].saw(message); };
  together.run();
  ASSERT_TRUE(together.failed.empty());
  std::set<Point> values;
  for (const auto& recorder : recorders)
    values.insert(recorder.values.begin(), recorder.values.end());
  const auto session = session_of(together);
  const auto tried = [&](const std::vector<Scalar>& known) {
    std::size_t known_again = 0;
    for (const List list : {List::samples, List::people})
      for (const auto& of : lists)
        for (const auto& element : list == List::samples ? of.samples : of.people) {
          Point point = hash_to_group(element, list, session);
          bool seen = values.contains(point);
          for (const Scalar& key : known) {
            seen = seen || values.contains(key * point) || values.contains(key.inverse() * point);
            point = key * point;
          }
          known_again += seen || values.contains(point) ? 1 : 0;
        }
    return known_again;
  };
  EXPECT_EQ(tried({*keys[1]}), 0U);
  EXPECT_EQ(tried({*keys[1], *keys[2]}), 0U);  // even with all sites but one
  std::size_t all = 0;
  for (const auto& of : lists) all += of.samples.size() + of.people.size();
  EXPECT_EQ(tried({*keys[0], *keys[1], *keys[2]}), all);
}

// The protocol in symbols: a value is an element of a list with the keys on it and its owner's
// blinding number, and all that can be seen is whether two are the same. Who knows a key takes it
// off.
struct Symbol {
  std::size_t element = 0;
  unsigned keys = 0;  // a bit per site
  int blind = -1;     // its owner, or nobody
  auto operator<=>(const Symbol&) const = default;
};
using World = std::vector<unsigned>;  // by site: a bit per element

// What a coalition of sites sees, with the authority or without. Each value with its keys taken off
// is named by the order in which it is seen first; elements that the coalition has by themselves.
struct Seen {
  std::vector<int> pattern;
  bool guessable = false;  // a value of an element that it does not have, without any key on it
  std::vector<std::vector<Symbol>> raw;  // by participant, as it came; the authority last
};

Seen seen_by(const World& world, unsigned coalition, bool authority) {
  const std::size_t sites = world.size();
  Seen seen;
  seen.raw.resize(sites + 1);
  unsigned had = 0;
  for (std::size_t c = 0; c < sites; ++c)
    if ((coalition >> c & 1U) != 0) had |= world[c];
  std::map<Symbol, int> names;
  const auto look = [&](Symbol value) {
    value.keys &= ~coalition;
    if (value.blind >= 0 && (coalition >> value.blind & 1U) != 0) value.blind = -1;
    const bool bare = value.keys == 0 && value.blind < 0;
    const bool own = (had >> value.element & 1U) != 0;
    seen.guessable = seen.guessable || (bare && !own);
    if (bare && own) {
      seen.pattern.push_back(-1 - static_cast<int>(value.element));
      return;
    }
    seen.pattern.push_back(names.try_emplace(value, static_cast<int>(names.size())).first->second);
  };
  for (std::size_t owner = 0; owner < sites; ++owner) {
    for (std::size_t element = 0; element < 8; ++element) {
      if ((world[owner] >> element & 1U) == 0) continue;
      Symbol value{element, 1U << owner, static_cast<int>(owner)};
      for (std::size_t i = 1; i < sites; ++i) {
        const std::size_t hop = (owner + i) % sites;
        seen.raw[hop].push_back(value);
        if ((coalition >> hop & 1U) != 0) look(value);
        value.keys |= 1U << hop;
        seen.raw[owner].push_back(value);
        if ((coalition >> owner & 1U) != 0) look(value);
      }
      value.blind = -1;
      seen.raw[sites].push_back(value);
      if (authority) look(value);
    }
  }
  return seen;
}

// All worlds of three sites and three elements. Of sites, whichever pool what they see, it depends
// on their own lists and on the lengths of the others' alone; with the authority, nobody but all
// sites together has a value without a key, with which elements could be tried.
TEST(Knowledge, InAllSmallWorldsSitesSeeLengthsAndNothingElse) {
  for (unsigned coalition = 1; coalition < 7; ++coalition) {
    std::map<std::vector<unsigned>, std::vector<int>> by_what_it_may_know;
    for (unsigned all = 0; all < 512; ++all) {
      const World world = {all & 7U, all >> 3U & 7U, all >> 6U};
      std::vector<unsigned> may_know;
      for (std::size_t c = 0; c < 3; ++c)
        may_know.push_back((coalition >> c & 1U) != 0
                               ? 100 + world[c]
                               : static_cast<unsigned>(std::popcount(world[c])));
      const Seen seen = seen_by(world, coalition, false);
      EXPECT_FALSE(seen.guessable);
      EXPECT_EQ(by_what_it_may_know.try_emplace(may_know, seen.pattern).first->second, seen.pattern)
          << coalition << " " << all;
      EXPECT_FALSE(seen_by(world, coalition, true).guessable);
    }
    EXPECT_GT(by_what_it_may_know.size(), 16U);
  }
  // What the authority adds depends on more: where records are.
  EXPECT_NE(seen_by({1, 1, 2}, 1, true).pattern, seen_by({1, 2, 2}, 1, true).pattern);
}

// And the model is of this program: as many values come to each, as many of them different.
TEST(Knowledge, RealParticipantsSeeWhatTheModelSays) {
  for (const World& world : {World{0b11111, 0b00111, 0b11000}, World{0b11111, 0b11111, 0b11111},
                             World{0b00011, 0b01100, 0b11111}}) {
    std::vector<PlainLists> lists(3);
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t element = 0; element < 5; ++element)
        if ((world[c] >> element & 1U) != 0) {
          lists[c].samples.push_back("s" + std::to_string(element));
          lists[c].people.push_back("p" + std::to_string(element));
        }
    const Recorded recorded(lists);
    ASSERT_TRUE(recorded.together.failed.empty());
    const Seen seen = seen_by(world, 0, false);
    for (std::size_t at = 0; at <= 3; ++at) {
      const auto& values = recorded.recorders[at].values;
      EXPECT_EQ(values.size(), 2 * seen.raw[at].size());  // people go the same way
      EXPECT_EQ(std::set<Point>(values.begin(), values.end()).size(),
                2 * std::set<Symbol>(seen.raw[at].begin(), seen.raw[at].end()).size());
    }
  }
}

}  // namespace
}  // namespace pratique::consortium::knowledge_test
