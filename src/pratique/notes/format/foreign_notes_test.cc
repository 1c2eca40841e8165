#include "pratique/notes/format/foreign_notes.h"

#include <gtest/gtest.h>

namespace pratique::notes::foreign_notes_test {
namespace {

std::string covered(const Note& note, std::size_t i) {
  return note.text.substr(note.spans[i].start, note.spans[i].end - note.spans[i].start);
}

TEST(ForeignNotes, BratCountsCodePoints) {
  Note note{.id = "1", .text = "Zo\u0308e M\u00fcller\r\ncame"};
  // Z o combining e blank M...: Müller is code points 5 to 11.
  ASSERT_EQ(parse_brat("T1\tNAME 5 11\tM\nR1\tx\nT2\tdate 13 14;15 17\tx\n", note), "");
  ASSERT_EQ(note.spans.size(), 3U);
  EXPECT_EQ(covered(note, 0), "M\u00fcller");
  EXPECT_EQ(note.spans[0].type, "name");
  EXPECT_EQ(covered(note, 2), "me");
  EXPECT_EQ(to_brat(note, {note.spans[0]}), "T1\tname 5 11\tM\u00fcller\n");
}

TEST(ForeignNotes, BadAnnotationsAreRefused) {
  for (const char* bad :
       {"T1\tname 0 99\tx\n", "T1\tname 3 3\tx\n", "T1\tname x\n", "T1\n", "T1\tname 1\tx\n"}) {
    Note note{.id = "1", .text = "short"};
    EXPECT_NE(parse_brat(bad, note), "") << bad;
  }
}

TEST(ForeignNotes, InlineTagsGoAndComeBack) {
  Note note;
  const std::string tagged = "seen by <NAME>Zoe</NAME> on <DATE>3/4</DATE>, if a<b>c";
  ASSERT_EQ(parse_inline_tags(tagged, note), "");
  EXPECT_EQ(note.text, "seen by Zoe on 3/4, if a<b>c");
  ASSERT_EQ(note.spans.size(), 2U);
  EXPECT_EQ(covered(note, 1), "3/4");
  EXPECT_EQ(to_inline_tags(note.text, note.spans), tagged);
  for (const char* bad : {"<NAME>x", "x</NAME>", "<NAME>x</DATE>", "<NAME><NAME>x</NAME></NAME>"}) {
    Note wrong;
    EXPECT_NE(parse_inline_tags(bad, wrong), "") << bad;
  }
}

TEST(ForeignNotes, OfCdaTheNarrativeIsReadAndTheHeaderIsNot) {
  Note note;
  ASSERT_EQ(parse_cda("<?xml version=\"1.0\"?><ClinicalDocument><id root=\"1.2\" extension=\"9\"/>"
                      "<recordTarget><patientRole><id root=\"p\" extension=\"7\"/><patient><name>"
                      "Mary</name></patient></patientRole></recordTarget><component><section>"
                      "<code code=\"x\"/><title>Plan</title><text><paragraph>Mr. Lee &amp; wife"
                      "</paragraph><list><item>rest&#233;</item></list></text></section>"
                      "</component></ClinicalDocument>",
                      note),
            "");
  EXPECT_EQ(note.text, "Plan\nMr. Lee & wife\nrest\u00e9\n");
  EXPECT_EQ(note.id, "1.29");
  EXPECT_EQ(note.patient, "p/7");
  for (const char* bad : {"", "<a></a>", "<ClinicalDocument>", "<ClinicalDocument></b>",
                          "<ClinicalDocument></ClinicalDocument>", "<ClinicalDocument><!--"}) {
    Note wrong;
    EXPECT_NE(parse_cda(bad, wrong), "") << bad;
  }
}

TEST(ForeignNotes, OfFhirTheTextInsideIsRead) {
  std::vector<Note> notes;
  // "seen" in Base64 (RFC 4648).
  ASSERT_EQ(parse_fhir(R"({"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Patient"}},
      {"resource":{"resourceType":"DocumentReference","id":"d","subject":{"reference":"Patient/1"},
      "content":[{"attachment":{"contentType":"text/plain","data":"c2Vlbg=="}}]}}]})",
                       notes),
            "");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].text, "seen");
  EXPECT_EQ(notes[0].patient, "Patient/1");
  for (const char* bad :
       {"", "[]", "{}", R"({"resourceType":"DocumentReference"})",
        R"({"resourceType":"DocumentReference","content":[{"attachment":{"data":"!"}}]})"}) {
    EXPECT_NE(parse_fhir(bad, notes), "") << bad;
  }
}

TEST(ForeignNotes, MarkupOfAnAttachmentIsNotText) {
  std::vector<Note> notes;
  // <p>Mrs <b>Thack</b>eray &amp; son</p><p>3 < 4</p> in Base64.
  ASSERT_EQ(parse_fhir(R"({"resourceType":"DocumentReference","id":"d","content":[{"attachment":
      {"contentType":"text/html",
       "data":"PHA+TXJzIDxiPlRoYWNrPC9iPmVyYXkgJmFtcDsgc29uPC9wPjxwPjMgPCA0PC9wPg=="}}]})",
                       notes),
            "");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].text, "Mrs Thackeray & son\n3 < 4\n");
}

TEST(ForeignNotes, BinaryAndOtherEncodingsAreRefused) {
  Note note;
  EXPECT_EQ(parse_plain_text(std::string_view("a\0b", 3), note), "a binary file");
  EXPECT_EQ(parse_plain_text("\xFF", note), "not UTF-8");
  // M\xFCller with an en dash, as Windows writes it; and what is no text there either.
  std::string repaired;
  ASSERT_EQ(parse_plain_text("M\xFCller \x96 gut", note, &repaired), "");
  EXPECT_EQ(note.text, "M\u00fcller \u2013 gut");
  EXPECT_NE(repaired, "");
  EXPECT_EQ(parse_plain_text("a\x81", note, &repaired), "a binary file");
  EXPECT_EQ(parse_plain_text("\xFF\x01", note, &repaired), "a binary file");
  const std::string_view utf16("\xFF\xFEZ\0\x3D\xD8\x00\xDE", 8);  // Z and U+1F600
  ASSERT_EQ(parse_plain_text(utf16, note, &repaired), "");
  EXPECT_EQ(note.text, "Z\U0001F600");
  EXPECT_EQ(parse_plain_text(utf16.substr(0, 6), note, &repaired), "a binary file");
}

}  // namespace
}  // namespace pratique::notes::foreign_notes_test
