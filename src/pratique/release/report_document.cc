#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/release/report.h"

namespace pratique::release {
namespace {

const char* word_of(Standing standing) {
  return standing == Standing::holds   ? "holds"
         : standing == Standing::fails ? "fails"
                                       : "unchecked";
}

std::string percent(double share) {
  if (share == 0 || share == 1) return fmt::format("{:.0f} %", 100 * share);
  return fmt::format("{:.{}f} %", 100 * share, share < 0.001 ? 3 : 1);
}

std::string number(double value) {
  if (std::abs(value - std::round(value)) < 1e-9) return grouped_digits(value);
  return fmt::format("{:.4g}", value);
}

Section summary(const ReleaseReport& release) {
  Section section{"What was released", {}};
  section.blocks.emplace_back(Verdict{release.standing == Standing::holds   ? Verdict::Tone::good
                                      : release.standing == Standing::fails ? Verdict::Tone::bad
                                                                            : Verdict::Tone::open,
                                      release.verdict});
  Grid grid{"The release in figures", {"what", "value"}, {}};
  grid.rows.push_back({"kind", release.title});
  grid.rows.push_back({"made", fmt::format("{} by pratique {}", release.created, release.version)});
  for (const auto& fact : release.facts) grid.rows.push_back({fact.name, fact.value});
  section.blocks.emplace_back(std::move(grid));
  return section;
}

Section columns(const ReleaseReport& release) {
  Section section{"What each column became", {}};
  Grid grid{"Columns of the original and what was done to them", {"column", "role", "became"}, {}};
  for (const auto& one : release.columns) grid.rows.push_back({one.column, one.role, one.became});
  if (grid.rows.empty()) {
    section.blocks.emplace_back(Paragraph{"The manifest says nothing about columns."});
  } else {
    section.blocks.emplace_back(std::move(grid));
  }
  return section;
}

Section requirements(const ReleaseReport& release) {
  Section section{"What was required, and what was verified", {}};
  section.blocks.emplace_back(Paragraph{
      "Every claim was derived again from the released file, by code that the method does not "
      "share."});
  Grid grid{"Models that the release was made to satisfy",
            {"model", "required", "standing", "found"},
            {}};
  for (const auto& one : release.requirements) {
    grid.rows.push_back({one.name, one.setting, word_of(one.standing), one.found});
  }
  section.blocks.emplace_back(std::move(grid));
  return section;
}

Section attacks(const ReleaseReport& release) {
  Section section{"Attacks, before and after", {}};
  if (release.attacks.empty()) {
    section.blocks.emplace_back(Paragraph{"The manifest records no attack."});
    return section;
  }
  section.blocks.emplace_back(
      Paragraph{"The same adversary, on the original data and on the release."});
  Grid grid{"What the adversary finds", {"figure", "before", "after"}, {}};
  for (const auto& one : release.attacks) {
    grid.rows.push_back({one.what, one.share ? percent(one.before) : number(one.before),
                         one.share ? percent(one.after) : number(one.after)});
  }
  section.blocks.emplace_back(std::move(grid));
  for (const auto& chart : release.groups) {
    section.blocks.emplace_back(
        Picture{chart, "The larger the group a record is in, the less can be told from it."});
  }
  return section;
}

Section utility(const ReleaseReport& release) {
  Section section{"What the release lost", {}};
  Grid grid{"Metrics of utility", {"metric", "value", "meaning"}, {}};
  for (const auto& one : release.metrics)
    grid.rows.push_back({one.name, number(one.value), one.meaning});
  if (grid.rows.empty()) {
    section.blocks.emplace_back(Paragraph{"The manifest records no metric."});
  } else {
    section.blocks.emplace_back(std::move(grid));
  }
  if (release.ru_map) {
    section.blocks.emplace_back(Picture{
        *release.ru_map,
        "Settings that were tried: risk to the right, utility up. Ringed ones are beaten by no "
        "other in both; the wide ring is this release."});
  }
  return section;
}

Section distributions(const ReleaseReport& release) {
  Section section{
      release.with_original ? "Original and release side by side" : "The release in pictures", {}};
  section.blocks.emplace_back(
      Paragraph{fmt::format("No value that fewer than {0} records have is shown, nor what could be "
                            "found by subtraction: such values "
                            "are counted together with others. A released cell that stands for "
                            "many values counts in equal "
                            "parts for each.",
                            release.k)});
  if (!release.with_original) {
    section.blocks.emplace_back(
        Paragraph{"The original is not at its recorded place with its recorded hash, or cannot be "
                  "compared value by value, so only the release is shown."});
  }
  for (const auto& chart : release.distributions) section.blocks.emplace_back(Picture{chart, ""});
  if (!release.hidden.empty()) {
    std::string names;
    for (const auto& name : release.hidden) names += (names.empty() ? "" : ", ") + name;
    section.blocks.emplace_back(
        Paragraph{fmt::format("Not shown, because too few records share a value: {}.", names)});
  }
  return section;
}

std::vector<std::string> limits_of(const ReleaseReport& release) {
  std::vector<std::string> limits;
  std::set<std::string> told;
  for (const auto& one : release.requirements) {
    if (!told.insert(one.model).second) continue;
    limits.push_back(fmt::format("{}: {} {}", one.name, one.promise, one.limit));
  }
  for (const auto& remark : release.remarks) limits.push_back(remark);
  limits.emplace_back(
      "Nothing is promised about this release taken together with others of the same people. The "
      "ledger (pratique ledger add) attacks them together.");
  limits.emplace_back(
      "Columns that left as they were are not protected. Whether an adversary can learn them "
      "elsewhere is the steward's judgement.");
  return limits;
}

Section repeat(const ReleaseReport& release) {
  Section section{"How to repeat it", {}};
  section.blocks.emplace_back(
      Paragraph{fmt::format("With pratique {} and the input of the hash below, this command gives "
                            "the same bytes again:",
                            release.version)});
  section.blocks.emplace_back(Verbatim{release.command});
  section.blocks.emplace_back(Paragraph{"Everybody who has the released file can verify it:"});
  section.blocks.emplace_back(Verbatim{fmt::format("pratique verify {}", release.release)});
  Grid grid{"Files and their SHA-256", {"file", "role", "bytes", "SHA-256"}, {}};
  for (const auto& file : release.files) {
    grid.rows.push_back(
        {file.path, file.role, grouped_digits(static_cast<double>(file.bytes)), file.sha256});
  }
  section.blocks.emplace_back(std::move(grid));
  return section;
}

}  // namespace

Document to_document(const Report& report) {
  Document document;
  document.title = report.releases.size() == 1 ? "Report of a release" : "Report of releases";
  const std::size_t failed = static_cast<std::size_t>(
      std::count_if(report.releases.begin(), report.releases.end(),
                    [](const auto& one) { return one.standing == Standing::fails; }));
  if (failed > 0) {
    document.opening.emplace_back(
        Verdict{Verdict::Tone::bad,
                fmt::format("{} of {} releases do not pass verification. Do not rely on them.",
                            failed, report.releases.size())});
  }
  Grid grid{"The decision", {"what", "value"}, {}};
  for (const auto& [name, value] : {std::pair{"released to", report.decision.recipient},
                                    std::pair{"purpose", report.decision.purpose},
                                    std::pair{"approved by", report.decision.approved_by}}) {
    grid.rows.push_back({name, value.empty() ? "not recorded" : value});
  }
  grid.rows.push_back(
      {"report made", fmt::format("{} by pratique {}", report.created, report.version)});
  document.opening.emplace_back(std::move(grid));
  if (report.releases.size() > 1) {
    Grid overview{"The releases", {"release", "kind", "standing"}, {}};
    for (const auto& release : report.releases) {
      overview.rows.push_back({release.release, release.title, word_of(release.standing)});
    }
    document.opening.emplace_back(std::move(overview));
  }
  for (const auto& release : report.releases) {
    Chapter chapter{release.release, {}};
    chapter.sections.push_back(summary(release));
    chapter.sections.push_back(columns(release));
    chapter.sections.push_back(requirements(release));
    chapter.sections.push_back(attacks(release));
    chapter.sections.push_back(utility(release));
    if (!release.distributions.empty() || !release.hidden.empty()) {
      chapter.sections.push_back(distributions(release));
    }
    chapter.sections.push_back({"Limits and assumptions", {Listing{limits_of(release)}}});
    chapter.sections.push_back(repeat(release));
    document.chapters.push_back(std::move(chapter));
  }
  return document;
}

Json to_json(const Report& report) {
  Json releases = Json::array();
  for (const auto& release : report.releases) {
    Json facts = Json::object();
    for (const auto& fact : release.facts) facts[fact.name] = fact.value;
    Json columns = Json::array();
    for (const auto& one : release.columns) {
      columns.push_back({{"column", one.column}, {"role", one.role}, {"became", one.became}});
    }
    Json models = Json::array();
    for (const auto& one : release.requirements) {
      models.push_back({{"model", one.model},
                        {"required", one.setting},
                        {"standing", word_of(one.standing)},
                        {"found", one.found}});
    }
    Json attacks = Json::array();
    for (const auto& one : release.attacks) {
      attacks.push_back(
          {{"figure", one.key}, {"what", one.what}, {"before", one.before}, {"after", one.after}});
    }
    Json metrics = Json::array();
    for (const auto& one : release.metrics) {
      metrics.push_back({{"metric", one.key}, {"name", one.name}, {"value", one.value}});
    }
    Json charts = {{"groups", Json::array()}, {"distributions", Json::array()}};
    for (const auto& chart : release.groups) charts["groups"].push_back(to_json(chart));
    for (const auto& chart : release.distributions)
      charts["distributions"].push_back(to_json(chart));
    if (release.ru_map) charts["ru_map"] = to_json(*release.ru_map);
    Json files = Json::array();
    for (const auto& file : release.files) {
      files.push_back({{"role", file.role},
                       {"path", file.path},
                       {"sha256", file.sha256},
                       {"bytes", file.bytes}});
    }
    releases.push_back({{"release", release.release},
                        {"kind", release.kind},
                        {"created", release.created},
                        {"version", release.version},
                        {"k", release.k},
                        {"standing", word_of(release.standing)},
                        {"verdict", release.verdict},
                        {"facts", std::move(facts)},
                        {"columns", std::move(columns)},
                        {"models", std::move(models)},
                        {"attacks", std::move(attacks)},
                        {"metrics", std::move(metrics)},
                        {"charts", std::move(charts)},
                        {"hidden", release.hidden},
                        {"limits", limits_of(release)},
                        {"command", release.command},
                        {"files", std::move(files)}});
  }
  return {{"tool", "pratique"},
          {"version", report.version},
          {"created", report.created},
          {"recipient", report.decision.recipient},
          {"purpose", report.decision.purpose},
          {"approved_by", report.decision.approved_by},
          {"holds", report.holds()},
          {"releases", std::move(releases)}};
}

}  // namespace pratique::release
