// What a report tells programs: which releases it speaks of, by their hashes, and whether it found
// each verified. HTML and Markdown carry it as one block of JSON that no reader sees; a JSON report
// is that block and more. No sentence of a report is ever searched for.
//
//   format: pratique-report-1, tool, version, created, standing,
//   recipient, purpose, approved_by (so that another report of it asks nobody again),
//   releases[] (sha256, manifest_sha256, standing: holds, fails or unchecked),
//   determination (draft, standing), where it is one: a release is as good as its determination
//
// A PDF carries none: its text is compressed and drawn letter by letter, and a reader of PDF is
// more than this is worth. Who needs both keeps the HTML that it was printed from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/release/report.h"

namespace pratique::release {

inline constexpr std::string_view kReportFormat = "pratique-report-1";
// Where the block stands in HTML and Markdown.
inline constexpr std::string_view kReportBlock = "pratique-report";

struct ReleaseFinding {
  std::string sha256;
  std::string manifest_sha256;
  Standing standing = Standing::unchecked;
};

[[nodiscard]] std::string_view to_text(Standing standing);

// What the block and a JSON report have in common: whose it is, and what it says of all releases.
[[nodiscard]] Json report_head(const Report& report);
// The block.
[[nodiscard]] Json findings_to_json(const Report& report);
// Of a report as HTML, Markdown or JSON; none where the text is no report, holds two blocks, speaks
// of a release twice, or says of the whole what does not follow from its releases.
[[nodiscard]] std::vector<ReleaseFinding> findings_in(std::string_view report);

}  // namespace pratique::release
