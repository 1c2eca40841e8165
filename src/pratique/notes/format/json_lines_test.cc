#include "pratique/notes/format/json_lines.h"

#include <gtest/gtest.h>

#include "pratique/core/file.h"

namespace pratique::notes::json_lines_test {
namespace {

NoteFile read(const std::string& lines, bool needs_text = true) {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/notes.jsonl";
  write_file_atomically(path, lines);
  NoteFile all;
  read_note_lines(
      path, needs_text,
      [&](NoteFile&& file) {
        for (auto& note : file.notes) all.notes.push_back(std::move(note));
        for (auto& note : file.rejected) all.rejected.push_back(std::move(note));
      },
      Progress::silent());
  return all;
}

TEST(NoteLines, SpansCountCodePoints) {
  // Z, o, a combining diaeresis, e: four code points, five bytes.
  const auto file = read(
      "{\"id\":1,\"text\":\"Zo\u0308e\\r\\nx\",\"spans\":[{\"start\":0,\"end\":4,\"type\":\"name\"}"
      "]}\n");
  ASSERT_EQ(file.notes.size(), 1U);
  EXPECT_EQ(file.notes[0].spans[0].end, 5U);
  EXPECT_EQ(spans_line(file.notes[0], {{0, 5, "name", 0.5}, {7, 8, "id", 0.5}}),
            "{\"id\":\"1\",\"spans\":[{\"start\":0,\"end\":4,\"type\":\"name\",\"certainty\":0.5},"
            "{\"start\":6,\"end\":7,\"type\":\"id\",\"certainty\":0.5}]}\n");
}

TEST(NoteLines, OneBadNoteIsListedAndTheOthersRead) {
  const auto file = read(
      "{\"id\":\"a\",\"text\":\"x\"}\n"
      "nonsense\n"
      "\n"
      "[1]\n"
      "{\"text\":\"x\"}\n"
      "{\"id\":\"b\"}\n"
      "{\"id\":\"c\",\"text\":\"x\",\"spans\":[{\"start\":0,\"end\":2,\"type\":\"id\"}]}\n"
      "{\"id\":\"d\",\"text\":\"\xFF\"}\n"
      "{\"id\":\"e\",\"text\":\"x\"}");
  ASSERT_EQ(file.notes.size(), 2U);
  EXPECT_EQ(file.notes[1].id, "e");
  ASSERT_EQ(file.rejected.size(), 6U);
  EXPECT_EQ(file.rejected[0].line, 2U);
  EXPECT_EQ(file.rejected[1].line, 4U);
  EXPECT_EQ(file.rejected[4].why, "a span beyond the end of its text");
  EXPECT_EQ(file.rejected[5].why, "not UTF-8");
}

}  // namespace
}  // namespace pratique::notes::json_lines_test
