#include "pratique/ledger/proofs.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::ledger::proofs_test {
namespace {

class Proofs : public testing::Test {
 protected:
  static constexpr std::size_t kEntries = 6;
  PrivateFolder folder;
  std::string path = folder.path() + "/ledger";
  std::vector<Head> heads;

  void SetUp() override {
    heads.push_back(LedgerFile::create(path, path + ".key"));
    const SigningKey key = SigningKey::load(path + ".key");
    LedgerFile file(path, false, Progress::silent());
    while (heads.size() < kEntries) {
      heads.push_back(file.append("release", {{"rows", heads.size()}}, key));
    }
  }

  [[nodiscard]] Ledger ledger() const { return Ledger::read(path); }
  static ProofFound check(const Json& proof, const std::optional<Head>& saved = {}) {
    return check_proof(to_text(proof), "here", saved);
  }
  static void expect_not(const ProofFound& verdict, const std::string& why) {
    EXPECT_FALSE(verdict.holds);
    EXPECT_NE(verdict.what.find(why), std::string::npos) << verdict.what;
  }
  static void expect_no_proof(const Json& proof) {
    try {
      (void)check(proof);
      ADD_FAILURE() << to_text(proof);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
      EXPECT_EQ(error.place(), "here");
    }
  }
  // Of another ledger with as many entries.
  [[nodiscard]] Ledger another() const {
    const std::string other = folder.path() + "/other";
    (void)LedgerFile::create(other, other + ".key");
    LedgerFile file(other, false, Progress::silent());
    while (file.ledger().entries().size() < kEntries) {
      (void)file.append("release", Json::object(), SigningKey::load(other + ".key"));
    }
    return file.ledger();
  }
};

TEST_F(Proofs, EveryEntryIsProved) {
  for (std::uint64_t index = 0; index < kEntries; ++index) {
    const Json proof = prove_entry(ledger(), index);
    EXPECT_EQ(proof["index"], index);
    for (const auto& saved : {std::optional<Head>(), std::optional(heads.back())}) {
      const ProofFound verdict = check(proof, saved);
      EXPECT_TRUE(verdict.holds) << verdict.what;
      EXPECT_EQ(verdict.what, "the entry is number " + std::to_string(index) +
                                  " of 6 in the ledger of this head");
    }
  }
  EXPECT_THROW((void)prove_entry(ledger(), kEntries), Error);
  try {
    (void)prove_entry(ledger(), kEntries + 1);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    EXPECT_NE(error.hint().find("from 0 to 5"), std::string::npos);
  }
}

TEST_F(Proofs, NoOtherEntryAndNoOtherPlaceIsProved) {
  for (std::uint64_t index = 0; index < kEntries; ++index) {
    for (std::uint64_t other = 0; other < kEntries; ++other) {
      if (other == index) continue;
      Json proof = prove_entry(ledger(), index);
      proof["index"] = other;
      expect_not(check(proof), "not in the ledger");
      proof = prove_entry(ledger(), index);
      proof["entry"] = prove_entry(ledger(), other)["entry"];
      expect_not(check(proof), "not in the ledger");
    }
    Json proof = prove_entry(ledger(), index);
    proof["entry"]["body"]["rows"] = 1000;
    expect_not(check(proof), "not in the ledger");
  }
}

TEST_F(Proofs, AnInclusionIsInTheSavedHeadAndInNoOther) {
  const Json proof = prove_entry(ledger(), 1);
  expect_not(check(proof, heads[4]), "a head other than the saved one");
  expect_not(check(proof, another().head()), "another key");
  Head unsigned_head = heads.back();
  unsigned_head.signature[0] ^= 1U;
  expect_not(check(proof, unsigned_head), "the saved head is not signed");
  // One that agrees in size and key, and in root and key, but not in all.
  const SigningKey key = SigningKey::load(path + ".key");
  Head other = heads.back();
  other.root = heads[4].root;
  other.signature = key.sign(head_text(other.size, other.root));
  expect_not(check(proof, other), "a head other than the saved one");
  other = heads.back();
  other.size = 5;
  other.signature = key.sign(head_text(other.size, other.root));
  expect_not(check(proof, other), "a head other than the saved one");
}

TEST_F(Proofs, AForgedHeadProvesNothing) {
  Json proof = prove_entry(ledger(), 1);
  proof["head"]["size"] = 7;
  expect_not(check(proof), "the head in the proof is not signed");
  proof = prove_growth(ledger(), heads[2]);
  proof["head"]["root"] = proof["from"]["root"];
  expect_not(check(proof), "the head in the proof is not signed");
}

TEST_F(Proofs, GrowthFromEveryEarlierHeadIsProved) {
  for (const Head& from : heads) {
    const Json proof = prove_growth(ledger(), from);
    for (const auto& saved : {std::optional<Head>(), std::optional(from)}) {
      const ProofFound verdict = check(proof, saved);
      EXPECT_TRUE(verdict.holds) << verdict.what;
      EXPECT_EQ(verdict.what,
                "the first " + std::to_string(from.size) + " of 6 entries are unchanged");
    }
    for (const Head& saved : heads) {
      if (saved.size != from.size)
        expect_not(check(proof, saved), "a head other than the saved one");
    }
  }
}

TEST_F(Proofs, AForkHasNotGrownFromTheEarlierHead) {
  const SigningKey key = SigningKey::load(path + ".key");
  Head fork = heads[2];
  fork.root[0] ^= 1U;
  fork.signature = key.sign(head_text(fork.size, fork.root));
  Json proof = prove_growth(ledger(), heads[2]);
  proof["from"] = to_json(fork);
  expect_not(check(proof), "has not grown");
  try {
    (void)prove_growth(ledger(), fork);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::check_failed);
    EXPECT_FALSE(error.hint().empty());
  }

  proof["from"]["signature"] = std::string(128, '0');
  expect_not(check(proof), "the earlier head is not signed by the same key");
  // Signed, but by somebody else.
  proof["from"] = to_json(another().head());
  expect_not(check(proof), "the earlier head is not signed by the same key");
}

TEST_F(Proofs, WhatIsNoProof) {
  for (const Json& good : {prove_entry(ledger(), 1), prove_growth(ledger(), heads[2])}) {
    for (const auto& item : good.items()) {
      Json less = good;
      less.erase(item.key());
      expect_no_proof(less);
      Json other = good;
      other[item.key()] = 3.5;
      if (item.key() != "entry") expect_no_proof(other);
    }
    Json other = good;
    other["type"] = "another";
    expect_no_proof(other);
    other = good;
    other["path"][0] = "0";
    expect_no_proof(other);
    other["path"][0] = 3;
    expect_no_proof(other);
  }
  expect_no_proof(Json::array());
  EXPECT_THROW((void)check_proof("{", "here", {}), Error);
}

}  // namespace
}  // namespace pratique::ledger::proofs_test
