#include "pratique/engine/csv_sniffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>

#include "pratique/core/error.h"

namespace pratique {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Enough records to tell delimiters apart; more would only cost time.
constexpr std::size_t kRecordsToSee = 1000;

std::string at_line(const std::string& place, std::size_t line) {
  return fmt::format("{}:{}", place, line);
}

std::size_t line_of(std::string_view text, std::size_t offset) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + offset, '\n'));
}

// The first byte that is not UTF-8 (RFC 3629), or npos. A sequence cut off by the end of an
// incomplete sample is no fault.
std::size_t first_invalid_utf8(std::string_view text, bool complete) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4) return i;
    for (std::size_t k = 1; k < length; ++k) {
      if (i + k == text.size()) return complete ? i : std::string_view::npos;
      const auto byte = static_cast<unsigned char>(text[i + k]);
      unsigned char low = 0x80;
      unsigned char high = 0xbf;
      if (k == 1) {  // overlong forms, surrogates, beyond U+10FFFF
        if (lead == 0xe0) low = 0xa0;
        if (lead == 0xed) high = 0x9f;
        if (lead == 0xf0) low = 0x90;
        if (lead == 0xf4) high = 0x8f;
      }
      if (byte < low || byte > high) return i;
    }
    i += length;
  }
  return std::string_view::npos;
}

// Walks records of one dialect.
class RecordReader {
 public:
  RecordReader(std::string_view text, char delimiter, std::size_t line = 1)
      : text_(text), delimiter_(delimiter), line_(line) {}

  struct Record {
    std::vector<std::string> fields;
    std::size_t line = 1;       // where it begins
    bool finished = true;       // false: the text ended inside it
    bool broken_quote = false;  // something other than a delimiter follows a closing quote
    std::string_view line_end;
  };

  std::optional<Record> next() {
    if (position_ >= text_.size()) return std::nullopt;
    Record record;
    record.line = line_;
    while (read_field(record)) {
    }
    return record;
  }
  [[nodiscard]] std::size_t position() const { return position_; }

 private:
  // True when another field of the record follows.
  bool read_field(Record& record) {
    std::string field;
    if (position_ < text_.size() && text_[position_] == '"') {
      ++position_;
      read_quoted(record, field);
    }
    while (position_ < text_.size()) {
      const char c = text_[position_++];
      if (c == delimiter_) {
        record.fields.push_back(std::move(field));
        return true;
      }
      if (c == '\n' || c == '\r') {
        const std::size_t begin = position_ - 1;
        if (c == '\r' && position_ < text_.size() && text_[position_] == '\n') ++position_;
        record.line_end = text_.substr(begin, position_ - begin);
        ++line_;
        record.fields.push_back(std::move(field));
        return false;
      }
      field += c;
    }
    record.finished = false;
    record.fields.push_back(std::move(field));
    return false;
  }

  void read_quoted(Record& record, std::string& field) {
    while (position_ < text_.size()) {
      const char c = text_[position_++];
      if (c == '\n') ++line_;
      if (c != '"') {
        field += c;
        continue;
      }
      if (position_ < text_.size() && text_[position_] == '"') {
        field += '"';
        ++position_;
        continue;
      }
      const bool ends = position_ == text_.size() || text_[position_] == delimiter_ ||
                        text_[position_] == '\n' || text_[position_] == '\r';
      record.broken_quote |= !ends;
      return;
    }
    record.broken_quote = true;
  }

  std::string_view text_;
  char delimiter_;
  std::size_t position_ = 0;
  std::size_t line_;
};

struct Trial {
  char delimiter = ',';
  std::size_t fields = 0;  // of the header
  std::size_t records = 0;
  std::size_t agreeing = 0;  // records with as many fields as the header, quotes in order
};

bool is_blank(const RecordReader::Record& record) {
  return record.fields.size() == 1 && record.fields.front().empty();
}

Trial try_delimiter(std::string_view text, char delimiter, bool complete) {
  Trial trial{.delimiter = delimiter};
  RecordReader reader(text, delimiter);
  for (std::size_t i = 0; i < kRecordsToSee; ++i) {
    const auto record = reader.next();
    if (!record) break;
    if (!record->finished && !complete) break;
    if (i == 0) {
      trial.fields = record->fields.size();
    } else if (is_blank(*record)) {
      continue;
    }
    ++trial.records;
    if (record->fields.size() == trial.fields && !record->broken_quote) ++trial.agreeing;
  }
  return trial;
}

char choose_delimiter(std::string_view text, bool complete) {
  // Preferred first. A delimiter is right when all records agree with the header; among those the
  // one that cuts most; when none is, the one with most agreement among those that cut at all.
  Trial best = try_delimiter(text, ',', complete);
  const auto rank = [](const Trial& trial) {
    const bool cuts = trial.fields > 1;
    const double agreement = trial.records == 0 ? 0
                                                : static_cast<double>(trial.agreeing) /
                                                      static_cast<double>(trial.records);
    return std::tuple(cuts && agreement == 1, cuts ? agreement : 0.0, trial.fields);
  };
  for (const char candidate : {';', '\t', '|'}) {
    const Trial trial = try_delimiter(text, candidate, complete);
    if (rank(trial) > rank(best)) best = trial;
  }
  return best.delimiter;
}

// What Excel reads as the delimiter and not as data: sep=; alone in the first line.
struct NamedDelimiter {
  char delimiter = ',';
  std::size_t bytes = 0;  // of its line, with the line end
  std::string_view line_end = {};
};
std::optional<NamedDelimiter> named_delimiter(std::string_view text) {
  const std::size_t end = text.find_first_of("\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view line = text.substr(0, end);
  if (line.size() > 2 && line.front() == '"' && line.back() == '"') {
    line = line.substr(1, line.size() - 2);
  }
  const bool named = line.size() == 5 && (line.starts_with("sep=") || line.starts_with("SEP="));
  if (!named) return std::nullopt;
  const auto line_end = text.substr(end, text.substr(end).starts_with("\r\n") ? 2 : 1);
  return NamedDelimiter{line.back(), end + line_end.size(), line_end};
}

// A number, a date, a postcode: digits with what stands between them.
bool is_measure(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos &&
         text.find_first_not_of("0123456789+-.,:/ ") == std::string_view::npos;
}

// Numbers that name columns: years, or 1, 2, 3.
bool are_labels(const std::vector<std::string>& names) {
  std::vector<int> numbers;
  for (const auto& name : names) {
    const bool whole = name.size() < 6 &&
                       name.find_first_not_of("0123456789") == std::string::npos &&
                       (name.size() == 1 || name.front() != '0');
    if (!whole) return false;
    numbers.push_back(std::stoi(name));
  }
  constexpr int kFirstYear = 1900;
  constexpr int kLastYear = 2100;
  const bool years = std::all_of(numbers.begin(), numbers.end(), [](int number) {
    return number >= kFirstYear && number <= kLastYear;
  });
  if (years) return true;
  if (numbers.size() < 2) return false;
  const int step = numbers[1] - numbers[0];
  for (std::size_t i = 2; i < numbers.size(); ++i) {
    if (numbers[i] - numbers[i - 1] != step) return false;
  }
  return numbers.size() > 2 ? step > 0 : step == 1;
}

// Whether the first line is a record like those below it. A column of numbers or dates whose first
// cell is one too has no name there; where no column holds such, names that stand among the values
// below them are none.
class HeaderDoubt {
 public:
  explicit HeaderDoubt(const std::vector<std::string>& first)
      : first_(first), columns_(first.size()) {}

  void see(const std::vector<std::string>& record) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (record[c].empty()) continue;
      columns_[c].values = true;
      columns_[c].measures = columns_[c].measures && is_measure(record[c]);
      columns_[c].repeated = columns_[c].repeated || record[c] == first_[c];
    }
  }

  [[nodiscard]] bool is_record() const {
    std::vector<std::string> unnamed;
    std::size_t measured = 0;
    std::size_t repeated = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const bool measures = columns_[c].values && columns_[c].measures;
      if (measures) ++measured;
      if (measures && is_measure(first_[c])) unnamed.push_back(first_[c]);
      if (columns_[c].repeated) ++repeated;
    }
    if (measured > 0) return unnamed.size() == measured && !are_labels(unnamed);
    return repeated >= 2 && 2 * repeated >= columns_.size();
  }

 private:
  struct Seen {
    bool values = false;
    bool measures = true;
    bool repeated = false;
  };
  const std::vector<std::string>& first_;
  std::vector<Seen> columns_;
};

void refuse_other_formats(std::string_view sample, const std::string& place) {
  using namespace std::string_view_literals;
  if (sample.starts_with("\x1f\x8b"sv)) {
    throw Error::input("this file is compressed with gzip")
        .at(place)
        .hint("Unpack it first, or pipe it in: zcat FILE | pratique ... -");
  }
  if (sample.starts_with("PK\x03\x04"sv)) {
    throw Error::input("this is a ZIP archive or a spreadsheet, not CSV")
        .at(place)
        .hint("In the spreadsheet program choose Save as, CSV UTF-8.");
  }
  if (sample.starts_with("\xff\xfe"sv) || sample.starts_with("\xfe\xff"sv)) {
    throw Error::input("this file is written in UTF-16")
        .at(place)
        .hint("Save it as UTF-8, or convert it: iconv -f UTF-16 -t UTF-8 FILE");
  }
}

Error not_utf8(const std::string& place) {
  return Error::input("this line is not UTF-8")
      .at(place)
      .hint("If the file is in Latin-1, use --encoding latin-1.");
}

Error overlong(const std::string& place) {
  return Error::input(
             fmt::format("this record is longer than the limit of {} bytes", kLongestRecordBytes))
      .at(place)
      .hint("Remove the long text from the table.");
}

bool has_letter_beyond_ascii(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

// Whether some line after the one at fault is UTF-8 and more than ASCII.
bool has_valid_sequence_after(std::string_view text, std::size_t fault) {
  while (true) {
    const auto line = text.find('\n', fault);
    if (line == std::string_view::npos) return false;
    const auto next = text.find('\n', line + 1);
    if (next == std::string_view::npos) return false;
    const std::string_view row = text.substr(line + 1, next - line - 1);
    if (has_letter_beyond_ascii(row) && first_invalid_utf8(row, true) == std::string_view::npos) {
      return true;
    }
    fault = next - 1;
    if (next == line + 1) fault = next;
  }
}

void check_record(const RecordReader::Record& record, const CsvDialect& dialect,
                  const std::string& place) {
  if (record.broken_quote) {
    throw Error::input("a quote is not closed, or text follows it")
        .at(at_line(place, record.line))
        .hint("Inside quotes, a quote is written twice.");
  }
  if (record.fields.size() != dialect.columns.size()) {
    throw Error::input(fmt::format("this record has {} fields, the header has {}",
                                   record.fields.size(), dialect.columns.size()))
        .at(at_line(place, record.line))
        .hint(fmt::format(
            "Fields were split at '{}'; if that is wrong, use --delimiter.",
            dialect.delimiter == '\t' ? std::string("tab") : std::string(1, dialect.delimiter)));
  }
}

// Unicode for the bytes 0x80 to 0x9f of Windows-1252; 0 where it defines none.
constexpr std::array<std::uint16_t, 32> kWindows1252 = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

void append_utf8(std::string& out, unsigned code_point) {
  if (code_point < 0x800) {
    out += static_cast<char>(0xc0 | (code_point >> 6));
  } else {
    out += static_cast<char>(0xe0 | (code_point >> 12));
    out += static_cast<char>(0x80 | ((code_point >> 6) & 0x3f));
  }
  out += static_cast<char>(0x80 | (code_point & 0x3f));
}

}  // namespace

std::string normalise_csv(std::string_view block, const CsvDialect& dialect, bool& last_was_cr) {
  std::string out;
  out.reserve(block.size() + block.size() / 8);
  for (const char c : block) {
    const auto byte = static_cast<unsigned char>(c);
    const bool after_cr = last_was_cr;
    last_was_cr = c == '\r';
    if (c == '\r') {
      out += '\n';
    } else if (c == '\n' && after_cr) {
      continue;
    } else if (byte < 0x80 || dialect.encoding == CsvEncoding::utf8) {
      out += c;
    } else {
      const unsigned mapped = byte < 0xa0 ? kWindows1252[byte - 0x80] : byte;
      append_utf8(out, mapped == 0 ? byte : mapped);
    }
  }
  return out;
}

void refuse_overlong_lines(std::string_view text, const std::string& place) {
  std::size_t line_start = 0;
  while (text.size() - line_start > kLongestRecordBytes) {
    const std::string_view window = text.substr(line_start, kLongestRecordBytes + 1);
    const auto end = window.find_last_of("\n\r");
    if (end == std::string_view::npos) {
      throw overlong(at_line(place, line_of(text, line_start)));
    }
    line_start += end + 1;
  }
}

void explain_csv_fault(std::string_view text, const CsvDialect& dialect, const std::string& place) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (dialect.names_delimiter) text.remove_prefix(named_delimiter(text)->bytes);
  RecordReader reader(text, dialect.delimiter, dialect.names_delimiter ? 2 : 1);
  const auto header = reader.next();
  std::size_t begin = reader.position();
  while (const auto record = reader.next()) {
    const std::string_view bytes = text.substr(begin, reader.position() - begin);
    begin = reader.position();
    if (is_blank(*record)) continue;
    check_record(*record, dialect, place);
    if (first_invalid_utf8(bytes, true) != std::string_view::npos) {
      throw not_utf8(at_line(place, record->line));
    }
    if (bytes.size() > kLongestRecordBytes) {
      throw overlong(at_line(place, record->line));
    }
    if (!record->line_end.empty() && record->line_end != header->line_end) {
      throw Error::input("line ends change here (CRLF, LF or CR)")
          .at(at_line(place, record->line))
          .hint("Make all line ends the same, for example with dos2unix.");
    }
  }
}

CsvDialect sniff_csv(std::string_view sample, bool complete, const CsvOptions& options,
                     const std::string& place) {
  refuse_other_formats(sample, place);
  CsvDialect dialect;
  std::string_view text = sample;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t bom_bytes = sample.size() - text.size();

  const auto named = named_delimiter(text);
  if (text.find_first_not_of("\r\n \t", named ? named->bytes : 0) == std::string_view::npos) {
    throw Error::input(sample.empty() ? "the file is empty" : "the file has no text in it")
        .at(place)
        .hint("A table needs a header line with the names of its columns.");
  }
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    throw Error::input("the text contains a NUL byte, so this is not a CSV file")
        .at(at_line(place, line_of(text, nul)))
        .hint("Export the table again as CSV, or remove the bytes: tr -d '\\000' < FILE");
  }

  const auto bad = first_invalid_utf8(text, complete);
  if (!options.encoding) {
    if (bad != std::string_view::npos) {
      // Letters of several bytes are no accident in Latin-1: this is UTF-8 with a fault in it.
      const bool was_utf8 = bom_bytes > 0 || has_letter_beyond_ascii(text.substr(0, bad)) ||
                            has_valid_sequence_after(text, bad);
      if (was_utf8) throw not_utf8(at_line(place, line_of(text, bad)));
      dialect.encoding = CsvEncoding::latin1;
    }
  } else if (*options.encoding == "latin-1") {
    dialect.encoding = CsvEncoding::latin1;
  } else if (*options.encoding != "utf-8") {
    throw Error::input(fmt::format("the encoding '{}' is not supported", *options.encoding))
        .hint("Use utf-8 or latin-1; iconv converts from others.");
  } else if (bad != std::string_view::npos) {
    throw not_utf8(at_line(place, line_of(text, bad)));
  }

  if (options.delimiter &&
      std::string_view("\"\n\r").find(*options.delimiter) != std::string_view::npos) {
    throw Error::input("a quote or a line end cannot be the delimiter")
        .hint("Usual delimiters are , ; | and tab.");
  }
  dialect.names_delimiter = named.has_value();
  if (named) text.remove_prefix(named->bytes);
  const std::size_t bytes_before = sample.size() - text.size();
  const std::size_t header_line = named ? 2 : 1;
  dialect.delimiter =
      options.delimiter.value_or(named ? named->delimiter : choose_delimiter(text, complete));
  RecordReader reader(text, dialect.delimiter, header_line);
  const auto header = reader.next();
  if (!header->finished && !complete) {
    throw Error::input("the header line is longer than a megabyte").at(at_line(place, header_line));
  }
  if (header->broken_quote) {
    throw Error::input("a quote in the header is not closed, or text follows it")
        .at(at_line(place, header_line))
        .hint("Inside quotes, a quote is written twice.");
  }
  dialect.header_bytes = bytes_before + reader.position();
  if (named && !header->line_end.empty())
    dialect.mixed_line_ends = named->line_end != header->line_end;

  std::set<std::string> seen;
  for (std::size_t i = 0; i < header->fields.size(); ++i) {
    std::string name = header->fields[i];
    bool ignored = false;
    if (dialect.encoding == CsvEncoding::latin1) name = normalise_csv(name, dialect, ignored);
    if (name.empty()) name = fmt::format("column_{}", i + 1);
    if (!seen.insert(name).second) {
      throw Error::input(fmt::format("two columns are named '{}'", name))
          .at(at_line(place, header_line))
          .hint("Give each column its own name.");
    }
    dialect.columns.push_back(std::move(name));
  }

  std::size_t records = 0;
  HeaderDoubt doubt(header->fields);
  while (const auto record = reader.next()) {
    if (!record->finished && !complete) break;
    if (is_blank(*record) && dialect.columns.size() > 1) continue;
    check_record(*record, dialect, place);
    if (records < kRecordsToSee) doubt.see(record->fields);
    if (!record->line_end.empty()) dialect.mixed_line_ends |= record->line_end != header->line_end;
    ++records;
  }
  if (!options.delimiter && doubt.is_record()) {
    throw Error::input("the first line looks like a record, not like names of columns")
        .at(at_line(place, header_line))
        .hint(fmt::format(
            "Put a line with the names first. If these are the names, say how the "
            "file is written: --delimiter '{}'.",
            dialect.delimiter == '\t' ? std::string("tab") : std::string(1, dialect.delimiter)));
  }
  if (records > 0) {
    dialect.mean_record_bytes =
        static_cast<double>(sample.size() - dialect.header_bytes) / static_cast<double>(records);
  }
  return dialect;
}

}  // namespace pratique
