// The structure of ICD-9-CM diagnosis codes: categories of three digits (V codes: V and two digits;
// E codes: E and three), up to two further digits (E codes: one), sections and chapters.
//
//   296.01  ->  296.0  ->  296  ->  section 295-299  ->  chapter 290-319
//
// Codes may be written with the point or without it (29601, V4569, E8123); letters in any case.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pratique/data/code_range.h"

namespace pratique::icd9 {

struct Code {
  std::string category;  // "296", "V45", "E812"
  std::string detail;    // "01", "0", ""

  // With at most `digits` of the detail: 296.01, 296.0, 296. `point` says whether to write it.
  [[nodiscard]] std::string text(std::size_t digits, bool point = true) const;
  friend bool operator==(const Code&, const Code&) = default;
};

// Whether a code has this form; not whether anybody has defined it.
[[nodiscard]] std::optional<Code> parse(std::string_view text);

// In the order of the classification.
[[nodiscard]] std::span<const CodeRange> sections();
[[nodiscard]] std::span<const CodeRange> chapters();

// The section or chapter of a category such as "296". None when it lies between sections (019,
// V92), where ICD-9-CM defines no code.
[[nodiscard]] const CodeRange* section_of(std::string_view category);
[[nodiscard]] const CodeRange* chapter_of(std::string_view category);

}  // namespace pratique::icd9
