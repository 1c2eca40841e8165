// Diseases as patterns of ICD-9-CM codes, and whether a release can still be used to study them.
//
// In a file, a line per disease: its name, a colon, and patterns separated by blanks. A pattern is
// the beginning of a code, written with the point; ? is any digit: "493" is all of 493.xx, "250.?1"
// type 1 diabetes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/codes/recoding.h"
#include "pratique/data/disassociated.h"

namespace pratique::codes {

struct Disease {
  std::string name;
  std::vector<std::string> patterns;

  // Codes may lack the point (49300).
  [[nodiscard]] bool has(std::string_view code) const;
};

// Errors name line and column.
[[nodiscard]] std::vector<Disease> parse_diseases(std::string_view text, const std::string& place);

// The 18 diseases of all genome-wide association studies up to 2008 (Manolio, Brooks, Collins,
// J Clin Invest 2008), by which Loukides et al. (PNAS 2010) judge releases; the codes are those
// that ICD-9-CM titles so.
[[nodiscard]] const std::vector<Disease>& gwas_diseases();
inline constexpr std::string_view kGwasName = "gwas";  // what stands for them in an option

// The codes of each disease; diseases of which the data has none are left out (UPE).
[[nodiscard]] std::vector<std::vector<Code>> utility_from_diseases(
    std::span<const Disease> diseases, const Dictionary& codes);

// Patients whom the records tell to have the disease, and items that lie across its border: with
// such an item nobody can tell cases from controls.
struct CaseCount {
  std::uint64_t cases = 0;
  std::uint64_t across = 0;
};
// Records of items, as CodeSets and Recoding hold them; the codes that each item stands for.
struct ShownRecords {
  std::span<const std::size_t> first;
  std::span<const std::uint32_t> items;
  std::span<const std::uint32_t> patients;
  std::vector<std::vector<std::string>> codes_of;
};
[[nodiscard]] CaseCount count_cases(const Disease& disease, const ShownRecords& records);

[[nodiscard]] ShownRecords shown_in(const CodeSets& sets);
[[nodiscard]] ShownRecords shown_in(const CodeSets& sets, const Recoding& recoding);

// A disease remains usable when no item lies across it and its cases are all there, one at least.
// Without the original, what was lost cannot be seen and is not asked.
[[nodiscard]] bool usable(const CaseCount& released, const std::optional<CaseCount>& original);
// Of the 18.
[[nodiscard]] std::uint64_t gwas_supported(const CodeSets& sets, const Recoding& recoding);
// Where records were taken apart: cases can be counted when none of the disease's codes is in an
// item chunk, and none of its patients in two parts.
[[nodiscard]] std::uint64_t gwas_supported(const CodeSets& sets, const DisassociatedSets& release);

}  // namespace pratique::codes
