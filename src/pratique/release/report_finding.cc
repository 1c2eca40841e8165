#include "pratique/release/report_finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/core/error.h"
#include "pratique/kind/document.h"

namespace pratique::release {
namespace {

constexpr std::array<Standing, 3> kStandings = {Standing::holds, Standing::fails,
                                                Standing::unchecked};

std::optional<Standing> standing_of(const Json& object) {
  const std::string word = object.at("standing").get<std::string>();
  for (const auto standing : kStandings) {
    if (to_text(standing) == word) return standing;
  }
  return std::nullopt;
}

// A release has one finding, and the whole stands as its releases do.
bool agrees(const std::vector<ReleaseFinding>& findings, std::optional<Standing> whole) {
  for (auto finding = findings.begin(); finding != findings.end(); ++finding) {
    if (std::any_of(std::next(finding), findings.end(), [&](const ReleaseFinding& later) {
          return later.sha256 == finding->sha256 &&
                 later.manifest_sha256 == finding->manifest_sha256;
        }))
      return false;
  }
  std::vector<Standing> standings;
  for (const auto& finding : findings) standings.push_back(finding.standing);
  return whole == standing_of_all(standings);
}

// The JSON of the report: all of it, or the one block in it.
std::string_view json_of(std::string_view report) {
  if (report.starts_with('{')) return report;
  return find_data_block(report, kReportBlock);
}

}  // namespace

std::string_view to_text(Standing standing) {
  return standing == Standing::holds   ? "holds"
         : standing == Standing::fails ? "fails"
                                       : "unchecked";
}

Json report_head(const Report& report) {
  return {{"format", kReportFormat},
          {"tool", "pratique"},
          {"version", report.version},
          {"created", report.created},
          {"recipient", report.decision.recipient},
          {"purpose", report.decision.purpose},
          {"approved_by", report.decision.approved_by},
          {"standing", to_text(report.standing())}};
}

Json findings_to_json(const Report& report) {
  Json releases = Json::array();
  for (const auto& release : report.releases) {
    releases.push_back({{"sha256", release.sha256},
                        {"manifest_sha256", release.manifest_sha256},
                        {"standing", to_text(release.standing)}});
  }
  Json findings = report_head(report);
  findings["releases"] = std::move(releases);
  if (report.determination) {
    findings["determination"] = {{"draft", report.draft()},
                                 {"standing", to_text(report.conclusion().standing)}};
  }
  return findings;
}

std::vector<ReleaseFinding> findings_in(std::string_view report) {
  std::vector<ReleaseFinding> findings;
  try {
    const Json json = parse_json(json_of(report), "a report");
    if (json.at("format") != kReportFormat) return {};
    for (const auto& release : json.at("releases")) {
      const auto standing = standing_of(release);
      if (!standing) return {};
      findings.push_back({release.at("sha256").get<std::string>(),
                          release.at("manifest_sha256").get<std::string>(), *standing});
    }
    if (!agrees(findings, standing_of(json))) return {};
    if (const auto determination = json.find("determination"); determination != json.end()) {
      const auto conclusion = standing_of(*determination);
      if (!conclusion || findings.size() != 1) return {};
      // A release that holds is not cleared by a determination that does not.
      if (determination->at("draft").get<bool>()) findings.front().standing = Standing::unchecked;
      if (*conclusion != Standing::holds) findings.front().standing = *conclusion;
    }
  } catch (const Error&) {
    return {};
  } catch (const Json::exception&) {
    return {};
  }
  return findings;
}

}  // namespace pratique::release
