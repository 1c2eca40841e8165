// How codes are written. Data from several sources has 25000 beside 250.00, v58.1 beside V58.1: one
// code, which must not be two. Codes of a known system (data/code_systems.h) get its normal form,
// with points where most codes of the file have them, and it is told what was changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/data/code_sets.h"
#include "pratique/data/code_systems.h"

namespace pratique::codes {

struct Spelling {
  const CodeSystem* system;
  bool points;

  // Something that is no code of the system, such as a label, stays as it is.
  [[nodiscard]] std::string of(std::string_view text) const;
};

// The spelling of these codes in the system that the hierarchy names or, where there is no
// hierarchy, in the one they are of; none where there is no such system.
[[nodiscard]] std::optional<Spelling> spelling_of(const CodeSets& sets,
                                                  const std::string& hierarchy);

// What lists of ICD-9 codes say something about: not codes that are known to be of another system.
[[nodiscard]] bool may_be_icd9(const std::optional<Spelling>& spelling);

// What was changed: ways of writing a code, the codes of patients that were written so, and how
// many of these by adding or removing the point, by capital letters, by removing blanks.
struct Respelled {
  std::uint64_t spellings = 0;
  std::uint64_t occurrences = 0;
  std::uint64_t points = 0;
  std::uint64_t letters = 0;
  std::uint64_t blanks = 0;
};
[[nodiscard]] Respelled respell(CodeSets& sets, const Spelling& spelling);
void respell(Column& codes, const Spelling& spelling);
// As the parameters of a release's manifest say that its codes are written; nothing where they do
// not.
void respell_as_released(CodeSets& sets, const Json& parameters);
[[nodiscard]] Json to_json(const Respelled& respelled);

// The codes that an entry of a list of codes names: a code, however it is written, or with a star
// all codes that begin so (250*). None where it is a code of the system that nobody here has.
// Throws Error with the nearest codes where it is neither, or is none itself but codes begin so.
[[nodiscard]] std::vector<Code> codes_named(std::string_view entry, const Dictionary& codes,
                                            const std::optional<Spelling>& spelling,
                                            const std::string& place);

}  // namespace pratique::codes
