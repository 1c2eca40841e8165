// The chapter of the report that an expert signs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pratique/release/determination.h"

namespace pratique::release {
namespace {

std::string or_empty(const std::string& text) { return text.empty() ? "(empty)" : text; }

std::string risk_cell(const std::optional<double>& risk) {
  return risk ? risk_in_words(*risk) : "not measured";
}

Section setting_section(const Determination& determination) {
  Section section{"Recipient and setting", {}};
  Grid grid{"To whom, and under which controls", {}, {}};
  grid.rows.push_back({"recipient", or_empty(determination.recipient)});
  grid.rows.push_back({"purpose", or_empty(determination.purpose)});
  grid.rows.push_back(
      {"setting", determination.setting == "public"      ? "public: anybody may have it"
                  : determination.setting == "agreement" ? "under an agreement with the recipient"
                  : determination.setting == "enclave"
                      ? "in an enclave: the data do not leave machines under the steward's control"
                      : "(empty)"});
  grid.rows.push_back(
      {"controls", determination.controls.empty()
                       ? (determination.setting == "public" ? "none" : "(empty)")
                       : fmt::format("{}", fmt::join(determination.controls, "; "))});
  grid.rows.push_back({"threshold for very small", determination.threshold
                                                       ? risk_in_words(*determination.threshold)
                                                       : "(empty)"});
  grid.rows.push_back({"the threshold comes from", or_empty(determination.threshold_source)});
  section.blocks.emplace_back(std::move(grid));
  return section;
}

Section columns_section(const Determination& determination, const ReleaseReport& release) {
  Section section{"Why each column is, or is not, a way to a person", {}};
  Grid grid{"In the steward's words",
            {"column", "role", "became", "replicable", "available", "distinguishing"},
            {}};
  for (const auto& column : release.columns) {
    auto& row = grid.rows.emplace_back();
    row = {column.column, column.role, column.became};
    for (const auto* words :
         {&determination.replicable, &determination.available, &determination.distinguishing}) {
      const auto said = words->find(column.column);
      row.push_back(!leaves(column)                                ? "does not leave"
                    : said == words->end() || said->second.empty() ? "(empty)"
                                                                   : said->second);
    }
  }
  section.blocks.emplace_back(std::move(grid));
  return section;
}

Section risk_section(const Determination& determination, const ReleaseReport& release) {
  Section section{"Risk under each adversary", {}};
  section.blocks.emplace_back(Paragraph{
      "Measured in the released file: how likely the adversary is to be right about whose "
      "record it is, for the record most at risk and on average."});
  Grid grid{"Risk of identifying a person",
            {"adversary", "knows", "highest", "average", "very small", "rests on"},
            {}};
  for (const auto& risk : release.risks) {
    const auto aside = determination.set_aside.find(risk.adversary);
    const bool compared = determination.threshold && risk.highest;
    grid.rows.push_back({risk.adversary, risk.knows, risk_cell(risk.highest),
                         risk_cell(risk.average),
                         !compared                                  ? "–"
                         : *risk.highest > *determination.threshold ? "no"
                                                                    : "yes",
                         aside == determination.set_aside.end()
                             ? risk.basis
                             : fmt::format("{}. Set aside: {}", risk.basis, aside->second)});
  }
  section.blocks.emplace_back(std::move(grid));
  return section;
}

// "available: age" and "available: zip" as "available: age, zip".
std::vector<std::string> by_key(const std::vector<std::string>& fields) {
  std::vector<std::string> lines;
  std::string last;
  for (const auto& field : fields) {
    const auto colon = field.find(": ");
    const std::string key = field.substr(0, colon);
    if (colon != std::string::npos && key == last) {
      lines.back() += ", " + field.substr(colon + 2);
    } else {
      lines.push_back(field);
    }
    last = key;
  }
  return lines;
}

}  // namespace

Block conclusion_block(const Conclusion& conclusion, bool draft) {
  const bool good = conclusion.standing == Standing::holds && !draft;
  return Verdict{good                                     ? Verdict::Tone::good
                 : conclusion.standing == Standing::fails ? Verdict::Tone::bad
                                                          : Verdict::Tone::open,
                 (draft ? "Draft. " : "") + conclusion.sentence};
}

Chapter to_chapter(const Determination& determination, const ReleaseReport& release,
                   const Conclusion& conclusion) {
  Chapter chapter{"Expert determination", {}};
  Section first{"Conclusion", {}};
  const auto empty = empty_fields(determination, release);
  first.blocks.push_back(conclusion_block(conclusion, !empty.empty()));
  if (!empty.empty()) {
    first.blocks.emplace_back(Paragraph{fmt::format(
        "{} to be filled in:", empty.size() == 1 ? std::string("One field is")
                                                 : fmt::format("{} fields are", empty.size()))});
    first.blocks.emplace_back(Listing{by_key(empty)});
  }
  chapter.sections.push_back(std::move(first));
  chapter.sections.push_back(setting_section(determination));
  chapter.sections.push_back(columns_section(determination, release));
  chapter.sections.push_back(risk_section(determination, release));

  Grid left{"What is left", {}, {}};
  left.rows.push_back({"may still be learned", or_empty(determination.remaining)});
  left.rows.push_back({"who could know enough to try", or_empty(determination.who_could_know)});
  chapter.sections.push_back({"What is left, and who could know it", {std::move(left)}});

  Grid expert{"The expert", {}, {}};
  expert.rows.push_back({"name", or_empty(determination.expert)});
  expert.rows.push_back({"qualification", or_empty(determination.qualification)});
  expert.rows.push_back({"method", or_empty(determination.method)});
  expert.rows.push_back({"date", or_empty(determination.date)});
  expert.rows.push_back({"valid until", or_empty(determination.valid_until)});
  expert.rows.push_back({"signature", "______________________________"});
  chapter.sections.push_back({"Signature", {std::move(expert)}});
  return chapter;
}

}  // namespace pratique::release
