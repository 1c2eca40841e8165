// A site that is killed between its last word to the authority and its list, and what it finishes
// from.
#include "pratique/consortium/flow/disclosed_list.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/consortium/testing/together.h"

namespace pratique::consortium::disclosed_list_test {
namespace {

using flow::DisclosedList;
using flow::Reading;

class UnfinishedTest : public ::testing::Test {
 protected:
  UnfinishedTest()
      : together_(2, 2),
        settings_(together_.configuration),
        site_(Identity::load(settings_, "H00")),
        authority_(Identity::load(settings_, "A")),
        engine_(Engine::duckdb()),
        run_{*engine_, Progress::silent()},
        out_(together_.folder() + "/disclosed.csv") {
    const std::string path = together_.folder() + "/samples.csv";
    write_file_atomically(path,
                          "element\r\nb\r\n\r\na\r\nb\r\n a\r\nE\xcc\x81\r\n E\xcc\x81 \r\nb \r\n");
    files_ = {flow::read_list(run_, path, Reading::as_read, settings_.form),
              flow::read_list(run_, path, Reading::as_read, settings_.form), out_};
    const Json statement = {{"statement", "pratique consortium decision 1"},
                            {"session", "05e5"},
                            {"site", "H00"},
                            {"sites", settings_.sites},
                            {"k", settings_.k},
                            {"disclosed", 2},
                            {"seed", 7}};
    decision_ = {{0, 2}, 3, {statement.dump(), {}}};
  }

  // All that is left of a site that was killed: what is on disk.
  void die_after_the_decision() {
    DisclosedList list(settings_, site_, run_, engine_mutex_);
    commitment_ = list.prepare(files_, decision_, "site");
  }
  [[nodiscard]] Signature signature() const {
    return authority_.key.sign(signed_release(decision_.statement.text, commitment_));
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::filesystem::exists(together_.folder() + "/" + name);
  }

  testing::Together together_;
  const Configuration& settings_;
  Identity site_;
  Identity authority_;
  std::unique_ptr<Engine> engine_;
  pratique::Run run_;
  std::string out_;
  flow::SiteFiles files_;
  SiteDecision decision_;
  std::mutex engine_mutex_;
  Sha256Digest commitment_{};
};

using Elements = std::vector<std::string>;

Elements elements_of(const ElementList& list) {
  Elements elements;
  for (std::size_t place = 0; place < list.size(); ++place) elements.push_back(list[place]);
  return elements;
}

TEST_F(UnfinishedTest, ListsAreReadOnceHoweverTheyAreWritten) {
  EXPECT_EQ(elements_of(files_.samples.elements), (Elements{"b", "a", "e"}));
}

// More rows than are read at once, some of them again on a later page.
TEST_F(UnfinishedTest, ALongListIsReadWholeAndOnce) {
  constexpr std::size_t kRows = 300'000;
  const std::string path = together_.folder() + "/long.csv";
  std::string text = "ward,element\n";
  for (std::size_t i = 0; i < kRows; ++i) text += "1,e" + std::to_string(i % 200'000) + "\n";
  text += "2, last \n";
  write_file_atomically(path, text);
  const auto list = flow::read_list(run_, path, Reading::as_read, settings_.form).elements;
  ASSERT_EQ(list.size(), 200'001U);
  for (const std::size_t place : {0U, 99'999U, 100'000U, 100'001U, 199'999U})
    EXPECT_EQ(list[place], "e" + std::to_string(place));
  EXPECT_EQ(list[200'000], "last");
  EXPECT_EQ(list.spelled(200'000), " last ");
}

TEST_F(UnfinishedTest, ASiteThatWasKilledFinishesWithTheCommitOfAnother) {
  die_after_the_decision();
  EXPECT_FALSE(has("disclosed.csv"));
  struct stat kept {};
  ASSERT_EQ(stat((together_.folder() + "/H00.unfinished.json").c_str(), &kept), 0);
  EXPECT_EQ(kept.st_mode & 0777U, 0600U);
  flow::keep_commit(settings_, "H01", "05e5",
                    ByteWriter().number(1, 4).text("H00").raw(signature()).take());
  const std::string commit = together_.folder() + "/H01.commit.json";
  EXPECT_THROW((void)flow::read_commit(commit, "another session", "H00"), Error);
  EXPECT_THROW((void)flow::read_commit(commit, "05e5", "H01"), Error);

  DisclosedList list(settings_, site_, run_, engine_mutex_);
  list.resume();
  EXPECT_EQ(list.session(), "05e5");
  EXPECT_FALSE(list.kept_signature());
  list.commit(flow::read_commit(commit, list.session(), "H00"));
  EXPECT_TRUE(list.is_written());
  EXPECT_EQ(read_file(out_), "element\nE\xcc\x81\nb\n");
  EXPECT_TRUE(has("disclosed.csv.manifest.json"));
  EXPECT_FALSE(has("H00.unfinished.json"));
  EXPECT_THROW(list.resume(), Error);  // once
}

TEST_F(UnfinishedTest, WhatTheAuthorityDidNotSignIsNotWritten) {
  die_after_the_decision();
  Signature wrong = signature();
  wrong[3] ^= 1;
  DisclosedList list(settings_, site_, run_, engine_mutex_);
  list.resume();
  EXPECT_THROW(list.commit(wrong), CheckFailed);
  EXPECT_FALSE(has("disclosed.csv"));
  EXPECT_TRUE(has("H00.unfinished.json"));
}

TEST_F(UnfinishedTest, TheManifestSaysWhatLeavesAndTheFolderOfTheSiteTheRest) {
  run_.command = {"the", "command"};
  run_.options = Json{{"an option", "its value"}};
  run_.config = together_.folder() + "/settings.yaml";
  write_file_atomically(run_.config, "k: 2\n");
  die_after_the_decision();
  // The kept file has a salt of its own each time: whoever knows the list cannot try it.
  const Json kept = read_json_file(together_.folder() + "/H00.unfinished.json");
  DisclosedList list(settings_, site_, run_, engine_mutex_);
  EXPECT_NE(list.prepare(files_, decision_, "run"), commitment_);
  EXPECT_NE(read_json_file(together_.folder() + "/H00.unfinished.json").at("salt"),
            kept.at("salt"));
  commitment_ = {};
  die_after_the_decision();
  DisclosedList again(settings_, site_, run_, engine_mutex_);
  again.resume();
  again.commit(signature());
  EXPECT_EQ(again.rows(), 2U);
  struct stat written {};
  ASSERT_EQ(stat(out_.c_str(), &written), 0);
  EXPECT_EQ(written.st_mode & 0777U, 0600U);
  const Json manifest = read_json_file(out_ + ".manifest.json");
  EXPECT_EQ(manifest.at("kind"), "consortium");
  EXPECT_EQ(manifest.at("verb"), "site");
  EXPECT_EQ(manifest.at("command"), (Json{"the", "command"}));
  EXPECT_EQ(manifest.at("options"), (Json{{"an option", "its value"}}));
  EXPECT_FALSE(manifest.at("version").get<std::string>().empty());
  EXPECT_FALSE(manifest.at("created").get<std::string>().empty());
  const Json& parameters = manifest.at("parameters");
  EXPECT_EQ(parameters.at("protocol"), "proven");
  EXPECT_EQ(parameters.at("k"), 2);
  EXPECT_EQ(parameters.at("method"), "greedy");
  EXPECT_EQ(parameters.at("site"), "H00");
  EXPECT_EQ(parameters.at("sites"), (Json{"H00", "H01"}));
  EXPECT_EQ(parameters.at("session"), "05e5");
  const Json& claim = manifest.at("claims").at(0);
  EXPECT_EQ(claim.at("model"), "consortium-unlinkability");
  EXPECT_EQ(claim.at("standing"), "attested");
  EXPECT_EQ(claim.at("k"), 2);
  EXPECT_EQ(claim.at("signature"), to_hex(signature()));
  EXPECT_EQ(manifest.at("verification").at(0).at("model"), "consortium-unlinkability");
  EXPECT_EQ(manifest.at("results"), (Json{{"disclosed", 2}, {"sites", 2}, {"k", 2}}));
  EXPECT_FALSE(manifest.at("figures").empty());
  const Json& output = manifest.at("outputs").at(0);
  EXPECT_EQ(output.at("sha256"), sha256_file(out_));
  EXPECT_EQ(output.at("bytes"), file_size(out_));
  EXPECT_EQ(output.at("rows"), 2);
  // Neither hashes of the inputs nor how many samples the site has: these are its own.
  ASSERT_EQ(manifest.at("inputs").size(), 3U);
  for (const auto& input : manifest.at("inputs")) {
    EXPECT_TRUE(input.contains("commitment"));
    EXPECT_FALSE(input.contains("sha256"));
  }
  EXPECT_EQ(manifest.at("inputs").at(2).at("role"), "setting");
  EXPECT_EQ(read_file(out_ + ".manifest.json").find("submitted"), std::string::npos);
}

TEST_F(UnfinishedTest, ASignatureThatHadComeIsKept) {
  die_after_the_decision();
  const std::string path = together_.folder() + "/H00.unfinished.json";
  Json kept = read_json_file(path);
  for (const std::string& spoiled :
       {std::string("zz"), std::string(128, 'g'), std::string(128, 'A')}) {
    kept["signature"] = spoiled;
    write_file_atomically(path, to_text(kept));
    DisclosedList list(settings_, site_, run_, engine_mutex_);
    list.resume();
    EXPECT_FALSE(list.kept_signature()) << spoiled;
  }
  kept["signature"] = to_hex(signature());
  write_file_atomically(path, to_text(kept));
  DisclosedList list(settings_, site_, run_, engine_mutex_);
  list.resume();
  ASSERT_TRUE(list.kept_signature());
  EXPECT_EQ(*list.kept_signature(), signature());
  list.commit(*list.kept_signature());
  EXPECT_TRUE(list.is_written());
}

// A later session that fails, before it has come to a decision or after it, takes nothing of the
// earlier.
TEST_F(UnfinishedTest, ASessionForgetsOnlyWhatItKeptItself) {
  die_after_the_decision();
  DisclosedList later(settings_, site_, run_, engine_mutex_);
  later.forget();
  EXPECT_TRUE(has("H00.unfinished.json"));
  (void)later.prepare(files_, decision_, "site");
  later.forget();
  EXPECT_FALSE(has("H00.unfinished.json"));
}

TEST_F(UnfinishedTest, WhatNobodyKeptIsRefused) {
  const std::string path = together_.folder() + "/H00.unfinished.json";
  DisclosedList list(settings_, site_, run_, engine_mutex_);
  EXPECT_THROW(list.resume(), Error);
  for (const char* text : {"{}", R"({"out":7})", R"({"out":"x","list":"element\n"})"}) {
    write_file_atomically(path, text);
    EXPECT_THROW(list.resume(), Error) << text;
  }
  EXPECT_FALSE(list.is_written());
  // A list of which nothing may leave keeps nothing and writes nothing.
  std::filesystem::remove(path);
  decision_.by_all = 0;
  decision_.disclosed = {};
  DisclosedList none(settings_, site_, run_, engine_mutex_);
  (void)none.prepare(files_, decision_, "site");
  EXPECT_FALSE(std::filesystem::exists(path));
  none.commit(Signature{});
  EXPECT_FALSE(none.is_written());
  EXPECT_FALSE(has("disclosed.csv"));
}

TEST_F(UnfinishedTest, AListWithoutElementsIsNamed) {
  const std::string path = together_.folder() + "/other.csv";
  write_file_atomically(path, "Element,ward\na,1\n");
  try {
    (void)flow::read_list(run_, path, Reading::as_read, settings_.form);
    ADD_FAILURE() << "it was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), path);
    EXPECT_EQ(error.hint(), "Did you mean Element?");
  }
}

TEST_F(UnfinishedTest, ABlankCellIsRefusedWhereAnotherColumnSaysThatItIsARow) {
  const std::string path = together_.folder() + "/two.csv";
  write_file_atomically(path, "element,ward\n a ,1\nb,2\n");
  const auto list = flow::read_list(run_, path, Reading::as_read, settings_.form).elements;
  EXPECT_EQ(elements_of(list), (Elements{"a", "b"}));
  EXPECT_EQ(list.spelled(0), " a ");
  write_file_atomically(path, "element,ward\na,1\n ,2\n");
  EXPECT_THROW((void)flow::read_list(run_, path, Reading::as_read, settings_.form), Error);
}

// Whoever has the disclosed lists reads them as one, in lists of samples as in those of people.
TEST_F(UnfinishedTest, SpellingsOfAnElementAreOneButInUnions) {
  const std::string path = together_.folder() + "/spelt.csv";
  write_file_atomically(path, "element\nacgt\nACGT\n\"AcGt \"\nttt\n007\n7\n");
  const auto read = flow::read_list(run_, path, Reading::as_read, settings_.form);
  EXPECT_EQ(elements_of(read.elements), (Elements{"acgt", "ttt", "7"}));
  EXPECT_TRUE(read.joined_spellings);
  EXPECT_EQ(read.elements.spelled(2), "007");
  const auto called = flow::read_list(run_, path, Reading::as_called, settings_.form);
  EXPECT_EQ(elements_of(called.elements), (Elements{"acgt", "ACGT", "AcGt", "ttt", "007", "7"}));
  write_file_atomically(path, "element\nacgt\nacgt\nttt\n");
  EXPECT_FALSE(flow::read_list(run_, path, Reading::as_read, settings_.form).joined_spellings);
}

// Who is not known is no element that several sites have in common.
TEST_F(UnfinishedTest, AWordForWhatIsMissingIsNoElement) {
  const std::string path = together_.folder() + "/missing.csv";
  CanonicalForm blanks_kept = settings_.form;
  blanks_kept.blanks = "keep";
  for (const std::string nothing :
       {"NULL", "NA", "n/a", " unknown ", "-", "\u2026", "''", "(unknown)", "N/A ."}) {
    for (const auto& form : {settings_.form, blanks_kept}) {
      write_file_atomically(path, "element,ward\na,1\nb,1\n" + nothing + ",2\n");
      for (const Reading reading : {Reading::as_read, Reading::as_called}) {
        try {
          (void)flow::read_list(run_, path, reading, form);
          ADD_FAILURE() << nothing;
        } catch (const Error& error) {
          EXPECT_EQ(error.place(), path);
          EXPECT_EQ(error.message(), "row 3 has no value in column 'element'");
          EXPECT_FALSE(error.hint().empty());
        }
      }
    }
  }
}

}  // namespace
}  // namespace pratique::consortium::disclosed_list_test
