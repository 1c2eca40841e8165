#include "pratique/release/report_finding.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/kind/document.h"

namespace pratique::release::report_finding_test {
namespace {

Report two_releases() {
  Report report{.created = "2026-11-17T03:00:00Z", .version = "0.2.0"};
  report.decision.purpose = "</script><script>alert(1)</script> --> every claim follows from it";
  ReleaseReport first;
  first.sha256 = std::string(64, 'a');
  first.manifest_sha256 = std::string(64, 'b');
  first.standing = Standing::holds;
  ReleaseReport second = first;
  second.sha256 = "<script>--></script>&";  // a manifest may say anything
  second.standing = Standing::fails;
  report.releases = {first, second};
  return report;
}

std::vector<std::string> all_forms(const Report& report) {
  const Document document = to_document(report);
  return {to_html(document), to_markdown(document), pratique::to_text(to_json(report))};
}

TEST(ReportFinding, EveryFormatSaysTheSameToPrograms) {
  for (const auto& text : all_forms(two_releases())) {
    const auto findings = findings_in(text);
    ASSERT_EQ(findings.size(), 2U) << text.substr(0, 200);
    EXPECT_EQ(findings[0].sha256, std::string(64, 'a'));
    EXPECT_EQ(findings[0].manifest_sha256, std::string(64, 'b'));
    EXPECT_EQ(findings[0].standing, Standing::holds);
    EXPECT_EQ(findings[1].sha256, "<script>--></script>&");
    EXPECT_EQ(findings[1].standing, Standing::fails);
  }
}

TEST(ReportFinding, NothingInTheBlockEndsIt) {
  const std::string html = to_html(to_document(two_releases()));
  const auto count = [&](std::string_view part) {
    std::size_t times = 0;
    for (auto at = html.find(part); at != std::string::npos; at = html.find(part, at + 1)) ++times;
    return times;
  };
  EXPECT_EQ(count("<script"), 1U);
  EXPECT_EQ(count("</script"), 1U);
  EXPECT_EQ(count("<script type=\"application/json\" id=\"pratique-report\">"), 1U);
  const std::string markdown = to_markdown(to_document(two_releases()));
  EXPECT_EQ(markdown.find(" -->"), markdown.rfind(" -->"));
}

TEST(ReportFinding, WhatIsNoReportFindsNothing) {
  EXPECT_TRUE(findings_in("").empty());
  EXPECT_TRUE(findings_in("a,b\n1,2\n").empty());
  EXPECT_TRUE(findings_in("{}").empty());
  EXPECT_TRUE(findings_in("{").empty());
  EXPECT_TRUE(findings_in(R"({"format": "pratique-report-1", "releases": 7})").empty());
  EXPECT_TRUE(
      findings_in("Verified: every claim follows from it. " + std::string(64, 'a')).empty());
}

TEST(ReportFinding, AWordOrABlockTooManyFindsNothing) {
  Json json = findings_to_json(two_releases());
  ASSERT_EQ(findings_in(json.dump()).size(), 2U);
  Json later = json;
  later["format"] = "pratique-report-2";
  EXPECT_TRUE(findings_in(later.dump()).empty());
  json["releases"][1]["standing"] = "verified";
  EXPECT_TRUE(findings_in(json.dump()).empty());
  const std::string html = to_html(to_document(two_releases()));
  EXPECT_TRUE(findings_in(html + html).empty());
  const std::string empty_block =
      "<script type=\"application/json\" id=\"pratique-report\"></script>";
  EXPECT_TRUE(findings_in(empty_block + html).empty());
  EXPECT_TRUE(findings_in("<!-- pratique-report  -->" + html).empty());
  EXPECT_TRUE(findings_in(html + to_markdown(to_document(two_releases()))).empty());
}

TEST(ReportFinding, TheWholeStandsAsItsReleasesDo) {
  Json json = findings_to_json(two_releases());
  for (const char* word : {"holds", "unchecked", "verified"}) {
    json["standing"] = word;
    EXPECT_TRUE(findings_in(json.dump()).empty()) << word;
  }
  json.erase("standing");
  EXPECT_TRUE(findings_in(json.dump()).empty());
  json["standing"] = "holds";
  json["releases"].erase(1);
  EXPECT_EQ(findings_in(json.dump()).size(), 1U);
}

TEST(ReportFinding, AReleaseIsSpokenOfOnce) {
  Json json = findings_to_json(two_releases());
  json["releases"].push_back(json["releases"][0]);
  EXPECT_TRUE(findings_in(json.dump()).empty());
  json["releases"][2]["standing"] = "fails";
  EXPECT_TRUE(findings_in(json.dump()).empty());
  // The same file with another manifest is another release.
  json["releases"][2]["manifest_sha256"] = std::string(64, 'c');
  EXPECT_EQ(findings_in(json.dump()).size(), 3U);
  // And so is the whole.
  std::string text = findings_to_json(two_releases()).dump();
  text.back() = ',';
  EXPECT_TRUE(findings_in(text + R"("standing": "fails"})").empty());
}

}  // namespace
}  // namespace pratique::release::report_finding_test
