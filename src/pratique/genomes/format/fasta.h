// FASTA: a line that begins with '>' and names a sequence, then its letters over any number of
// lines. Read in blocks; blanks within lines, empty lines, ';' comments, a byte-order mark and the
// line ends of any system are skipped.
#pragma once

#include <string>
#include <string_view>

#include "pratique/core/progress.h"
#include "pratique/genomes/sequence/sequences.h"

namespace pratique::genomes {

class FastaParser {
 public:
  // `name` of the file, for messages.
  explicit FastaParser(std::string name) : name_(std::move(name)) {}

  // Throws Error::input with the line and the column: letters before a header, or of no base.
  void take(std::string_view block);
  // Throws where a sequence has no base, or there is none.
  [[nodiscard]] SequenceSet finish();

 private:
  enum class Place { line_start, header, comment, letters };
  void take_letter(char character);
  void close_sequence();
  [[nodiscard]] std::string place() const;

  std::string name_;
  SequenceSet read_;
  Place place_ = Place::line_start;
  std::size_t line_ = 1;
  std::size_t column_ = 0;
  std::size_t header_line_ = 0;
  bool name_ended_ = false;
  bool after_return_ = false;
};

[[nodiscard]] SequenceSet read_fasta(const std::string& path, Progress& progress);
[[nodiscard]] SequenceSet parse_fasta(const std::string& name, std::string_view text);

}  // namespace pratique::genomes
