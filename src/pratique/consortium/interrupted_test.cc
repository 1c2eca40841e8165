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

// A consortium for each step, all at once: they mostly wait.
template <class Step>
class Interrupted {
 public:
  explicit Interrupted(std::vector<Step> steps) : steps_(std::move(steps)) {
    SeededRandom random(5);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      auto& together = *worlds_.emplace_back(std::make_unique<Together>(3, 2));
      together.configuration.step = 2s;
      together.configuration.wait = 4s;
      together.fill(16, 0.6, random);
    }
  }

  // All end in time.
  void run(const std::function<void(Together&, Step)>& interrupt) {
    const auto began = std::chrono::steady_clock::now();
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        interrupt(*worlds_[i], steps_[i]);
        threads.emplace_back([this, i] { worlds_[i]->run(); });
      }
    }
    EXPECT_LT(std::chrono::steady_clock::now() - began, 20s);
  }
  void check(const std::function<void(Together&)>& expect) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      SCOPED_TRACE(static_cast<int>(steps_[i]));
      expect(*worlds_[i]);
    }
  }

 private:
  std::vector<Step> steps_;
  std::vector<std::unique_ptr<Together>> worlds_;
};

void expect_nothing_written(Together& together) {
  EXPECT_TRUE(together.written.empty());
  EXPECT_EQ(together.failed.size(), 4U);
}

void expect_told(Together& together, const std::string& by, const std::string& about) {
  EXPECT_NE(together.failed[by].find(about), std::string::npos) << together.failed[by];
}

void kill_second_site(Together& together, SiteStep at) {
  together.conduct[1].reached = [at](SiteStep step) {
    if (step == at) throw Killed{};
  };
}

TEST(Interrupted, ASiteThatIsKilled) {
  Interrupted<SiteStep> interrupted({SiteStep::connected, SiteStep::said_hello,
                                     SiteStep::has_roster, SiteStep::met_sites,
                                     SiteStep::sent_lists, SiteStep::has_decision});
  interrupted.run(kill_second_site);
  interrupted.check([](Together& together) {
    expect_nothing_written(together);
    for (const char* name : {"A", "H00", "H02"}) expect_told(together, name, "H01");
  });
}

// It said that it has its decision: the others go on, and it has what it needs to finish
// (flow/disclosed_list_test.cc).
TEST(Interrupted, ASiteThatIsKilledAfterItSaidThatItHasItsDecision) {
  Interrupted<SiteStep> interrupted({SiteStep::said_have, SiteStep::has_commit});
  interrupted.run(kill_second_site);
  interrupted.check([](Together& together) {
    EXPECT_EQ(together.failed.size(), 1U);
    EXPECT_EQ(together.written.size(), 2U);
  });
}

// As if the network were cut: it says nothing more, and its connections stay.
TEST(Interrupted, ASiteThatIsSilentFromAnyStepOn) {
  Interrupted<SiteStep> interrupted({SiteStep::connected, SiteStep::said_hello,
                                     SiteStep::has_roster, SiteStep::met_sites,
                                     SiteStep::sent_lists, SiteStep::has_decision});
  interrupted.run([](Together& together, SiteStep at) {
    together.conduct[2].reached = [at](SiteStep step) {
      if (step == at) std::this_thread::sleep_for(9s);
    };
  });
  interrupted.check([](Together& together) {
    expect_nothing_written(together);
    expect_told(together, "A", "H02");
  });
}

TEST(Interrupted, AnAuthorityThatIsKilledBeforeTheCommit) {
  Interrupted<AuthorityStep> interrupted({AuthorityStep::has_hellos, AuthorityStep::sent_roster,
                                          AuthorityStep::has_lists, AuthorityStep::sent_decisions,
                                          AuthorityStep::has_all});
  interrupted.run([](Together& together, AuthorityStep at) {
    together.authority.reached = [at](AuthorityStep step) {
      if (step == at) throw Killed{};
    };
  });
  interrupted.check(expect_nothing_written);
}

TEST(Interrupted, ACommitThatReachedOneSiteReachesAll) {
  Interrupted<AuthorityStep> interrupted({AuthorityStep::sent_a_commit});
  interrupted.run([](Together& together, AuthorityStep at) {
    together.authority.reached = [at](AuthorityStep step) {
      if (step == at) throw Killed{};
    };
  });
  interrupted.check([](Together& together) {
    EXPECT_EQ(together.written.size(), 3U);
    EXPECT_EQ(together.failed.size(), 1U);
  });
}

}  // namespace
}  // namespace pratique::consortium::interrupted_test
