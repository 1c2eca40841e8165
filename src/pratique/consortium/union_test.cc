// Unions of whole consortia on the loopback, against the sets themselves.
#include "pratique/consortium/union.h"

#include <gtest/gtest.h>

#include <set>

#include "pratique/consortium/internal/union_parts.h"
#include "pratique/consortium/sealed_text.h"
#include "pratique/consortium/testing/together.h"

namespace pratique::consortium::union_test {
namespace {

using Elements = std::set<std::string>;
using testing::Points;

TEST(SealedText, ComesBackAndIsMadeAnew) {
  const Scalar first = Scalar::random();
  const Scalar second = Scalar::random();
  const Point key = sum_of(first * Point::generator(), second * Point::generator());
  for (const std::string& text :
       {std::string(), std::string("a"), std::string("M\xc3\xbcller, 1970-01-01"),
        std::string(kLongestText, 'x'), std::string("\0\xff\0", 3)}) {
    EXPECT_EQ(text_of_points(points_of_text(text)), text);
    SealedText sealed = seal_text(text, key);
    const SealedText before = sealed;
    make_anew(sealed, key);
    for (std::size_t i = 0; i < sealed.size(); ++i) EXPECT_NE(sealed[i], before[i]);
    std::vector<Point> shares;
    for (const Point& point : to_open(sealed))
      shares.push_back(sum_of(first * point, second * point));
    EXPECT_EQ(open_text(sealed, shares), text);
    // One site alone opens nothing.
    std::vector<Point> own;
    for (const Point& point : to_open(sealed)) own.push_back(first * point);
    EXPECT_NE(open_text(sealed, own), text);
  }
  EXPECT_THROW((void)points_of_text(std::string(kLongestText + 1, 'x')), Error);
}

using Change = std::function<void(std::vector<Point>&)>;

class CheatingAuthority final : public UnionAuthority {
 public:
  CheatingAuthority(const Configuration& configuration, const Identity& identity,
                    const UnionQuestion& question, Change change)
      : UnionAuthority(configuration, identity, question, Progress::silent()),
        change_(std::move(change)) {}

 protected:
  void passes_on(std::vector<Point>& texts) override {
    if (change_) change_(texts);
  }
  // It takes its marks off again and tells nobody.
  std::vector<std::string> reads(std::span<const Point> texts,
                                 const std::map<std::string, Share>& shares,
                                 const std::map<std::string, Point>& keys,
                                 const Sha256Digest& session) override {
    if (change_) return {};
    return UnionAuthority::reads(texts, shares, keys, session);
  }

 private:
  Change change_;
};

class CheatingSite final : public UnionSite {
 public:
  CheatingSite(const Configuration& configuration, const Identity& identity, ElementList elements,
               const UnionQuestion& question, Change change)
      : UnionSite(configuration, identity, std::move(elements), question, Progress::silent()),
        change_(std::move(change)) {}

 protected:
  void mixed(std::vector<Point>& texts) override {
    if (change_) change_(texts);
  }

 private:
  Change change_;
};

struct Union {
  explicit Union(std::vector<Elements> of_sites, UnionQuestion asked = {})
      : together(of_sites.size(), 2), lists(std::move(of_sites)), question(asked) {}

  void run() {
    auto& configuration = together.configuration;
    configuration.protocol = "union";
    std::mutex mutex;
    const auto guard = [&](const std::string& name, const auto& body) {
      try {
        body();
      } catch (const CheckFailed& error) {
        const std::lock_guard lock(mutex);
        failed[name] = error.check();
      } catch (const Aborted& error) {
        const std::lock_guard lock(mutex);
        failed[name] = error.check();
      } catch (const Error& error) {
        const std::lock_guard lock(mutex);
        failed[name] = error.message();
      }
    };
    std::vector<std::jthread> threads;
    threads.emplace_back([&] {
      guard("A", [&] {
        const Identity identity = Identity::load(configuration, "A");
        (void)CheatingAuthority(configuration, identity, question, authority_passes_on).run();
      });
    });
    for (std::size_t c = 0; c < lists.size(); ++c)
      threads.emplace_back([&, c] {
        guard(configuration.sites[c], [&] {
          const Identity identity = Identity::load(configuration, configuration.sites[c]);
          std::vector<std::string> got;
          CheatingSite site(configuration, identity, ElementList::of(lists[c]), question,
                            c == 1 ? second_site_mixes : Change{});
          (void)site.run([] {}, [&](const std::vector<std::string>& all) { got = all; },
                         [&] {
                           const std::lock_guard lock(mutex);
                           results[c] = {got.begin(), got.end()};
                         });
        });
      });
  }

  testing::Together together;
  std::vector<Elements> lists;
  UnionQuestion question;
  Change authority_passes_on;
  Change second_site_mixes;
  std::map<std::size_t, Elements> results;
  std::map<std::string, std::string> failed;
};

TEST(Union, IsWhatAnySiteHasOrAllHave) {
  const std::vector<Elements> lists = {{"a", "b", "c", "d"}, {"b", "c", "e"}, {"c", "b", "f", "g"}};
  Union all(lists);
  all.run();
  ASSERT_TRUE(all.failed.empty()) << all.failed.begin()->second;
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_EQ(all.results[c], (Elements{"a", "b", "c", "d", "e", "f", "g"}));
  Union common(lists, {.common = true, .minimum = 2});
  common.run();
  ASSERT_TRUE(common.failed.empty()) << common.failed.begin()->second;
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(common.results[c], (Elements{"b", "c"}));
}

TEST(Union, RevealsNothingThatIsTooSmall) {
  Union common({{"a", "b", "c"}, {"b", "c", "e"}}, {.common = true, .minimum = 3});
  common.run();
  EXPECT_TRUE(common.results.empty());
  EXPECT_EQ(common.failed.size(), 3U);
  for (const auto& [name, check] : common.failed) EXPECT_EQ(check, "minimum") << name;
}

// Marks would tell which text was whose after all shuffles; texts of one site alone, too.
TEST(Union, WhoeverChangesTextsOnTheWayIsNoticedByTheSites) {
  const std::vector<Elements> lists = {{"a", "b", "c"}, {"b", "d"}, {"c", "e"}};
  const auto marks = [](Points& texts) {
    for (std::size_t i = 1; i < texts.size(); i += 2)
      texts[i] = sum_of(texts[i], Scalar::random() * Point::generator());
  };
  const auto doubles = [](Points& texts) {  // of one site alone, as far as it fills the list
    std::copy_n(texts.begin(), kSealedPoints, texts.end() - kSealedPoints);
  };
  for (const Change& change : {Change(marks), Change(doubles)}) {
    for (const bool by_authority : {true, false}) {
      Union cheated(lists);
      (by_authority ? cheated.authority_passes_on : cheated.second_site_mixes) = change;
      cheated.run();
      EXPECT_TRUE(cheated.results.empty());
      for (const char* name : {"H00", "H01", "H02"})
        EXPECT_EQ(cheated.failed[name], "texts") << name;
    }
  }
}

}  // namespace
}  // namespace pratique::consortium::union_test
