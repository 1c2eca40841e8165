// Any page of a CSV file of any length, in constant memory.
//
// A first look finds the dialect. Then the file is scanned once, on demand and in slices, and the
// place of every 1024th row is kept (8 bytes each: 80 kB for ten million rows). A page reads from
// the last kept place before it. Quotes, doubled quotes and line ends inside quotes are followed as
// csv_sniffer.h defines them; blank lines are no rows, unless the table has one column.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/engine/csv_sniffer.h"

namespace pratique::server {

// Finds where records end in bytes that come in blocks.
class RecordScanner {
 public:
  RecordScanner(char delimiter, std::uint64_t begin)
      : delimiter_(delimiter), start_(begin), position_(begin) {}

  // Calls ended(start, end, blank) for every record that ended in this block; `end` is behind its
  // line end. `blank`: nothing stands before the line end.
  template <class Ended>
  void feed(std::string_view block, const Ended& ended);
  // The file ends here.
  template <class Ended>
  void finish(const Ended& ended) {
    if (position_ > start_) end_record(position_, ended);
  }

 private:
  enum class State { field_start, plain, quoted, quote_in_quoted, after_cr };
  template <class Ended>
  void end_record(std::uint64_t end, const Ended& ended) {
    ended(start_, end, blank_);
    start_ = end;
    blank_ = true;
    state_ = State::field_start;
  }

  char delimiter_;
  State state_ = State::field_start;
  std::uint64_t start_;     // of the record under way
  std::uint64_t position_;  // of the next byte
  bool blank_ = true;
};

// The fields of one record, its line end included or not.
[[nodiscard]] std::vector<std::string> split_record(std::string_view record, char delimiter);

class CsvRows {
 public:
  // Takes the descriptor of a regular file, and closes it in the end. Throws Error when it is no
  // CSV; `name` is for that.
  CsvRows(int descriptor, const std::string& name);
  ~CsvRows();
  CsvRows(const CsvRows&) = delete;
  CsvRows& operator=(const CsvRows&) = delete;

  struct Page {
    std::vector<std::vector<std::string>> rows;
    std::optional<std::uint64_t> total;  // once the whole file was scanned
  };
  [[nodiscard]] const std::vector<std::string>& columns() const { return dialect_.columns; }
  [[nodiscard]] Page page(std::uint64_t offset, std::size_t limit);
  // Scans another slice. False when nothing is left.
  bool scan_on();
  [[nodiscard]] std::size_t index_bytes() const;

 private:
  bool scan_slice();  // under the lock
  [[nodiscard]] std::string read_at(std::uint64_t offset, std::size_t bytes) const;
  [[nodiscard]] std::string decoded(std::string text) const;

  int descriptor_;
  std::uint64_t size_ = 0;
  CsvDialect dialect_;
  mutable std::mutex mutex_;
  std::optional<RecordScanner> scanner_;
  std::uint64_t scanned_ = 0;  // bytes
  std::uint64_t rows_ = 0;     // found so far
  bool complete_ = false;
  std::vector<std::uint64_t> places_;  // of rows 0, kStride, 2 kStride, ...
};

template <class Ended>
void RecordScanner::feed(std::string_view block, const Ended& ended) {
  std::size_t i = 0;
  const std::uint64_t base = position_;
  // Most files have no quotes: then line feeds are all that matters.
  if (state_ != State::quoted && state_ != State::quote_in_quoted && state_ != State::after_cr &&
      block.find('"') == std::string_view::npos && block.find('\r') == std::string_view::npos) {
    while (true) {
      const auto end = block.find('\n', i);
      const std::size_t stop = end == std::string_view::npos ? block.size() : end;
      blank_ = blank_ && stop == i;
      if (end == std::string_view::npos) break;
      i = end + 1;
      end_record(base + i, ended);
    }
    // Whether a field begins right behind the block.
    if (i < block.size()) {
      state_ = block.back() == delimiter_ ? State::field_start : State::plain;
    }
    position_ = base + block.size();
    return;
  }
  for (; i < block.size(); ++i) {
    const char c = block[i];
    if (state_ == State::after_cr) {
      const bool pair = c == '\n';
      end_record(base + i + (pair ? 1 : 0), ended);
      if (pair) continue;
    }
    if (state_ == State::quoted) {
      if (c == '"') state_ = State::quote_in_quoted;
      continue;
    }
    if (state_ == State::quote_in_quoted && c == '"') {
      state_ = State::quoted;
      continue;
    }
    if (c == '\n') {
      end_record(base + i + 1, ended);
      continue;
    }
    if (c == '\r') {
      state_ = State::after_cr;
      continue;
    }
    blank_ = false;
    if (c == '"' && state_ == State::field_start) {
      state_ = State::quoted;
    } else {
      state_ = c == delimiter_ ? State::field_start : State::plain;
    }
  }
  position_ = base + block.size();
}

}  // namespace pratique::server
