// Who is named for what: only who signed what shows it.
#include "pratique/consortium/accusation.h"

#include <gtest/gtest.h>

#include "pratique/consortium/testing/together.h"
#include "pratique/crypto/equal_logarithms.h"

namespace pratique::consortium::accusation_test {
namespace {

using testing::Points;
using testing::Together;

// H00 asked, and H01 answered.
class AccusationTest : public ::testing::Test {
 protected:
  AccusationTest()
      : together_(3, 2),
        self_(Identity::load(together_.configuration, "H02")),
        accused_(Identity::load(together_.configuration, "H01")),
        owner_(Identity::load(together_.configuration, "H00")) {
    roster_.session = {4, 5, 6};
    for (const auto& site : together_.configuration.sites) roster_.sites[site] = Hello{};
    roster_.sites["H01"].commitment = key_ * Point::generator();
    for (int i = 0; i < 3; ++i) points_.push_back(Scalar::random() * Point::generator());
  }

  [[nodiscard]] std::string asked(std::uint64_t number = 0) const {
    return ByteWriter().number(0, 1).number(number, 4).points(points_).take();
  }
  // The first that H00 asks H01, unless it is said to be another.
  [[nodiscard]] Signature question(const std::string& to_what, std::uint64_t place = 0) const {
    return owner_.key.sign(question_text(roster_.session, "H00", "H01", place,
                                         sha256(std::as_bytes(std::span(to_what)))));
  }
  [[nodiscard]] std::string answer(const Points& raised, const std::string& to_what,
                                   const std::optional<Signature>& question_signed = {}) const {
    const auto proof = prove_equal_logarithms(
        key_, {Point::generator(), roster_.sites.at("H01").commitment, points_, raised},
        proof_context(roster_.session, "H00", "H01", List::samples, 0));
    return ByteWriter()
        .number(0, 1)
        .number(0, 4)
        .raw(sha256(std::as_bytes(std::span(to_what))))
        .raw(question_signed ? *question_signed : question(to_what))
        .points(raised)
        .raw(proof.encode())
        .take();
  }
  [[nodiscard]] std::string signed_answer(const std::string& payload,
                                          std::uint64_t place = 0) const {
    return seal({roster_.session, "H01", "H00", place, MessageType::raised, payload}, accused_.key);
  }
  [[nodiscard]] Points honest() const {
    Points raised;
    for (const Point& point : points_) raised.push_back(key_ * point);
    return raised;
  }
  [[nodiscard]] bool shown(const std::string& evidence, const std::string& culprit = "H01") const {
    return shows_guilt(evidence, culprit, roster_, self_);
  }

  Together together_;
  Identity self_;
  Identity accused_;
  Identity owner_;
  Scalar key_ = Scalar::random();
  Roster roster_;
  Points points_;
};

TEST_F(AccusationTest, AnAnswerThatProvesNothingShowsWhoGaveIt) {
  Points wrong = honest();
  wrong[1] = Scalar::random() * wrong[1];
  const std::string bad = signed_answer(answer(wrong, asked()));
  EXPECT_TRUE(shown(evidence_of(asked(), bad)));
  EXPECT_TRUE(shown(evidence_of(asked(), signed_answer("what nobody can read"))));
  // Not of another's doing, nor of another session.
  EXPECT_FALSE(shown(evidence_of(asked(), bad), "H00"));
  roster_.session = {9};
  EXPECT_FALSE(shown(evidence_of(asked(), bad)));
}

TEST_F(AccusationTest, AnHonestAnswerShowsNothingWhateverItIsHeldAgainst) {
  const std::string good = signed_answer(answer(honest(), asked()));
  EXPECT_TRUE(proven_answer(asked(), answer(honest(), asked()), "H00", "H01", roster_));
  EXPECT_FALSE(shown(evidence_of(asked(), good)));
  EXPECT_FALSE(shown(evidence_of(asked(1), good)));  // another question than it answered
  EXPECT_FALSE(shown(evidence_of("", good)));
  EXPECT_FALSE(shown(good));
  EXPECT_FALSE(shown(""));
  std::string changed = good;
  changed[changed.size() - 70] = static_cast<char>(changed[changed.size() - 70] ^ 1);
  EXPECT_FALSE(shown(evidence_of(asked(), changed)));  // which it did not sign
}

// It need not be an answer to what the owner shows: nobody else could know that.
TEST_F(AccusationTest, AnAnswerToWhatWasNotAskedShowsWhoGaveIt) {
  const std::string first = answer(honest(), asked());
  EXPECT_TRUE(shown(evidence_of(asked(1), signed_answer(first, 1))));  // the first once more
  // To a question that it made up: it cannot sign for the owner.
  const auto made_up = accused_.key.sign("a question");
  EXPECT_TRUE(shown(evidence_of(asked(1), signed_answer(answer(honest(), asked(), made_up), 1))));
  // An owner that signs two questions as its first accuses nobody by that.
  EXPECT_FALSE(shown(evidence_of(asked(1), signed_answer(first))));
  EXPECT_TRUE(question(asked(1)) != question(asked()));
}

// Answers of the other protocols are called the same, and have neither question nor signature.
TEST_F(AccusationTest, HonestAnswersOfOtherProtocolsShowNothing) {
  const std::string honest_there = signed_answer(ByteWriter().points(honest()).take());
  const auto named = [&](const std::string& protocol) {
    auto configuration = together_.configuration;
    configuration.protocol = protocol;
    const Aborted accusation(Error::check("refused"), "proofs", "H01",
                             evidence_of("", honest_there), "H02");
    return judged(accusation, configuration, roster_, self_).culprit();
  };
  EXPECT_EQ(named("stranon"), "");
  EXPECT_EQ(named("union"), "");
  EXPECT_EQ(named("proven"), "H01");
}

TEST(Accusation, OfWhatNobodyCanShowNamesNobody) {
  SeededRandom random(5);
  Together together(3, 2);
  together.fill(16, 0.6, random);
  together.conduct[1].reached = [](SiteStep step) {
    if (step == SiteStep::met_sites) throw CheckFailed("proofs", "H00", "H00 cheats");
  };
  together.run();
  EXPECT_TRUE(together.written.empty());
  for (const char* name : {"A", "H00", "H02"}) EXPECT_EQ(together.failed[name], "proofs/") << name;
}

}  // namespace
}  // namespace pratique::consortium::accusation_test
