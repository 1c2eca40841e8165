// Notes as JSON lines: {"id", "text", "patient"?, "spans"?}, a span {"start", "end", "type"} in
// code points, end exclusive. One bad line never stops a batch: it is listed with its number and
// why, and what is wrong with it never quotes it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/notes/note.h"

namespace pratique::notes {

struct RejectedNote {
  std::uint64_t line = 0;
  std::string why;
};

// Where each code point of a text begins, for spans in either count.
class CodePoints {
 public:
  explicit CodePoints(std::string_view text);
  [[nodiscard]] std::size_t count() const { return begins_.size() - 1; }
  [[nodiscard]] std::size_t byte_of(std::size_t code_point) const { return begins_[code_point]; }
  // The number of code points that begin before the byte.
  [[nodiscard]] std::size_t code_point_of(std::size_t byte) const;

 private:
  std::vector<std::size_t> begins_;
};

struct NoteFile {
  std::vector<Note> notes;           // spans in bytes
  std::vector<std::uint64_t> lines;  // of each note
  std::vector<RejectedNote> rejected;
  std::vector<RejectedNote> repaired;  // read, though not as they were written; and how
};

// `needs_text`: whether a line without text is rejected; without one, spans stay in code points.
// Calls `take` with a few thousand lines at a time, so that memory does not grow with the file.
void read_note_lines(const std::string& path, bool needs_text,
                     const std::function<void(NoteFile&&)>& take, Progress& progress);

// {"id", "spans"} as one line, in code points of the text.
[[nodiscard]] std::string spans_line(const Note& note, const std::vector<Span>& spans);
[[nodiscard]] Json to_json(const std::vector<RejectedNote>& rejected);

}  // namespace pratique::notes
