// Participants that die, are cut off or too slow, at each step: the others end in time and say who
// it was; before the commit nobody writes anything, after it everybody does.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "pratique/consortium/testing/together.h"

namespace pratique::consortium::interrupted_test {
namespace {

using testing::Killed;
using testing::Together;
using namespace std::chrono_literals;

class InterruptedTest : public ::testing::Test {
 protected:
  InterruptedTest() : together_(3, 2) {
    SeededRandom random(5);
    together_.configuration.step = 1s;
    together_.configuration.wait = 2s;
    together_.fill(16, 0.6, random);
  }

  void run_in_time() {
    const auto began = std::chrono::steady_clock::now();
    together_.run();
    EXPECT_LT(std::chrono::steady_clock::now() - began, 10s);
  }

  void expect_told(const std::string& by, const std::string& about) {
    EXPECT_NE(together_.failed[by].find(about), std::string::npos) << together_.failed[by];
  }

  Together together_;
};

TEST_F(InterruptedTest, ASiteThatIsKilled) {
  for (const SiteStep at : {SiteStep::connected, SiteStep::said_hello, SiteStep::has_roster,
                            SiteStep::met_sites, SiteStep::sent_lists, SiteStep::has_decision}) {
    together_.conduct[1].reached = [at](SiteStep step) {
      if (step == at) throw Killed{};
    };
    run_in_time();
    EXPECT_TRUE(together_.written.empty()) << static_cast<int>(at);
    EXPECT_EQ(together_.failed.size(), 4U) << static_cast<int>(at);
    expect_told("A", "H01");
    expect_told("H00", "H01");
    expect_told("H02", "H01");
  }
}

// It said that it has its decision: the others go on, and it has what it needs.
TEST_F(InterruptedTest, ASiteThatIsKilledAfterItSaidThatItHasItsDecision) {
  for (const SiteStep at : {SiteStep::said_have, SiteStep::has_commit}) {
    together_.conduct[1].reached = [at](SiteStep step) {
      if (step == at) throw Killed{};
    };
    run_in_time();
    EXPECT_EQ(together_.failed.size(), 1U);
    EXPECT_EQ(together_.written.size(), 2U);
  }
}

TEST_F(InterruptedTest, ASiteThatIsTooSlow) {
  for (const SiteStep at : {SiteStep::has_roster, SiteStep::has_decision}) {
    together_.conduct[2].reached = [at](SiteStep step) {
      if (step == at) std::this_thread::sleep_for(4500ms);
    };
    run_in_time();
    EXPECT_TRUE(together_.written.empty()) << static_cast<int>(at);
    EXPECT_EQ(together_.failed.size(), 4U) << static_cast<int>(at);
    expect_told("A", "H02");
  }
}

TEST_F(InterruptedTest, AnAuthorityThatIsKilledBeforeTheCommit) {
  for (const AuthorityStep at :
       {AuthorityStep::has_hellos, AuthorityStep::sent_roster, AuthorityStep::has_lists,
        AuthorityStep::sent_decisions, AuthorityStep::has_all}) {
    together_.authority.reached = [at](AuthorityStep step) {
      if (step == at) throw Killed{};
    };
    run_in_time();
    EXPECT_TRUE(together_.written.empty()) << static_cast<int>(at);
    EXPECT_EQ(together_.failed.size(), 4U) << static_cast<int>(at);
  }
}

TEST_F(InterruptedTest, ACommitThatReachedOneSiteReachesAll) {
  together_.authority.reached = [](AuthorityStep step) {
    if (step == AuthorityStep::sent_a_commit) throw Killed{};
  };
  run_in_time();
  EXPECT_EQ(together_.written.size(), 3U);
  EXPECT_EQ(together_.failed.size(), 1U);
}

}  // namespace
}  // namespace pratique::consortium::interrupted_test
