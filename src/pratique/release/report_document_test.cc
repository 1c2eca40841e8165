#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "pratique/release/report.h"

namespace pratique::release::report_document_test {
namespace {

constexpr double kFew = std::numeric_limits<double>::quiet_NaN();

ReleaseReport example() {
  ReleaseReport release;
  release.release = "r.csv";
  release.title = "a table";
  release.created = "2026-11-16T09:00:03Z";
  release.version = "0.2.0";
  release.k = 5;
  release.standing = Standing::holds;
  release.verdict = "Verified.";
  release.facts = {{"records released", "7"}};
  release.columns = {{"age", "quasi-identifier", "recoded"}};
  release.requirements = {{.model = "k-anonymity",
                           .name = "k-anonymity",
                           .setting = "k = 5",
                           .finding = "6",
                           .promise = "It promises.",
                           .limit = "It is limited.",
                           .standing = Standing::holds}};
  release.adversary = "Who knows.";
  release.command = "pratique tables protect";
  release.verify_command = "pratique verify r.csv";
  release.files = {{"release", "r.csv", "ab", 12345}};
  return release;
}

Document document_of(const std::vector<ReleaseReport>& releases) {
  Report report{.created = "2026-11-17T03:00:00Z", .version = "0.2.0"};
  report.releases = releases;
  return to_document(report);
}

const Section& section(const Document& document, std::string_view title) {
  static const Section kNone;
  for (const auto& section : document.chapters.at(0).sections) {
    if (section.title == title) return section;
  }
  return kNone;
}

// The blocks of a type.
template <typename Block>
std::vector<Block> all(const std::vector<release::Block>& blocks) {
  std::vector<Block> wanted;
  for (const auto& block : blocks) {
    if (const auto* is = std::get_if<Block>(&block)) wanted.push_back(*is);
  }
  return wanted;
}
template <typename Block>
Block only(const Section& section) {
  const auto blocks = all<Block>(section.blocks);
  EXPECT_EQ(blocks.size(), 1U) << section.title;
  return blocks.empty() ? Block{} : blocks.front();
}

using Row = std::vector<std::string>;

BarChart bars(std::string title, Row series = {}, std::vector<BarRow> rows = {}) {
  return {std::move(title), "", "", std::move(series), std::move(rows)};
}

std::vector<Row> attack_rows(const std::vector<Compared>& attacks) {
  ReleaseReport release = example();
  release.attacks = attacks;
  return only<Grid>(section(document_of({release}), "Attacks, before and after")).rows;
}

TEST(ReportDocument, NumbersAndSharesAreWrittenForReaders) {
  EXPECT_EQ(attack_rows({{"a", "A", 12345, 0.12345, false}}),
            (std::vector<Row>{{"A", "12,345", "0.1235"}}));
  EXPECT_EQ(attack_rows({{"a", "A", 1, 0, true}}), (std::vector<Row>{{"A", "100 %", "0 %"}}));
  EXPECT_EQ(attack_rows({{"a", "A", 0.5, 0.001, true}}),
            (std::vector<Row>{{"A", "50.0 %", "0.1 %"}}));
  EXPECT_EQ(attack_rows({{"a", "A", 0.9999, 0.0001, true}}),
            (std::vector<Row>{{"A", "100.0 %", "0.010 %"}}));
}

TEST(ReportDocument, ACountAndItsShareStandInOneLine) {
  EXPECT_EQ(attack_rows({{"a", "A", 10, 6, false},
                         {"a_share", "A's", 0.5, 0.25, true},
                         {"b", "B", 1, 2, false},
                         {"c_share", "C", 0.5, 0.5, true}}),
            (std::vector<Row>{
                {"A", "10 (50.0 %)", "6 (25.0 %)"}, {"B", "1", "2"}, {"C", "50.0 %", "50.0 %"}}));
  EXPECT_EQ(attack_rows({{"a", "A", kFew, 6, false}, {"a_share", "A's", kFew, 0.25, true}}),
            (std::vector<Row>{{"A", "1 to 4", "6 (25.0 %)"}}));
}

TEST(ReportDocument, OneReleaseHasItsVerdictOnTop) {
  const auto verdict_of = [](Standing standing) {
    ReleaseReport release = example();
    release.standing = standing;
    const auto verdicts = all<Verdict>(document_of({release}).opening);
    EXPECT_EQ(verdicts.size(), 1U);
    EXPECT_EQ(verdicts.at(0).text, "Verified.");
    return verdicts.at(0).tone;
  };
  EXPECT_EQ(verdict_of(Standing::holds), Verdict::Tone::good);
  EXPECT_EQ(verdict_of(Standing::fails), Verdict::Tone::bad);
  EXPECT_EQ(verdict_of(Standing::unchecked), Verdict::Tone::open);
  const Document document = document_of({example()});
  EXPECT_EQ(document.title, "Report of a release");
  EXPECT_TRUE(all<Verdict>(section(document, "What was released").blocks).empty());
  EXPECT_EQ(all<Grid>(document.opening).size(), 1U);
}

TEST(ReportDocument, SeveralReleasesAreSummedUp) {
  const auto verdict_of = [](const std::vector<Standing>& standings) {
    std::vector<ReleaseReport> releases;
    for (const auto standing : standings) {
      releases.push_back(example());
      releases.back().standing = standing;
    }
    const Document document = document_of(releases);
    EXPECT_EQ(document.title, "Report of releases");
    EXPECT_EQ(document.chapters.size(), releases.size());
    EXPECT_EQ(all<Verdict>(section(document, "What was released").blocks).size(), 1U);
    const auto grids = all<Grid>(document.opening);
    EXPECT_EQ(grids.size(), 2U);
    EXPECT_EQ(grids.back().rows.size(), releases.size());
    return all<Verdict>(document.opening).at(0);
  };
  constexpr auto kHolds = Standing::holds;
  constexpr auto kFails = Standing::fails;
  constexpr auto kOpen = Standing::unchecked;
  const Verdict good = verdict_of({kHolds, kHolds});
  EXPECT_EQ(good.tone, Verdict::Tone::good);
  EXPECT_TRUE(good.text.starts_with("All 2 releases are verified"));
  const Verdict mixed = verdict_of({kHolds, kFails, kOpen});
  EXPECT_EQ(mixed.tone, Verdict::Tone::bad);
  EXPECT_EQ(mixed.text, "1 of 3 releases does not pass verification. Do not rely on it.");
  EXPECT_EQ(verdict_of({kFails, kFails}).text,
            "2 of 2 releases do not pass verification. Do not rely on them.");
  const Verdict open = verdict_of({kHolds, kOpen});
  EXPECT_EQ(open.tone, Verdict::Tone::open);
  EXPECT_EQ(open.text, "1 of 2 releases was not verified again.");
  EXPECT_EQ(verdict_of({kOpen, kOpen}).text, "2 of 2 releases were not verified again.");
}

TEST(ReportDocument, TheMomentIsReadable) {
  const auto moment_of = [](const std::string& created) {
    ReleaseReport release = example();
    release.created = created;
    return only<Grid>(section(document_of({release}), "What was released")).rows.at(1).at(1);
  };
  EXPECT_EQ(moment_of("2026-11-16T09:00:03Z"), "2026-11-16 09:00 UTC by pratique 0.2.0");
  for (const std::string other : {"2026-11-16 09:00:03Z", "2026-11-16T09.00:03Z",
                                  "2026-11-16T09:00:03+", "yesterday", "2026-11-16T09:00:03ZZ"}) {
    EXPECT_EQ(moment_of(other), other + " by pratique 0.2.0");
  }
}

TEST(ReportDocument, ColumnsHaveCountsWhereThereAreAny) {
  ReleaseReport release = example();
  EXPECT_EQ(only<Grid>(section(document_of({release}), "What became of each column")).rows,
            (std::vector<Row>{{"age", "quasi-identifier", "recoded"}}));
  release.columns.push_back({"zip", "sensitive", "kept", "7"});
  const auto grid = only<Grid>(section(document_of({release}), "What became of each column"));
  EXPECT_EQ(grid.head.size(), 4U);
  EXPECT_EQ(grid.rows, (std::vector<Row>{{"age", "quasi-identifier", "recoded", ""},
                                         {"zip", "sensitive", "kept", "7"}}));
  release.columns.clear();
  EXPECT_EQ(only<Paragraph>(section(document_of({release}), "What became of each column")).text,
            "The manifest says nothing about columns.");
}

TEST(ReportDocument, WhatWasNotDerivedAgainIsNotSaidToBe) {
  ReleaseReport release = example();
  const auto words = [&] {
    return only<Paragraph>(
               section(document_of({release}), "What was required, and what was verified"))
        .text;
  };
  EXPECT_TRUE(words().starts_with("Every claim was derived again"));
  release.requirements.push_back(release.requirements[0]);
  release.requirements[0].standing = Standing::unchecked;
  EXPECT_TRUE(words().starts_with("Every claim was derived again"));
  release.requirements.pop_back();
  EXPECT_TRUE(words().starts_with("Nothing was derived again"));
  EXPECT_EQ(
      only<Grid>(section(document_of({release}), "What was required, and what was verified")).rows,
      (std::vector<Row>{{"k-anonymity", "k = 5", "unchecked", "6"}}));
}

TEST(ReportDocument, NoAttackAndNoMetricAreSaid) {
  const Document document = document_of({example()});
  EXPECT_EQ(only<Paragraph>(section(document, "Attacks, before and after")).text,
            "The manifest records no attack.");
  EXPECT_EQ(only<Paragraph>(section(document, "What the release lost")).text,
            "The manifest records no metric.");
  EXPECT_EQ(section(document, "Original and release side by side").title, "");
  EXPECT_EQ(section(document, "The release in charts").title, "");
}

TEST(ReportDocument, MetricsHaveMeaningsWhereThereAreAny) {
  ReleaseReport release = example();
  release.metrics = {{"a", "A", 0.5, ""}};
  EXPECT_EQ(only<Grid>(section(document_of({release}), "What the release lost")).head.size(), 2U);
  release.metrics.push_back({"b", "B", 2000, "means"});
  const auto grid = only<Grid>(section(document_of({release}), "What the release lost"));
  EXPECT_EQ(grid.head.size(), 3U);
  EXPECT_EQ(grid.rows, (std::vector<Row>{{"A", "0.5", ""}, {"B", "2,000", "means"}}));
}

TEST(ReportDocument, PicturesOfNothingAreLeftOut) {
  ReleaseReport release = example();
  release.groups = {{}, bars("sizes", {"a"}, {{"1", {2}}})};
  const auto pictures =
      all<Picture>(section(document_of({release}), "Attacks, before and after").blocks);
  ASSERT_EQ(pictures.size(), 1U);
  EXPECT_EQ(std::get<BarChart>(pictures[0].chart).title, "sizes");
}

TEST(ReportDocument, BarsOfOneLengthAreDrawnOnce) {
  ReleaseReport release = example();
  release.with_original = true;
  const auto bars_of = [&](std::vector<std::string> series, std::vector<BarRow> rows) {
    release.distributions = {bars("age", std::move(series), std::move(rows))};
    const Document document = document_of({release});
    const auto pictures =
        all<Picture>(section(document, "Original and release side by side").blocks);
    EXPECT_EQ(pictures.size(), 1U);
    return std::get<BarChart>(pictures.at(0).chart);
  };
  const auto once = bars_of({"original", "release"}, {{"1", {2, 2}}, {"2", {3, 3}}});
  EXPECT_EQ(once.series, (Row{"original and release"}));
  EXPECT_EQ(once.rows.at(1).values, (std::vector<double>{3}));
  EXPECT_EQ(bars_of({"original", "release"}, {{"1", {2, 2}}, {"2", {3, 4}}}).series.size(), 2U);
  EXPECT_EQ(bars_of({"release"}, {{"1", {2}}}).series, (Row{"release"}));
}

TEST(ReportDocument, TheChartsSayWhatTheyDoNotShow) {
  ReleaseReport release = example();
  release.hidden = {"age", "zip"};
  const auto paragraphs = [&](std::string_view title) {
    return all<Paragraph>(section(document_of({release}), title).blocks);
  };
  auto words = paragraphs("The release in charts");
  ASSERT_EQ(words.size(), 1U);
  EXPECT_EQ(words[0].text, "Not shown, because too few records share a value: age, zip.");
  release.distributions = {bars("age", {"release"}, {{"1", {9}}})};
  words = paragraphs("The release in charts");
  ASSERT_EQ(words.size(), 3U);
  EXPECT_NE(words[0].text.find("fewer than 5 records"), std::string::npos);
  EXPECT_NE(words[1].text.find("only the release is shown"), std::string::npos);
  release.with_original = true;
  EXPECT_EQ(paragraphs("Original and release side by side").size(), 2U);
}

TEST(ReportDocument, LimitsNameEachModelOnce) {
  ReleaseReport release = example();
  release.requirements.push_back(release.requirements[0]);
  release.remarks = {"A remark."};
  const auto items = only<Listing>(section(document_of({release}), "Limits and assumptions")).items;
  ASSERT_EQ(items.size(), 4U);
  EXPECT_EQ(items[0], "k-anonymity: It promises. It is limited.");
  EXPECT_EQ(items[1], "A remark.");
}

TEST(ReportDocument, HowToRepeatItSaysWhatIsNeeded) {
  ReleaseReport release = example();
  const auto paragraphs = [&] {
    return all<Paragraph>(section(document_of({release}), "How to repeat it").blocks);
  };
  EXPECT_EQ(paragraphs().at(0).text,
            "With pratique 0.2.0 and the inputs of the hashes below, this command gives the same "
            "bytes again:");
  EXPECT_EQ(paragraphs().at(1).text,
            "Anyone who has the released file and its manifest can verify it:");
  release.needs = {"a key"};
  release.repeatable = false;
  release.verify_needs = "the lists";
  EXPECT_NE(
      paragraphs().at(0).text.find("hashes below and a key, this command gives another release"),
      std::string::npos);
  EXPECT_NE(paragraphs().at(1).text.find("its manifest and the lists can"), std::string::npos);
  const auto grid = only<Grid>(section(document_of({release}), "How to repeat it"));
  EXPECT_EQ(grid.rows, (std::vector<Row>{{"r.csv", "release", "12,345", "ab"}}));
}

TEST(ReportDocument, TheDecisionIsAskedForWhereItIsMissing) {
  Report report{.created = "2026-11-17T03:00:00Z", .version = "0.2.0"};
  report.decision.purpose = "research";
  report.releases = {example()};
  const auto grid = all<Grid>(to_document(report).opening).at(0);
  EXPECT_EQ(grid.rows,
            (std::vector<Row>{{"released to", "not recorded"},
                              {"purpose", "research"},
                              {"approved by", "not recorded"},
                              {"report made", "2026-11-17 03:00 UTC by pratique 0.2.0"}}));
}

TEST(ReportJson, SaysTheSameToPrograms) {
  Report report{.created = "2026-11-17T03:00:00Z", .version = "0.2.0"};
  ReleaseReport release = example();
  release.attacks = {{"unique", "alone", kFew, 0, false}};
  release.metrics = {{"loss", "Loss", 0.5, ""}};
  release.groups = {bars("sizes")};
  report.releases = {release};
  Json json = to_json(report);
  EXPECT_EQ(json["holds"], true);
  EXPECT_EQ(json["standing"], "holds");
  const Json& only = json["releases"][0];
  EXPECT_EQ(
      only["attacks"],
      Json::parse(R"([{"figure": "unique", "what": "alone", "before": null, "after": 0.0}])"));
  EXPECT_EQ(only["metrics"], Json::parse(R"([{"metric": "loss", "name": "Loss", "value": 0.5}])"));
  EXPECT_EQ(
      only["models"],
      Json::parse(
          R"([{"model": "k-anonymity", "required": "k = 5", "standing": "holds", "found": "6"}])"));
  EXPECT_EQ(
      only["columns"],
      Json::parse(
          R"([{"column": "age", "role": "quasi-identifier", "became": "recoded", "values": ""}])"));
  EXPECT_EQ(only["facts"], Json::parse(R"({"records released": "7"})"));
  EXPECT_EQ(
      only["files"],
      Json::parse(R"([{"role": "release", "path": "r.csv", "sha256": "ab", "bytes": 12345}])"));
  EXPECT_EQ(only["charts"]["groups"].size(), 1U);
  EXPECT_EQ(only["charts"]["distributions"].size(), 0U);
  EXPECT_FALSE(only["charts"].contains("ru_map"));
  EXPECT_EQ(only["limits"].size(), 3U);
  report.releases[0].standing = Standing::unchecked;
  EXPECT_EQ(to_json(report)["holds"], nullptr);
  report.releases[0].standing = Standing::fails;
  report.releases[0].ru_map = Chart{};
  report.releases[0].distributions = {bars("age")};
  json = to_json(report);
  EXPECT_EQ(json["holds"], false);
  EXPECT_EQ(json["releases"][0]["charts"]["distributions"].size(), 1U);
  EXPECT_TRUE(json["releases"][0]["charts"].contains("ru_map"));
}

}  // namespace
}  // namespace pratique::release::report_document_test
