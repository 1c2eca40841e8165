#include "pratique/release/release_ledger.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/kind/testing/release_fixture.h"
#include "pratique/release/kinds.h"
#include "pratique/release/report_finding.h"

namespace pratique::release::release_ledger_test {
namespace {

class ReleaseLedgerTest : public ReleaseFixture {
 protected:
  std::string ledger_path = path("ledger");
  std::string key_path = path("ledger.key");
  std::string people = file("people.csv", "age,zip,s\n1,A,x\n2,A,y\n3,B,x\n4,B,y\n");
  Preparation preparation;

  void SetUp() override { (void)ledger::LedgerFile::create(ledger_path, key_path); }

  // Two classes of two, in the folder `where`.
  std::string release(const std::string& name, const std::string& text, const Json& inputs,
                      const Json& parameters = Json{{"quasi_identifiers", {"age", "zip"}},
                                                    {"sensitive", {"s"}}}) {
    (void)file(name, text);
    Json manifest = manifest_of(name, "tables", 4);
    manifest["inputs"] = inputs;
    manifest["parameters"] = parameters;
    write_manifest(name, manifest);
    return path(name);
  }
  std::string first() {
    return release("one.csv", "age,zip,s\n1..2,A,x\n1..2,A,y\n3..4,B,x\n3..4,B,y\n",
                   Json::array({input_of(people)}));
  }
  std::string second() {
    return release("two.csv", "age,zip,s\n1..2,A,x\n1..2,A,z\n3..4,B,x\n3..4,B,z\n",
                   Json::array({input_of(people)}));
  }
  // One person more than the first is made of.
  std::string of_others() {
    const std::string others = file("others.csv", "age,zip,s\n1,A,x\n2,A,y\n3,B,x\n4,B,y\n5,B,y\n");
    return release("two.csv", "age,zip,s\n1..2,A,x\n1..2,A,z\n3..4,B,x\n3..4,B,z\n",
                   Json::array({input_of(others)}));
  }
  Json prepare(const AddRequest& request) {
    preparation = {};
    return prepare_entry(engine(), ledger::Ledger::read(ledger_path), SigningKey::load(key_path),
                         request, preparation, Progress::silent());
  }
  // What stands in the ledger for a file: nobody without its key can try other files.
  std::string mark(const std::string& path) const {
    const auto secret = SigningKey::load(key_path).secret_for("pratique ledger marks 1");
    return to_hex(hmac_sha256(secret, sha256_file(path)));
  }
  void add(const AddRequest& request) {
    const Json body = prepare(request);
    ledger::LedgerFile file(ledger_path, false, Progress::silent());
    (void)file.append("release", body, SigningKey::load(key_path));
  }
};

TEST_F(ReleaseLedgerTest, PlainHashesOfEarlierVersionsStillTellWhoIsInARelease) {
  Json body = prepare({.release = first()});
  body["inputs"] = Json::array({sha256_file(people)});
  {
    ledger::LedgerFile file(ledger_path, false, Progress::silent());
    (void)file.append("release", body, SigningKey::load(key_path));
  }
  (void)prepare({.release = second()});
  EXPECT_EQ(preparation.earlier, std::vector<std::uint64_t>{1});
}

TEST_F(ReleaseLedgerTest, AnEntryHasHashesAndFigures) {
  const std::string added = first();
  const Json body = prepare({.release = added, .population = "clinic-2020", .max_breach = 0.5});
  EXPECT_EQ(body["release"]["sha256"], sha256_file(added));
  EXPECT_EQ(body["release"]["bytes"], file_size(added));
  EXPECT_EQ(body["release"]["rows"], 4);
  EXPECT_EQ(body["manifest"], sha256_file(added + ".manifest.json"));
  EXPECT_EQ(body["kind"], "tables");
  EXPECT_EQ(body["version"], "0.2.0");
  EXPECT_EQ(body["inputs"], Json::array({mark(people)}));
  EXPECT_EQ(body["k"], 2);
  EXPECT_EQ(body["claims"],
            Json::parse(R"([{"model": "k-anonymity", "required": 2.0, "achieved": 2.0}])"));
  EXPECT_EQ(body["population"], "clinic-2020");
  EXPECT_EQ(body["max_breach"], 0.5);
  EXPECT_EQ(body["earlier"], Json::array());
  EXPECT_EQ(body["sequence"]["attacked"], true);
  for (const char* key : {"missing", "report", "known", "people"})
    EXPECT_FALSE(body.contains(key)) << key;
  EXPECT_EQ(body.dump().find(folder.path()), std::string::npos);  // no path
  EXPECT_FALSE(prepare({.release = added}).contains("population"));
}

TEST_F(ReleaseLedgerTest, WhatElseWasGivenIsRecordedByItsHash) {
  const std::string known = file("known.csv", "age,zip,s\n1..2,A,x\n1..2,A,y\n");
  const Json body = prepare({.release = first(), .people = people, .known = {known}});
  EXPECT_EQ(body["people"], mark(people));
  EXPECT_EQ(body["known"], Json::array({mark(known)}));
}

TEST_F(ReleaseLedgerTest, ColumnsThatLookLikeIdentifiersAndWereAllowedAreRecorded) {
  const Json plain = prepare({.release = first()});
  EXPECT_FALSE(plain.contains("allowed"));
  const std::string added = release(
      "one.csv", "age,zip,s\n1..2,A,x\n1..2,A,y\n3..4,B,x\n3..4,B,y\n",
      Json::array({input_of(people)}),
      Json{{"quasi_identifiers", {"age", "zip"}}, {"sensitive", {"s"}}, {"allowed", {"s"}}});
  EXPECT_EQ(prepare({.release = added})["allowed"], Json::array({"s"}));
}

TEST_F(ReleaseLedgerTest, EarlierReleasesOfTheSamePeopleAreAttackedToo) {
  add({.release = first()});
  EXPECT_TRUE(preparation.earlier.empty());
  EXPECT_EQ(preparation.others, 0U);
  const Json body = prepare({.release = second()});
  EXPECT_EQ(preparation.earlier, std::vector<std::uint64_t>{1});
  EXPECT_TRUE(preparation.missing.empty());
  EXPECT_EQ(body["earlier"], Json::array({1}));
  EXPECT_EQ(body["sequence"]["releases"], 2);
  // Only x is in both: everybody's value is known.
  EXPECT_EQ(preparation.revealed.breach(), 1);
}

TEST_F(ReleaseLedgerTest, OtherPeopleAreCountedAndLeftAlone) {
  add({.release = first()});
  const Json body = prepare({.release = of_others(), .other_people = true});
  EXPECT_TRUE(preparation.earlier.empty());
  EXPECT_EQ(preparation.others, 1U);
  EXPECT_EQ(preparation.revealed.breach(), 0);
  EXPECT_EQ(body["other_people"], Json::array({1}));
}

TEST_F(ReleaseLedgerTest, WhoseATableWithTheSameColumnsIsMustBeSaid) {
  add({.release = first()});
  const std::string grown = of_others();
  const auto asked = [&](const AddRequest& request) {
    try {
      (void)prepare(request);
    } catch (const UnclearPeople& unclear) {
      EXPECT_EQ(unclear.code(), ErrorCode::check_failed);
      EXPECT_NE(unclear.message().find("entry 1"), std::string::npos) << unclear.message();
      EXPECT_NE(unclear.hint().find("--other-people"), std::string::npos) << unclear.hint();
      EXPECT_EQ(unclear.entries(), std::vector<std::uint64_t>{1});
      return unclear.hint();
    }
    ADD_FAILURE() << "nobody asked";
    return std::string();
  };
  // The earlier one has no name, so that a name now says nothing about it.
  EXPECT_NE(asked({.release = grown}).find("--same-people 1"), std::string::npos);
  (void)asked({.release = grown, .population = "clinic"});
  const Json same = prepare({.release = grown, .same_people = {1}});
  EXPECT_EQ(same["same_people"], Json::array({1}));
  EXPECT_FALSE(same.contains("other_people"));
  EXPECT_EQ(preparation.earlier, std::vector<std::uint64_t>{1});
  EXPECT_EQ(error_of([&] { return prepare({.release = grown, .same_people = {7}}); }).code(),
            ErrorCode::bad_input);
}

TEST_F(ReleaseLedgerTest, ANameThatNoEntryHasMayBeASlip) {
  add({.release = first(), .population = "clinic"});
  const std::string grown = of_others();
  try {
    (void)prepare({.release = grown, .population = "clinc"});
    FAIL() << "nobody asked";
  } catch (const UnclearPeople& unclear) {
    EXPECT_NE(unclear.hint().find("--population clinic"), std::string::npos) << unclear.hint();
    EXPECT_NE(unclear.message().find("'clinc'"), std::string::npos) << unclear.message();
  }
  EXPECT_NO_THROW((void)prepare({.release = grown, .population = "clinic"}));
  // Once it was said that there are two populations, nobody is asked again.
  add({.release = grown, .population = "practice", .other_people = true});
  const std::string third =
      release("three.csv", "age,zip,s\n1..2,A,v\n1..2,A,w\n3..4,B,v\n3..4,B,w\n",
              Json::array({input_of(file("more.csv", "age,zip,s\n1,A,v\n2,A,w\n3,B,v\n4,B,w\n"))}));
  for (const auto& [name, entry] :
       {std::pair<std::string, std::uint64_t>{"clinic", 1}, {"practice", 2}}) {
    (void)prepare({.release = third, .population = name});
    EXPECT_EQ(preparation.earlier, std::vector<std::uint64_t>{entry});
    EXPECT_EQ(preparation.others, 1U);
  }
}

TEST_F(ReleaseLedgerTest, AReleaseWithoutAKIsRecordedWithoutOne) {
  const std::string added = first();
  Json manifest = Json::parse(read_file(added + ".manifest.json"));
  manifest["claims"][0] = {{"model", "distinct-l-diversity"},
                           {"quasi_identifiers", {"age", "zip"}},
                           {"sensitive", "s"},
                           {"l", 2},
                           {"standing", "derived"}};
  manifest["verification"][0]["model"] = "distinct-l-diversity";
  write_manifest("one.csv", manifest);
  const Json body = prepare({.release = added});
  EXPECT_FALSE(body.contains("k"));
  EXPECT_TRUE(body["sequence"]["promised_k"].is_null()) << body["sequence"].dump();
}

TEST_F(ReleaseLedgerTest, ANameOfThePeopleJoinsExtracts) {
  add({.release = first(), .population = "clinic"});
  const std::string other = of_others();
  (void)prepare({.release = other, .population = "clinic"});
  EXPECT_EQ(preparation.earlier, std::vector<std::uint64_t>{1});
  for (const char* name : {"another", ""}) {
    (void)prepare({.release = other, .population = name, .other_people = true});
    EXPECT_TRUE(preparation.earlier.empty());
  }
}

TEST_F(ReleaseLedgerTest, ASettingInCommonIsNoCommonPeople) {
  const std::string tree = file("tree.csv", "1;2\n");
  Json setting = input_of(tree);
  setting["role"] = "setting";
  add({.release = release("one.csv", "age,zip,s\n1..2,A,x\n1..2,A,y\n3..4,B,x\n3..4,B,y\n",
                          Json::array({input_of(people), setting}))});
  const std::string others = file("others.csv", "age,zip,s\n1,A,x\n2,A,y\n3,B,x\n4,B,y\n5,B,y\n");
  (void)prepare(
      {.release = release("two.csv", "age,zip,s\n1..2,A,x\n1..2,A,z\n3..4,B,x\n3..4,B,z\n",
                          Json::array({input_of(others), setting})),
       .other_people = true});
  EXPECT_TRUE(preparation.earlier.empty());
}

TEST_F(ReleaseLedgerTest, AnEarlierReleaseThatIsNotAtHandIsMissed) {
  add({.release = first()});
  const std::string later = second();
  std::filesystem::create_directory(path("away"));
  for (const char* name : {"one.csv", "one.csv.manifest.json"})
    std::filesystem::rename(path(name), path("away/") + name);
  try {
    (void)prepare({.release = later});
    FAIL() << "nothing was missed";
  } catch (const MissingReleases& missing) {
    EXPECT_EQ(missing.entries(), std::vector<std::uint64_t>{1});
    EXPECT_NE(missing.message().find("entry 1"), std::string::npos) << missing.message();
    EXPECT_NE(missing.hint().find("--skip-missing"), std::string::npos);
  }
  const Json without = prepare({.release = later, .skip_missing = true});
  EXPECT_EQ(without["missing"], Json::array({1}));
  EXPECT_EQ(without["earlier"], Json::array({1}));
  EXPECT_EQ(without["sequence"]["releases"], 1);
  const Json with = prepare({.release = later, .folders = {path("away")}});
  EXPECT_FALSE(with.contains("missing"));
  EXPECT_EQ(with["sequence"]["releases"], 2);
  // One that was changed since, or has another manifest, is not the one that was added.
  (void)file("away/one.csv", "age,zip,s\n1..2,A,x\n");
  EXPECT_THROW((void)prepare({.release = later, .folders = {path("away")}}), MissingReleases);
  const Error error =
      error_of([&] { return prepare({.release = later, .folders = {path("nowhere")}}); });
  EXPECT_EQ(error.place(), path("nowhere"));
}

TEST_F(ReleaseLedgerTest, MissingReleasesAreCountedInWords) {
  EXPECT_NE(MissingReleases({1, 2}).message().find("entries 1, 2"), std::string::npos);
}

TEST_F(ReleaseLedgerTest, ABrokenManifestNearbyIsPassedOver) {
  add({.release = first()});
  (void)file("odd.csv.manifest.json", "{");
  (void)file("none.csv.manifest.json", "{}");
  (void)prepare({.release = second()});
  EXPECT_TRUE(preparation.missing.empty());
}

TEST_F(ReleaseLedgerTest, AReleaseIsRecordedOnce) {
  add({.release = first()});
  const Error error = error_of([&] { return prepare({.release = path("one.csv")}); });
  EXPECT_EQ(error.code(), ErrorCode::bad_input);
  EXPECT_NE(error.message().find("as entry 1"), std::string::npos) << error.message();
}

TEST_F(ReleaseLedgerTest, OnlyWhatVerifiesIsRecorded) {
  const std::string added = first();
  (void)file("one.csv", "age,zip,s\n1..2,A,x\n1..2,A,y\n3..4,B,x\n3,B,y\n");
  const auto refused = [&] {
    const Error error = error_of([&] { return prepare({.release = added}); });
    EXPECT_EQ(error.code(), ErrorCode::check_failed);
    EXPECT_EQ(error.place(), added);
    EXPECT_EQ(error.message(), "this release does not pass verification and is not recorded");
  };
  refused();  // another file than the manifest's
  Json manifest = manifest_of("one.csv", "tables", 4);
  manifest["inputs"] = Json::array({input_of(people)});
  manifest["parameters"] = {{"quasi_identifiers", {"age", "zip"}}, {"sensitive", {"s"}}};
  write_manifest("one.csv", manifest);
  refused();  // the manifest's file, of which the claim does not hold
}

TEST_F(ReleaseLedgerTest, AnUnknownKindIsToldBeforeItsClaimsAreLookedAt) {
  const std::string added = first();
  Json manifest = manifest_of("one.csv", "zzz", 4);
  manifest["claims"][0]["k"] = 3;  // which the file is not
  write_manifest("one.csv", manifest);
  const Error error = error_of([&] { return prepare({.release = added}); });
  EXPECT_EQ(error.code(), ErrorCode::bad_input);
  EXPECT_EQ(error.message(), "this version knows no such kind of release");
}

TEST_F(ReleaseLedgerTest, AManifestThatContradictsItselfIsNotRecorded) {
  const std::string added = release(
      "one.csv", "age,zip,s\n1..2,A,x\n1..2,A,y\n3..4,B,x\n3..4,B,y\n",
      Json::array({input_of(people)}), Json{{"quasi_identifiers", {"age"}}, {"sensitive", {"s"}}});
  const Error error = error_of([&] { return prepare({.release = added}); });
  EXPECT_EQ(error.code(), ErrorCode::check_failed);
  EXPECT_EQ(error.place(), added + ".manifest.json");
}

// The figures of a manifest may be wrong only beside claims that hold, which those of a recorded
// release do.
constexpr std::array<ModelWords, 1> kModels = {{{"k-anonymity", "k-anonymity", "K.", "L."}}};
constexpr Kind kCensus = {
    .noun = "census",
    .title = "counts",
    .adversary = "Somebody.",
    .file_kind = "",
    .models = kModels,
    .contradict = [](const Evidence& evidence, std::vector<std::string>& disagreements) {
      if (evidence.claims_hold && evidence.manifest.results->contains("alone"))
        disagreements.emplace_back("nobody is alone");
    }};

TEST_F(ReleaseLedgerTest, AKindHoldsItsManifestAgainstClaimsThatHold) {
  static const bool added = (add_kind(kCensus), true);
  (void)added;
  (void)file("c.csv", "age,zip\n1,A\n1,A\n");
  Json manifest = manifest_of("c.csv", "census", 2);
  write_manifest("c.csv", manifest);
  EXPECT_EQ(prepare({.release = path("c.csv")})["kind"], "census");
  manifest["results"] = {{"alone", 1}};
  write_manifest("c.csv", manifest);
  const Error error = error_of([&] { return prepare({.release = path("c.csv")}); });
  EXPECT_EQ(error.code(), ErrorCode::check_failed);
  EXPECT_NE(error.message().find("nobody is alone"), std::string::npos) << error.message();
}

TEST_F(ReleaseLedgerTest, NamesOfPeopleAreNoPopulations) {
  const std::string added = first();
  EXPECT_NO_THROW((void)prepare({.release = added, .population = std::string(64, 'a')}));
  for (const auto& name : {std::string(65, 'a'), std::string("Jane Doe"), std::string("a/b")}) {
    const Error error = error_of([&] { return prepare({.release = added, .population = name}); });
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
  }
}

TEST_F(ReleaseLedgerTest, AReportMustHaveFoundThisReleaseVerified) {
  const std::string added = first();
  const auto report_of = [&](const std::string& sha256, const std::string& manifest,
                             Standing standing) {
    Report report{.created = "2026-11-17T03:00:00Z", .version = "0.2.0"};
    report.releases.emplace_back();
    report.releases[0].sha256 = sha256;
    report.releases[0].manifest_sha256 = manifest;
    report.releases[0].standing = standing;
    return file("report.json", findings_to_json(report).dump());
  };
  const std::string sha256 = sha256_file(added);
  const std::string manifest = sha256_file(added + ".manifest.json");
  const std::string good = report_of(sha256, manifest, Standing::holds);
  // A mark under the ledger's key: the report may have figures about the original.
  const std::string mark = prepare({.release = added, .report = good})["report"];
  EXPECT_EQ(mark.size(), 64U);
  EXPECT_NE(mark, sha256_file(good));
  EXPECT_EQ(prepare({.release = added, .report = good})["report"], mark);
  const std::string other(64, '0');
  for (const auto& bad : {report_of(other, manifest, Standing::holds)}) {
    EXPECT_EQ(error_of([&] { return prepare({.release = added, .report = bad}); }).place(), bad);
  }
  const std::string of_other_manifest = report_of(sha256, other, Standing::holds);
  EXPECT_EQ(
      error_of([&] { return prepare({.release = added, .report = of_other_manifest}); }).place(),
      of_other_manifest);
  const std::string open = report_of(sha256, manifest, Standing::unchecked);
  EXPECT_EQ(error_of([&] { return prepare({.release = added, .report = open}); }).place(), open);
}

TEST_F(ReleaseLedgerTest, EntriesOfOtherKindsAreNoReleasesAndStrangeOnesAreTold) {
  {
    ledger::LedgerFile file(ledger_path, false, Progress::silent());
    (void)file.append("note", Json{{"text", "hello"}}, SigningKey::load(key_path));
  }
  EXPECT_NO_THROW((void)prepare({.release = first()}));
  EXPECT_EQ(preparation.others, 0U);
  {
    ledger::LedgerFile file(ledger_path, false, Progress::silent());
    (void)file.append("release", Json{{"text", "hello"}}, SigningKey::load(key_path));
  }
  const Error error = error_of([&] { return prepare({.release = path("one.csv")}); });
  EXPECT_NE(error.message().find("entry 2"), std::string::npos) << error.message();
}

}  // namespace
}  // namespace pratique::release::release_ledger_test
