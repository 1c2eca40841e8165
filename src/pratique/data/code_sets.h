// Patients and their sets of codes: every distinct set once, with how many patients have it.
//
// A file of sets holds a set per line, its codes separated by blanks or tabs; a patient goes by the
// number of its line. Codes are text (296.00 is not 296.0), and a code that is there twice is there
// once. A line without a code is an error: nobody can say whether a patient without codes was
// meant.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/table.h"

namespace pratique {

struct CodeSets {
  Dictionary codes;
  std::vector<std::size_t> first = {0};  // where each set starts in items, and one more
  std::vector<Code> items;               // ascending within a set
  std::vector<std::uint32_t> counts;     // patients with each set
  std::vector<std::uint32_t> set_of;     // by patient

  [[nodiscard]] std::size_t size() const { return counts.size(); }
  [[nodiscard]] std::size_t patients() const { return set_of.size(); }
  [[nodiscard]] std::span<const Code> set(std::size_t index) const {
    return std::span(items).subspan(first[index], first[index + 1] - first[index]);
  }
  // How many patients have each code, and how many codes they have together.
  [[nodiscard]] std::vector<std::uint64_t> supports() const;
  [[nodiscard]] std::uint64_t occurrences() const;
};

// Puts equal sets together as patients are added.
class CodeSetsBuilder {
 public:
  // Sorted and freed of repetitions here. Not empty.
  void add(std::vector<Code>& set);
  [[nodiscard]] CodeSets build(Dictionary codes) &&;

 private:
  void grow();
  CodeSets sets_;
  std::vector<std::uint64_t> hashes_;  // by set
  std::vector<std::uint32_t> slots_;   // open addressing: a set and one, 0 where free
};

// `place` names the text in errors, as PLACE:LINE.
[[nodiscard]] CodeSets parse_code_sets(std::string_view text, const std::string& place);

// From rows of patient and code, in any order; patients are numbered by first appearance, which is
// the numbering of the patient column's dictionary.
[[nodiscard]] CodeSets collect_code_sets(const Column& patient, Column code,
                                         const std::string& place);

}  // namespace pratique
