#include "pratique/genomes/format/fasta.h"

#include <fmt/format.h>

#include <algorithm>

#include "pratique/core/error.h"
#include "pratique/genomes/format/inflated.h"

namespace pratique::genomes {
namespace {

bool is_blank_in_fasta(char c) { return c == ' ' || c == '\t' || c == '\f'; }

bool is_utf16(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

std::string FastaParser::place() const { return fmt::format("{}:{}:{}", name_, line_, column_); }

void FastaParser::close_sequence() {
  if (read_.names.empty()) return;
  const Sequence& last = read_.sequences.back();
  if (std::any_of(last.begin(), last.end(), [](Letter letter) { return letter != kGap; })) return;
  throw Error::input(last.empty() ? "a sequence has no letters" : "a sequence has gaps alone")
      .at(fmt::format("{}:{}", name_, header_line_))
      .hint("Leave its header out, or add its letters below it.");
}

void FastaParser::take_letter(char character) {
  if (read_.names.empty()) {
    throw Error::input("this is no FASTA file: letters stand before the first header")
        .at(place())
        .hint("A FASTA file names each sequence in a line that begins with '>'.");
  }
  const auto letter = letter_from(character);
  if (!letter) {
    throw Error::input("a character is no letter of a base, nor a gap")
        .at(place())
        .hint(
            "Letters are those of IUPAC for DNA: A C G T U R Y S W K M B D H V N, '-' for a gap. "
            "Proteins are not read.");
  }
  read_.sequences.back().push_back(*letter);
}

void FastaParser::take(std::string_view block) {
  if (line_ == 1 && column_ == 0 && block.starts_with(kByteOrderMark))
    block.remove_prefix(kByteOrderMark.size());
  if (line_ == 1 && column_ == 0 && is_utf16(block)) {
    throw Error::input("the file is in UTF-16")
        .at(name_)
        .hint("Save it as plain text, or: iconv -f UTF-16 -t UTF-8.");
  }
  for (const char character : block) {
    // Lines end with LF, with CR and LF, or with CR alone.
    const bool ended = after_return_ && character == '\n';
    after_return_ = character == '\r';
    if (ended) continue;
    ++column_;
    if (character == '\n' || character == '\r') {
      place_ = Place::line_start;
      ++line_;
      column_ = 0;
      continue;
    }
    if (place_ == Place::line_start) {
      if (character == '>') {
        close_sequence();
        read_.names.emplace_back();
        read_.sequences.emplace_back();
        read_.lines.push_back(line_);
        header_line_ = line_;
        name_ended_ = false;
        place_ = Place::header;
        continue;
      }
      if (is_blank_in_fasta(character)) continue;
      place_ = character == ';' ? Place::comment : Place::letters;
    }
    if (place_ == Place::header) {
      std::string& name = read_.names.back();
      if (!is_blank_in_fasta(character)) {
        if (!name_ended_) name += character;
      } else if (!name.empty()) {
        name_ended_ = true;
      }
    } else if (place_ == Place::letters && !is_blank_in_fasta(character)) {
      take_letter(character);
    }
  }
}

SequenceSet FastaParser::finish() {
  close_sequence();
  if (read_.names.empty()) {
    throw Error::input("the file has no sequence")
        .at(name_)
        .hint("A FASTA file names each sequence in a line that begins with '>'.");
  }
  return std::move(read_);
}

SequenceSet read_fasta(const std::string& path, Progress& progress) {
  FastaParser parser(path);
  read_inflated(
      path, path, [&](std::string_view block) { parser.take(block); }, progress);
  return parser.finish();
}

SequenceSet parse_fasta(const std::string& name, std::string_view text) {
  FastaParser parser(name);
  parser.take(text);
  return parser.finish();
}

}  // namespace pratique::genomes
