// Whole consortia on the loopback come to what is decided in the clear.
#include <gtest/gtest.h>

#include "pratique/consortium/testing/together.h"

namespace pratique::consortium::consortium_test {
namespace {

using testing::Together;

TEST(Consortium, DecidesWhatIsDecidedInTheClearForTwoToTwelveSites) {
  SeededRandom random(7);
  bool any = false;
  for (std::size_t sites = 2; sites <= 12; ++sites) {
    Together together(sites, 3);
    together.configuration.method = sites % 3 == 0 ? "best" : sites % 3 == 1 ? "force" : "greedy";
    together.fill(30, 0.3, random);
    together.run();
    ASSERT_TRUE(together.failed.empty()) << together.failed.begin()->second;
    EXPECT_EQ(together.disclosed_trails(), together.in_the_clear()) << sites;
    any = any || together.report.disclosed > 0;
  }
  EXPECT_TRUE(any);
}

TEST(Consortium, TheThesissProtocolDecidesTheSame) {
  SeededRandom random(7);
  for (const std::size_t sites : {2U, 3U, 5U}) {
    Together together(sites, 3);
    together.configuration.protocol = "stranon";
    together.configuration.alpha = 2;
    together.configuration.beta = 3;
    together.configuration.lock = 10;
    together.fill(24, 0.4, random);
    together.run();
    ASSERT_TRUE(together.failed.empty()) << together.failed.begin()->second;
    EXPECT_EQ(together.disclosed_trails(), together.in_the_clear()) << sites;
    EXPECT_GT(together.report.disclosed, 0U);
  }
}

TEST(Consortium, MessagesAreRefusedWhenAnyBitChanges) {
  PrivateFolder folder;
  const auto key = SigningKey::create(folder.path() + "/k.key");
  const std::string good = seal({{}, "H1", "A", 3, MessageType::list, "payload"}, key);
  ASSERT_TRUE(open_sealed(good));
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(static_cast<unsigned char>(bad[bit / 8]) ^ (1U << (bit % 8)));
    const auto sealed = open_sealed(bad);
    EXPECT_FALSE(sealed &&
                 verify_signature(key.public_key(),
                                  "pratique consortium 1\n" + std::string(sealed->signed_bytes),
                                  sealed->signature));
  }
  EXPECT_FALSE(open_sealed(good.substr(0, good.size() - 1)));
  EXPECT_FALSE(open_sealed(""));
}

TEST(Consortium, WhatEndsASessionIsSaidInFewWords) {
  const auto said = [](const std::string& message) {
    return aborted_by("H1", abort_payload(CheckFailed("points", "H2", message))).message();
  };
  EXPECT_EQ(said("H2 sent none"), "H1: H2 sent none");
  EXPECT_EQ(said(std::string(100'000, 'x')), "H1 ended the session");
  EXPECT_EQ(aborted_by("H1", "what nobody can read").message(), "H1 ended the session");
}

}  // namespace
}  // namespace pratique::consortium::consortium_test
