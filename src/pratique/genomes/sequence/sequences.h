// Sequences of people, a letter per byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pratique/genomes/sequence/nucleotide.h"

namespace pratique::genomes {

using Sequence = std::vector<Letter>;

struct SequenceSet {
  std::vector<std::string> names;  // the first word of each header; never leaves with a release
  std::vector<Sequence> sequences;
  std::vector<std::size_t> lines;  // of the headers

  [[nodiscard]] std::size_t size() const { return sequences.size(); }
  // All of one length: what an alignment is.
  [[nodiscard]] bool aligned() const;
  // Throws Error::input where two sequences have one name: they are of one person, who would be
  // counted as two. `file` is its name.
  void refuse_repeated_names(const std::string& file) const;
  // In an order that depends on the letters alone: what is chosen by order then tells nothing about
  // the order of the file.
  void sort_by_content();
};

// Columns in which not all sequences have the same letter: single-nucleotide variable regions.
[[nodiscard]] std::vector<std::uint32_t> variable_regions(const std::vector<Sequence>& aligned);

[[nodiscard]] Sequence without_gaps(const Sequence& sequence);
[[nodiscard]] std::string to_text(const Sequence& sequence);

}  // namespace pratique::genomes
