// Any bytes are notes in a foreign form, or are refused in words; spans are inside their text. The
// first byte says which form.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "pratique/notes/format/foreign_notes.h"

namespace {

void require_inside(const pratique::notes::Note& note) {
  for (const auto& span : note.spans) {
    if (span.start >= span.end || span.end > note.text.size()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pratique::notes;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Note note;
  switch (data[0] % 4) {
    case 'a' % 4:
      note.text =
          "Zo\xCC\x88"
          "e M\xC3\xBCller came on 3/14/2011.\r\n";
      if (parse_brat(text, note).empty()) require_inside(note);
      break;
    case 'b' % 4:
      (void)parse_cda(text, note);
      break;
    case 'c' % 4: {
      std::vector<Note> notes;
      (void)parse_fhir(text, notes);
      break;
    }
    default:
      if (parse_inline_tags(text, note).empty()) require_inside(note);
  }
  return 0;
}
