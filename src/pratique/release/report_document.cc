#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/release/report_finding.h"

namespace pratique::release {
namespace {

std::string percent(double share) {
  if (share == 0 || share == 1) return fmt::format("{:.0f} %", 100 * share);
  return fmt::format("{:.{}f} %", 100 * share, share < 0.001 ? 3 : 1);
}

std::string number(double value) {
  if (std::abs(value - std::round(value)) < 1e-9) return grouped_digits(value);
  if (value > 0 && value < 1e-4) return "under 0.0001";
  return fmt::format("{:.4g}", value);
}

// 2026-11-16T09:00:03Z as 2026-11-16 09:00 UTC; anything else as it is.
std::string moment(const std::string& text) {
  const bool usual = text.size() == 20 && text[10] == 'T' && text[13] == ':' && text[19] == 'Z';
  return usual ? fmt::format("{} {} UTC", text.substr(0, 10), text.substr(11, 5)) : text;
}

Verdict verdict_of(const ReleaseReport& release) {
  // Red stays red: that every claim holds is no comfort to whom no claim covers.
  return {release.standing == Standing::fails || release.exposes ? Verdict::Tone::bad
          : release.standing == Standing::holds                  ? Verdict::Tone::good
                                                                 : Verdict::Tone::open,
          release.verdict};
}

Section summary(const ReleaseReport& release, bool alone) {
  Section section{"What was released", {}};
  if (!alone) section.blocks.emplace_back(verdict_of(release));
  Grid grid{"The release in figures", {}, {}};
  grid.rows.push_back({"kind", release.title});
  grid.rows.push_back(
      {"made", fmt::format("{} by pratique {}", moment(release.created), release.version)});
  for (const auto& fact : release.facts) grid.rows.push_back({fact.name, fact.value});
  section.blocks.emplace_back(std::move(grid));
  for (const auto& note : release.notes) section.blocks.emplace_back(Paragraph{"Note: " + note});
  return section;
}

Section columns(const ReleaseReport& release) {
  Section section{"What became of each column", {}};
  const bool counted = std::any_of(release.columns.begin(), release.columns.end(),
                                   [](const auto& column) { return !column.values.empty(); });
  Grid grid{"Columns of the original and what was done to them", {"column", "role", "became"}, {}};
  if (counted) grid.head.emplace_back("different values");
  for (const auto& column : release.columns) {
    grid.rows.push_back({column.column, column.role, column.became});
    if (counted) grid.rows.back().push_back(column.values);
  }
  if (grid.rows.empty()) {
    section.blocks.emplace_back(Paragraph{"The manifest says nothing about columns."});
  } else {
    section.blocks.emplace_back(std::move(grid));
  }
  return section;
}

Section requirements(const ReleaseReport& release) {
  Section section{"What was required, and what was verified", {}};
  const bool now = std::any_of(
      release.requirements.begin(), release.requirements.end(),
      [](const auto& requirement) { return requirement.standing != Standing::unchecked; });
  const bool attested = std::any_of(
      release.requirements.begin(), release.requirements.end(),
      [](const auto& requirement) { return requirement.finding.starts_with("attested"); });
  section.blocks.emplace_back(Paragraph{
      !now       ? "Nothing was derived again from the released file; this is what was found "
                   "when it was made."
      : attested ? "What a file can show was derived again from the released file, without any "
                   "code of the method that made it. What is attested, no file can show."
                 : "Every claim was derived again from the released file, without any code of "
                   "the method that made it."});
  Grid grid{"Models that the release was made to satisfy",
            {"model", "required", "standing", "found"},
            {}};
  for (const auto& requirement : release.requirements) {
    grid.rows.push_back({requirement.name, requirement.setting,
                         std::string(to_text(requirement.standing)), requirement.finding});
  }
  section.blocks.emplace_back(std::move(grid));
  return section;
}

Section safe_harbor(const ReleaseReport& release) {
  Section section{"The 18 identifiers of Safe Harbor", {}};
  section.blocks.emplace_back(
      Paragraph{"45 CFR 164.514(b)(2)(i), A to R: what was done with each, and what the verifier "
                "looked for in the released file. It also asks (ii) that whoever releases knows no "
                "way to identify a person with what is left, which no program can find out."});
  Grid grid{"Identifiers", {"", "identifier", "what was done", "what was checked"}, {}};
  for (const auto& identifier : release.safe_harbor) {
    grid.rows.push_back({std::string(1, identifier.paragraph), identifier.identifier,
                         identifier.done, identifier.checked});
  }
  section.blocks.emplace_back(std::move(grid));
  return section;
}

// A number of records and its share stand in one line.
Grid compared(const std::vector<Compared>& attacks, std::uint64_t k, bool only_after) {
  Grid grid{"What the adversary finds",
            only_after ? std::vector<std::string>{"figure", "in the release"}
                       : std::vector<std::string>{"figure", "before", "after"},
            {}};
  for (std::size_t a = 0; a < attacks.size(); ++a) {
    const Compared& attack = attacks[a];
    const bool with_share = a + 1 < attacks.size() && attacks[a + 1].key == attack.key + "_share";
    const auto cell = [&](double value, double share) {
      if (std::isnan(value)) return hidden_count(k);
      if (attack.share) return percent(value);
      return with_share ? fmt::format("{} ({})", number(value), percent(share)) : number(value);
    };
    const Compared& share = attacks[with_share ? a + 1 : a];
    auto& row = grid.rows.emplace_back();
    row.push_back(attack.what);
    if (!only_after) row.push_back(cell(attack.before, share.before));
    row.push_back(cell(attack.after, share.after));
    if (with_share) ++a;
  }
  return grid;
}

Section attacks(const ReleaseReport& release) {
  Section section{"Attacks, before and after", {}};
  if (release.attacks.empty()) {
    section.blocks.emplace_back(Paragraph{"The manifest records no attack."});
  } else {
    section.blocks.emplace_back(Paragraph{release.adversary});
    if (release.only_after)
      section.blocks.emplace_back(
          Paragraph{"What the adversary finds in the original is not told here."});
    section.blocks.emplace_back(compared(release.attacks, release.k, release.only_after));
  }
  for (const auto& chart : release.groups) {
    if (chart.rows.empty()) continue;
    section.blocks.emplace_back(
        Picture{chart, "The larger a record's group, the less it reveals."});
  }
  return section;
}

Section utility(const ReleaseReport& release) {
  Section section{"What the release lost", {}};
  const bool explained = std::any_of(release.metrics.begin(), release.metrics.end(),
                                     [](const auto& metric) { return !metric.meaning.empty(); });
  Grid grid{"Metrics of utility", {"metric", "value"}, {}};
  if (explained) grid.head.emplace_back("meaning");
  for (const auto& metric : release.metrics) {
    grid.rows.push_back({metric.name, number(metric.value)});
    if (explained) grid.rows.back().push_back(metric.meaning);
  }
  if (grid.rows.empty()) {
    section.blocks.emplace_back(Paragraph{"The manifest records no metric."});
  } else {
    section.blocks.emplace_back(std::move(grid));
  }
  if (release.ru_map) section.blocks.emplace_back(Picture{*release.ru_map, release.map_caption});
  return section;
}

// A column that left as it was needs no two bars of one length.
BarChart drawn_once(BarChart chart) {
  const bool same = chart.series.size() == 2 &&
                    std::all_of(chart.rows.begin(), chart.rows.end(), [](const BarRow& row) {
                      return row.values.size() == 2 && row.values[0] == row.values[1];
                    });
  if (!same) return chart;
  chart.series = {chart.series[0] + " and " + chart.series[1]};
  for (auto& row : chart.rows) row.values.pop_back();
  return chart;
}

Section distributions(const ReleaseReport& release) {
  Section section{
      release.with_original ? "Original and release side by side" : "The release in charts", {}};
  if (!release.distributions.empty()) {
    section.blocks.emplace_back(Paragraph{
        fmt::format("Values held by fewer than {} records are not shown, nor anything that would "
                    "reveal them by subtraction: they are counted together with others. A released "
                    "cell that stands for many values counts in equal parts for each.",
                    release.k)});
  }
  if (!release.with_original && !release.distributions.empty()) {
    section.blocks.emplace_back(Paragraph{
        "The original is not at its recorded place with its recorded hash, so only the release is "
        "shown."});
  }
  for (const auto& chart : release.distributions)
    section.blocks.emplace_back(Picture{drawn_once(chart), ""});
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
  for (const auto& requirement : release.requirements) {
    if (!told.insert(requirement.model).second) continue;
    limits.push_back(
        fmt::format("{}: {} {}", requirement.name, requirement.promise, requirement.limit));
  }
  for (const auto& remark : release.remarks) limits.push_back(remark);
  limits.emplace_back(
      "Nothing is guaranteed about this release taken together with others of the same people. The "
      "ledger (pratique ledger add) attacks them together.");
  limits.emplace_back(
      "Columns released unchanged are not protected. Whether an adversary can learn them elsewhere "
      "is for the steward to judge.");
  return limits;
}

Section repeat(const ReleaseReport& release) {
  Section section{"How to repeat it", {}};
  std::string needs = "the inputs of the hashes below";
  for (const auto& need : release.needs) needs += " and " + need;
  if (release.command.empty()) {
    section.blocks.emplace_back(
        Paragraph{"A program made this release, not a command: no command is recorded."});
  } else {
    section.blocks.emplace_back(Paragraph{fmt::format(
        "With pratique {} and {}, this command gives {}", release.version, needs,
        release.repeatable ? "the same bytes again:"
                           : "another release with the same guarantees, but not the same bytes: "
                             "the random noise was not recorded, so that nobody can remove it.")});
    section.blocks.emplace_back(Verbatim{release.command});
  }
  section.blocks.emplace_back(Paragraph{
      release.verify_needs.empty()
          ? "Anyone who has the released file and its manifest can verify it:"
          : fmt::format("Anyone who has the released file, its manifest and {} can verify it:",
                        release.verify_needs)});
  section.blocks.emplace_back(Verbatim{release.verify_command});
  Grid grid{"Files and their SHA-256", {"file", "role", "bytes", "SHA-256"}, {}};
  for (const auto& file : release.files) {
    const bool hashed = file.commitment.empty();
    grid.rows.push_back({file.path, file.role,
                         hashed ? grouped_digits(static_cast<double>(file.bytes)) : "",
                         hashed ? file.sha256 : "commitment " + file.commitment});
  }
  section.blocks.emplace_back(std::move(grid));
  return section;
}

// One verdict for the reader who reads no further.
Verdict verdict_of(const Report& report) {
  const auto& releases = report.releases;
  if (releases.size() == 1) return verdict_of(releases.front());
  const auto count = [&](Standing standing) {
    return static_cast<std::size_t>(
        std::count_if(releases.begin(), releases.end(),
                      [&](const auto& release) { return release.standing == standing; }));
  };
  const std::size_t failed = count(Standing::fails);
  const std::size_t unchecked = count(Standing::unchecked);
  if (failed > 0) {
    return {Verdict::Tone::bad,
            fmt::format("{} of {} releases {} not pass verification. Do not rely on {}.", failed,
                        releases.size(), failed == 1 ? "does" : "do", failed == 1 ? "it" : "them")};
  }
  if (unchecked > 0) {
    return {Verdict::Tone::open, fmt::format("{} of {} releases {} not verified again.", unchecked,
                                             releases.size(), unchecked == 1 ? "was" : "were")};
  }
  const auto exposing =
      std::count_if(releases.begin(), releases.end(), [](const auto& r) { return r.exposes; });
  return {exposing == 0 ? Verdict::Tone::good : Verdict::Tone::bad,
          fmt::format("All {} releases are verified: each is the file described, and every claim "
                      "follows from it.{}",
                      releases.size(),
                      exposing == 0 ? std::string()
                                    : fmt::format(" {} of them {} people to what no claim covers; "
                                                  "see there.",
                                                  exposing, exposing == 1 ? "exposes" : "expose"))};
}

}  // namespace

Document to_document(const Report& report) {
  Document document;
  const bool alone = report.releases.size() == 1;
  document.title = report.determination ? "Expert determination"
                   : alone              ? "Report of a release"
                                        : "Report of releases";
  if (report.draft()) document.title += " (draft)";
  document.data = {std::string(kReportBlock), findings_to_json(report).dump()};
  // Red whatever else is verified.
  if (report.determination)
    document.opening.push_back(conclusion_block(report.conclusion(), report.draft()));
  document.opening.emplace_back(verdict_of(report));
  Grid grid{"The decision", {}, {}};
  for (const auto& [name, value] : {std::pair{"released to", report.decision.recipient},
                                    std::pair{"purpose", report.decision.purpose},
                                    std::pair{"approved by", report.decision.approved_by}}) {
    grid.rows.push_back({name, value.empty() ? "not recorded" : value});
  }
  grid.rows.push_back(
      {"report made", fmt::format("{} by pratique {}", moment(report.created), report.version)});
  document.opening.emplace_back(std::move(grid));
  if (!alone) {
    Grid overview{"The releases", {"release", "kind", "standing"}, {}};
    for (const auto& release : report.releases) {
      overview.rows.push_back(
          {release.release, release.title, std::string(to_text(release.standing))});
    }
    document.opening.emplace_back(std::move(overview));
  }
  if (report.determination) {
    document.chapters.push_back(
        to_chapter(*report.determination, report.releases.front(), report.conclusion()));
  }
  for (const auto& release : report.releases) {
    Chapter chapter{release.release, {}};
    chapter.sections.push_back(summary(release, alone));
    chapter.sections.push_back(columns(release));
    chapter.sections.push_back(requirements(release));
    if (!release.safe_harbor.empty()) chapter.sections.push_back(safe_harbor(release));
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
    for (const auto& column : release.columns) {
      columns.push_back({{"column", column.column},
                         {"role", column.role},
                         {"became", column.became},
                         {"values", column.values}});
    }
    Json models = Json::array();
    for (const auto& requirement : release.requirements) {
      models.push_back({{"model", requirement.model},
                        {"required", requirement.setting},
                        {"standing", to_text(requirement.standing)},
                        {"found", requirement.finding}});
    }
    Json attacks = Json::array();
    for (const auto& attack : release.attacks) {
      const auto number_or_null = [](double value) {
        return std::isnan(value) ? Json() : Json(value);
      };
      attacks.push_back({{"figure", attack.key},
                         {"what", attack.what},
                         {"before", release.only_after ? Json() : number_or_null(attack.before)},
                         {"after", number_or_null(attack.after)}});
    }
    Json metrics = Json::array();
    for (const auto& metric : release.metrics) {
      metrics.push_back({{"metric", metric.key}, {"name", metric.name}, {"value", metric.value}});
    }
    Json charts = {{"groups", Json::array()}, {"distributions", Json::array()}};
    for (const auto& chart : release.groups) charts["groups"].push_back(to_json(chart));
    for (const auto& chart : release.distributions)
      charts["distributions"].push_back(to_json(chart));
    if (release.ru_map) charts["ru_map"] = to_json(*release.ru_map);
    Json risks = Json::array();
    for (const auto& risk : release.risks) {
      const auto measured = [](const std::optional<double>& value) {
        return value ? Json(*value) : Json();
      };
      risks.push_back({{"adversary", risk.adversary},
                       {"knows", risk.knows},
                       {"highest", measured(risk.highest)},
                       {"average", measured(risk.average)},
                       {"basis", risk.basis}});
    }
    Json identifiers = Json::array();
    for (const auto& identifier : release.safe_harbor) {
      identifiers.push_back({{"paragraph", std::string(1, identifier.paragraph)},
                             {"identifier", identifier.identifier},
                             {"done", identifier.done},
                             {"checked", identifier.checked}});
    }
    Json files = Json::array();
    for (const auto& file : release.files) {
      Json entry = {{"role", file.role}, {"path", file.path}};
      if (file.commitment.empty()) {
        entry["sha256"] = file.sha256;
        entry["bytes"] = file.bytes;
      } else {
        entry["commitment"] = file.commitment;
      }
      files.push_back(std::move(entry));
    }
    releases.push_back({{"release", release.release},
                        {"sha256", release.sha256},
                        {"manifest_sha256", release.manifest_sha256},
                        {"kind", release.kind},
                        {"created", release.created},
                        {"version", release.version},
                        {"k", release.k},
                        {"standing", to_text(release.standing)},
                        {"verdict", release.verdict},
                        {"notes", release.notes},
                        {"facts", std::move(facts)},
                        {"columns", std::move(columns)},
                        {"models", std::move(models)},
                        {"attacks", std::move(attacks)},
                        {"metrics", std::move(metrics)},
                        {"charts", std::move(charts)},
                        {"hidden", release.hidden},
                        {"limits", limits_of(release)},
                        {"risks", std::move(risks)},
                        {"safe_harbor", std::move(identifiers)},
                        {"repeatable", release.repeatable},
                        {"command", release.command},
                        {"files", std::move(files)}});
  }
  Json whole = report_head(report);
  whole["holds"] = report.standing() == Standing::unchecked
                       ? Json()
                       : Json(report.standing() == Standing::holds);
  whole["releases"] = std::move(releases);
  if (report.determination) {
    whole["determination"] =
        to_json(*report.determination, report.releases.front(), report.conclusion());
  }
  return whole;
}

}  // namespace pratique::release
