// Notes in forms that others write. Each parser turns bytes into notes, or says in plain words what
// is wrong without quoting it.
//
//   text      a file is a note. Annotations are brat's (a file .ann beside it: "T1<TAB>name 0
//             4<TAB>Mary", in code points; fragments 0 4;6 9 are a span each) or stand in the text:
//             <NAME>Mary</NAME>
//   CDA       the narrative of an HL7 Clinical Document: titles and texts of its sections. Nothing
//   of
//             the header becomes text: it holds identifiers.
//   FHIR      DocumentReference with its text inside (attachment.data, Base64), alone, in a Bundle,
//   or
//             a resource per line
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pratique/notes/note.h"

namespace pratique::notes {

// Empty: it is fine, and the notes were added. Text that is not UTF-8 is read as Windows-1252, as
// UTF-16 where it begins with its mark, and `repaired` says so; a NUL or another control character
// makes a file binary.
[[nodiscard]] std::string parse_plain_text(std::string_view bytes, Note& note,
                                           std::string* repaired = nullptr);
// Reads annotations into the note's spans, in bytes. Its text is there already.
[[nodiscard]] std::string parse_brat(std::string_view annotations, Note& note);
// Takes <TYPE>...</TYPE> out of the text, where TYPE is a type of span in any case.
[[nodiscard]] std::string parse_inline_tags(std::string_view tagged, Note& note);
[[nodiscard]] std::string parse_cda(std::string_view xml, Note& note);
// Of one resource, or a Bundle of them. Resources that are no DocumentReference are passed over.
[[nodiscard]] std::string parse_fhir(std::string_view json, std::vector<Note>& notes);

// T1<TAB>name 0 4<TAB>Mary, a line per span.
[[nodiscard]] std::string to_brat(const Note& note, const std::vector<Span>& spans);
// The text with <NAME>...</NAME> around spans.
[[nodiscard]] std::string to_inline_tags(std::string_view text, const std::vector<Span>& spans);

}  // namespace pratique::notes
