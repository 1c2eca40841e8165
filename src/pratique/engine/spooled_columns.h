// Columns that leave as they are and that no algorithm looks at. Their cells lie in a file instead
// of in memory: a table of two hundred columns takes the memory of the few that matter. In the
// table one column of marks stands for all of them. A mark is equal where all cells of the row are,
// and says where they lie.
//
// The file is private (0600) and has no name once it is open, so that it ends with the process.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/dictionary.h"

namespace pratique {

class SpooledColumns {
 public:
  SpooledColumns(std::vector<std::string> names, const std::string& folder);
  ~SpooledColumns();
  SpooledColumns(const SpooledColumns&) = delete;
  SpooledColumns& operator=(const SpooledColumns&) = delete;

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  // The mark of a row with these cells, one per name. Equal cells are put aside once.
  [[nodiscard]] std::string add(std::span<const std::string_view> cells);
  // Nothing is added after it, and nothing read before.
  void finish();

  // What of a mark follows from the cells alone, wherever they lie (128 bits of SHA-256).
  [[nodiscard]] static std::string_view content_of(std::string_view mark);

  // The cells of one row after the other; a reader for each thread.
  class Reader {
   public:
    explicit Reader(const SpooledColumns& columns) : columns_(columns) {}
    // By name; valid until the next row is read.
    [[nodiscard]] const std::vector<std::string_view>& read(std::string_view mark);

   private:
    const SpooledColumns& columns_;
    std::string record_;
    std::vector<std::string_view> cells_;
  };

 private:
  struct Place {
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0;
  };
  void flush();

  std::vector<std::string> names_;
  std::string folder_;
  int descriptor_;
  std::string buffer_;         // the end of the file, not yet written
  std::uint64_t written_ = 0;  // bytes before it
  Dictionary seen_;            // contents, until all are added
  std::vector<Place> places_;  // by code of these
  std::string record_;
};

}  // namespace pratique
