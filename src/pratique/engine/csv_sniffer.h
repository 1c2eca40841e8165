// Finds out how a CSV file is written, from its beginning: delimiter, encoding, byte-order mark,
// line ends and header. Excel's own first line (sep=;) is taken at its word. A first line that
// looks like a record is refused, lest a person's values become names of columns, unless the
// delimiter is given: who says how the file is written says that it has a header, too. What it
// cannot read right it refuses with file and line; the rest of the file is held to what was found
// here when it is read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pratique/engine/engine.h"

namespace pratique {

enum class CsvEncoding { utf8, latin1 };

struct CsvDialect {
  char delimiter = ',';
  CsvEncoding encoding = CsvEncoding::utf8;
  bool names_delimiter = false;      // a line before the header does: sep=;
  bool mixed_line_ends = false;      // some records end with CRLF, some with LF or CR
  std::vector<std::string> columns;  // names of the header; an empty one becomes column_N
  std::size_t header_bytes = 0;      // up to and with the header's line end
  double mean_record_bytes = 0;      // of the records in the sample, for progress
};

// `sample` is the file's beginning, or all of it (`complete`). Quotes are ", doubled inside;
// records end with LF, CRLF or CR, also inside quotes.
[[nodiscard]] CsvDialect sniff_csv(std::string_view sample, bool complete,
                                   const CsvOptions& options, const std::string& place);

// Walks a whole file that the engine could not read with `dialect` and throws the Error that names
// the first line at fault, and why. Returns when it finds none.
void explain_csv_fault(std::string_view text, const CsvDialect& dialect, const std::string& place);

// Refuses lines longer than kLongestRecordBytes: DuckDB drops a line that is longer than its buffer
// without a word. Looks only at as many places as there are such lengths in the text.
void refuse_overlong_lines(std::string_view text, const std::string& place);

// The same text in UTF-8 with LF line ends. Bytes 0x80 to 0x9f are read as Windows-1252, which is
// what files called Latin-1 mean by them.
[[nodiscard]] std::string normalise_csv(std::string_view block, const CsvDialect& dialect,
                                        bool& last_was_cr);

// How many bytes of a file sniffing wants to see.
inline constexpr std::size_t kCsvSampleBytes = 1U << 20;
// Longer records are refused.
inline constexpr std::size_t kLongestRecordBytes = 2'000'000;

}  // namespace pratique
