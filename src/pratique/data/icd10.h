// The structure of ICD-10-CM diagnosis codes: a category of three characters (a letter, a digit, a
// digit or letter), up to four further ones, blocks and chapters.
//
//   S52.521A  ->  S52.521  ->  S52.52  ->  S52.5  ->  S52  ->  block S50-S59  ->  chapter S00-T88
//
// Codes may be written with the point or without it (S52521A); letters in any case.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pratique/data/code_range.h"

namespace pratique::icd10 {

struct Code {
  std::string category;  // "S52"
  std::string detail;    // "521A", ""

  // With at most `characters` of the detail. `point` says whether to write it.
  [[nodiscard]] std::string text(std::size_t characters, bool point = true) const;
  friend bool operator==(const Code&, const Code&) = default;
};

// Whether a code has this form; not whether anybody has defined it.
[[nodiscard]] std::optional<Code> parse(std::string_view text);

// In the order of the classification.
[[nodiscard]] std::span<const CodeRange> blocks();
[[nodiscard]] std::span<const CodeRange> chapters();

// The block or chapter of a category such as "S52". None when it lies between blocks (A10, X60),
// where ICD-10-CM defines no code.
[[nodiscard]] const CodeRange* block_of(std::string_view category);
[[nodiscard]] const CodeRange* chapter_of(std::string_view category);

}  // namespace pratique::icd10
