#include "pratique/ledger/ledger.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/ledger/proofs.h"

namespace pratique::ledger::ledger_test {
namespace {

// As somebody would who means harm: pratique itself never replaces a ledger.
void replace_by_force(const std::string& path, const std::string& text) {
  write_file_atomically(path + ".new", text);
  std::filesystem::rename(path + ".new", path);
}

class LedgerTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::string path = folder.path() + "/ledger";
  std::string key_path = path + ".key";

  void SetUp() override { (void)LedgerFile::create(path, key_path); }

  Head add(const Json& body = {{"rows", 5}}, bool repair = false) {
    LedgerFile file(path, repair, Progress::silent());
    return file.append("release", body, SigningKey::load(key_path));
  }

  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = text.find('\n', at);
      lines.push_back(text.substr(at, end + 1 - at));
      at = end + 1;
    }
    return lines;
  }
  static std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += line;
    return text;
  }
};

TEST_F(LedgerTest, WhatIsAddedStandsThereAndIsSound) {
  add({{"rows", 5}, {"breach", 0.25}});
  const Head head = add();
  const Ledger ledger = Ledger::read(path);
  EXPECT_FALSE(ledger.fault());
  ASSERT_EQ(ledger.entries().size(), 3U);
  EXPECT_EQ(parse_json(ledger.entries()[1], "entry")["body"]["breach"], 0.25);
  EXPECT_EQ(head.size, 3U);
  EXPECT_EQ(head.root, tree_root(ledger.leaves()));
  EXPECT_TRUE(head.authentic());
  EXPECT_EQ(parse_json(ledger.entries()[2], "entry")["previous"],
            to_hex(leaf_hash(ledger.entries()[1])));
}

TEST_F(LedgerTest, TheKeyIsItsOwnersAlone) {
  struct stat status {};
  ASSERT_EQ(stat(key_path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(read_file(path).find("PRIVATE"), std::string::npos);
  ASSERT_EQ(chmod(key_path.c_str(), 0640), 0);
  EXPECT_THROW(add(), Error);
}

TEST_F(LedgerTest, AnyChangedByteIsFound) {
  add();
  add();
  const std::string text = read_file(path);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_TRUE(Ledger::parse(changed).fault()) << i;
  }
}

TEST_F(LedgerTest, AnyOtherOrderAndAnyLineLessOrTwiceIsFound) {
  add();
  add();
  add();
  const Head head = add();
  const auto lines = lines_of(read_file(path));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t j = 0; j < lines.size(); ++j) {
      auto moved = lines;
      std::swap(moved[i], moved[j]);
      EXPECT_EQ(Ledger::parse(joined(moved)).fault().has_value(), i != j);
      auto doubled = lines;
      doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(j), lines[i]);
      EXPECT_TRUE(Ledger::parse(joined(doubled)).fault());
    }
    auto fewer = lines;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    const Ledger cut = Ledger::parse(joined(fewer));
    // Nothing in a file tells that its end is missing; a saved head does.
    EXPECT_EQ(cut.fault().has_value(), i + 1 < lines.size());
    if (!cut.fault()) {
      ASSERT_TRUE(cut.check_against(head));
      EXPECT_NE(cut.check_against(head)->what.find("cut off"), std::string::npos);
    }
  }
}

TEST_F(LedgerTest, AForkIsFoundAgainstASavedHead) {
  const Head saved = add({{"rows", 5}});
  const std::string honest = read_file(path);
  // The owner of the key writes another history from the same beginning.
  replace_by_force(path, lines_of(honest)[0]);
  add({{"rows", 6}});
  add();
  const Ledger fork = Ledger::read(path);
  EXPECT_FALSE(fork.fault());
  ASSERT_TRUE(fork.check_against(saved));
  EXPECT_NE(fork.check_against(saved)->what.find("forked"), std::string::npos);
  // The honest one, grown, agrees.
  replace_by_force(path, honest);
  add();
  EXPECT_FALSE(Ledger::read(path).check_against(saved));
}

TEST_F(LedgerTest, AChangedHeadProvesNothing) {
  Head saved = add();
  saved.root[3] ^= 1U;
  EXPECT_TRUE(Ledger::read(path).check_against(saved));
  const Head good = Ledger::read(path).head();
  EXPECT_EQ(head_from_json(to_json(good), "here").root, good.root);
  EXPECT_THROW((void)head_from_json(Json::object(), "here"), Error);
}

TEST_F(LedgerTest, ATornLineIsNamedAndCutOffOnlyOnRequest) {
  add();
  const std::string sound = read_file(path);
  for (const std::size_t length : {std::size_t{1}, std::size_t{100}, sound.size() - 1}) {
    replace_by_force(path, sound + sound.substr(0, length));
    const auto lines = lines_of(sound);
    const Ledger torn = Ledger::read(path);
    ASSERT_TRUE(torn.fault());
    if (length < lines[0].size()) {
      EXPECT_TRUE(torn.fault()->torn);
      EXPECT_EQ(torn.fault()->line, 3U);
      EXPECT_EQ(torn.entries().size(), 2U);
      EXPECT_THROW(add(), Error);
      EXPECT_EQ(read_file(path).size(), sound.size() + length);
      EXPECT_EQ(add({{"rows", 1}}, true).size, 3U);
      EXPECT_EQ(read_file(path).substr(0, sound.size()), sound);
    } else {
      EXPECT_FALSE(torn.fault()->torn);  // a whole line that does not belong there
      EXPECT_THROW(add({{"rows", 1}}, true), Error);
    }
  }
}

TEST_F(LedgerTest, ALastLineThatLacksOnlyItsEndIsNeverCutOff) {
  const Head head = add();
  const std::string sound = read_file(path);
  replace_by_force(path, sound.substr(0, sound.size() - 1));
  const Ledger torn = Ledger::read(path);
  ASSERT_TRUE(torn.fault());
  EXPECT_TRUE(torn.fault()->torn);
  EXPECT_TRUE(torn.fault()->whole);
  EXPECT_FALSE(torn.check_against(head));
  EXPECT_THROW(add(), Error);
  EXPECT_EQ(add({{"rows", 1}}, true).size, 3U);
  EXPECT_EQ(read_file(path).substr(0, sound.size()), sound);
}

// Whoever cuts within an acknowledged line makes it look like one that a machine failed to write;
// the head that was given out with it tells them apart.
TEST_F(LedgerTest, ACutWithinALineIsFoundAgainstASavedHead) {
  const Head before = add();
  const std::size_t earlier = read_file(path).size();
  const Head head = add();
  const std::string sound = read_file(path);
  for (std::size_t length = earlier; length + 1 < sound.size(); ++length) {
    const Ledger cut = Ledger::parse(std::string_view(sound).substr(0, length));
    EXPECT_FALSE(cut.check_against(before)) << length;
    ASSERT_TRUE(cut.check_against(head)) << length;
    EXPECT_NE(cut.check_against(head)->what.find("cut off"), std::string::npos);
  }
}

TEST_F(LedgerTest, ALedgerThatWasReplacedWhileAWriterWaitedIsNotWrittenTo) {
  auto holder = std::make_unique<LedgerFile>(path, false, Progress::silent());
  const std::string text = read_file(path);
  std::atomic<bool> refused = false;
  std::thread waiting([&] {
    try {
      add();
    } catch (const Error&) {
      refused = true;
    }
  });
  // Whether the writer opened the file before or after, it must not write to the one that is gone.
  replace_by_force(path, text);
  holder.reset();
  waiting.join();
  EXPECT_EQ(Ledger::read(path).entries().size(), refused ? 1U : 2U);
}

TEST_F(LedgerTest, ALineThatIsJustBeingWrittenIsNotTakenForTorn) {
  add();
  const std::string whole = read_file(path);
  auto writer = std::make_unique<LedgerFile>(path, false, Progress::silent());
  ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(whole.size() - 50)), 0);
  std::optional<Ledger> read;
  std::thread reader([&] { read = Ledger::read(path); });
  std::ofstream(path, std::ios::app) << whole.substr(whole.size() - 50);
  writer.reset();
  reader.join();
  EXPECT_FALSE(read->fault());
  EXPECT_EQ(read->entries().size(), 2U);
}

TEST_F(LedgerTest, OfManyWhoBeginALedgerOneSucceeds) {
  const std::string fresh = folder.path() + "/fresh";
  std::atomic<int> begun = 0;
  std::vector<std::thread> beginners;
  for (int i = 0; i < 8; ++i) {
    beginners.emplace_back([&] {
      try {
        (void)LedgerFile::create(fresh, fresh + ".key");
        ++begun;
      } catch (const Error&) {
        return;
      }
    });
  }
  for (auto& beginner : beginners) beginner.join();
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(SigningKey::load(fresh + ".key").public_key(), Ledger::read(fresh).key());
}

TEST_F(LedgerTest, ALinkThatWaitsInThePlaceOfTheKeyIsNotFollowed) {
  const std::string other = folder.path() + "/other";
  ASSERT_EQ(symlink((folder.path() + "/elsewhere").c_str(), (other + ".key").c_str()), 0);
  EXPECT_THROW((void)LedgerFile::create(other, other + ".key"), Error);
  EXPECT_FALSE(std::ifstream(folder.path() + "/elsewhere").good());
  EXPECT_FALSE(std::ifstream(other).good());
}

TEST_F(LedgerTest, TheLedgerIsNotWrittenOverItsKey) {
  const std::string same_path = folder.path() + "/one";
  EXPECT_THROW((void)LedgerFile::create(same_path, folder.path() + "/./one"), Error);
  EXPECT_FALSE(std::ifstream(same_path).good());
}

TEST_F(LedgerTest, AHostileProofIsNoProof) {
  add();
  Json proof = prove_entry(Ledger::read(path), 1);
  EXPECT_TRUE(check_proof(to_text(proof), "here", {}).holds);
  const std::string deep = std::string(500000, '[') + std::string(500000, ']');
  proof["entry"] = "HERE";
  std::string text = to_text(proof);
  text.replace(text.find("\"HERE\""), 6, deep);
  EXPECT_THROW((void)check_proof(text, "here", {}), Error);
  for (const Json& index : {Json(1.5), Json(-1), Json("1"), Json()}) {
    Json other = prove_entry(Ledger::read(path), 1);
    other["index"] = index;
    EXPECT_THROW((void)check_proof(to_text(other), "here", {}), Error);
  }
}

TEST_F(LedgerTest, AnotherKeyIsRefused) {
  const std::string other = folder.path() + "/other";
  (void)LedgerFile::create(other, other + ".key");
  LedgerFile file(path, false, Progress::silent());
  EXPECT_THROW((void)file.append("release", Json::object(), SigningKey::load(other + ".key")),
               Error);
  EXPECT_EQ(Ledger::read(path).entries().size(), 1U);
}

TEST_F(LedgerTest, NothingIsOverwritten) {
  EXPECT_THROW((void)LedgerFile::create(path, folder.path() + "/new.key"), Error);
  EXPECT_THROW((void)LedgerFile::create(folder.path() + "/new", key_path), Error);
  EXPECT_FALSE(std::ifstream(folder.path() + "/new").good());
}

TEST_F(LedgerTest, WritersTakeTurns) {
  constexpr int kWriters = 6;
  constexpr int kEach = 5;
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; i < kEach; ++i) add({{"writer", w}, {"number", i}});
    });
  }
  for (auto& writer : writers) writer.join();
  const Ledger ledger = Ledger::read(path);
  EXPECT_FALSE(ledger.fault());
  ASSERT_EQ(ledger.entries().size(), 1U + kWriters * kEach);
  std::vector<int> seen(kWriters, 0);
  for (std::size_t e = 1; e < ledger.entries().size(); ++e) {
    const Json body = parse_json(ledger.entries()[e], "entry")["body"];
    EXPECT_EQ(body["number"], seen[body["writer"].get<std::size_t>()]++);
  }
}

TEST_F(LedgerTest, HostileTextIsAFaultAndNoMore) {
  for (const std::string& text : {std::string(), std::string("\n"), std::string("{}\n"),
                                  std::string("null\n"), std::string(1000000, '[') + "\n",
                                  std::string("{\"entry\":{},\"root\":\"\",\"signature\":\"\"}\n"),
                                  std::string("\xff\xfe\n")}) {
    EXPECT_TRUE(Ledger::parse(text).fault());
  }
}

}  // namespace
}  // namespace pratique::ledger::ledger_test
