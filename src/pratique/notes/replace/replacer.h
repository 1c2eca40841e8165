// What stands in a released text in the place of an identifier.
//
//   tags        DE-ID's form (Gupta et al. 2004): **NAME[AAA, BBB M], **DATE[2011], **AGE[over 89].
//               A word of a name is the same three letters in all notes of its patient (of all
//               notes, where no patient is known), by the key and nothing else.
//   surrogates  plausible values in the same form. Names keep their sex, and a word is the same
//               other word in all notes of its patient. Numbers are such as nobody has: telephones
//               555-01xx, addresses at example.org (RFC 2606), networks of RFC 5737, all others
//               begin with 000. So whoever reads the release can tell a number that was missed, and
//               the verifier does; names and places cannot be told from originals.
//   suppress    ***
//   generalise  dates become years, ZIP codes three digits where more than 20,000 people live and
//               000 elsewhere, ages 90 and over "over 89"; of all others nothing is left but a tag.
//
// In full, Safe Harbor (45 CFR 164.514(b)(2)(i)) decides: years, ages under 90, states and
// countries stay, and dates of surrogates are years, since a date that was moved is still a date. A
// year 90 or more before the last that the note names (before 1936, where it names no other) tells
// an age over 89 and goes.
// Hospitals and clinicians go only when asked for. In partial the limited data set (164.514(e))
// does, or whoever names types: dates, ages, cities and ZIP codes stay, and with surrogates all
// dates of a patient (of a note, where none is named) move by the same -365 to -1 days or 1 to 365,
// so that intervals are kept.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/notes/note.h"
#include "pratique/notes/replace/note_key.h"

namespace pratique::notes {

enum class Mode { full, partial, statistical };
enum class Replace { tags, surrogates, suppress, generalise };

struct ReplacementRules {
  Mode mode = Mode::full;
  Replace replace = Replace::tags;
  std::set<std::string, std::less<>> types;  // that go; clinician is one here
  bool origin = false;  // surrogate names are of the language that the name is of

  // Those of the mode, and `also`. `only`, where it is not empty, is all that goes.
  static ReplacementRules of(Mode mode, Replace replace, const std::vector<std::string>& also,
                             const std::vector<std::string>& only);
  // What the verifier can look for in the release, by the names of verify/text_identifiers.h.
  [[nodiscard]] std::vector<std::string> verifiable() const;
};

// What mentions become in a text of the statistical mode; empty: a tag.
struct GeneralisedMentions {
  std::string age, zip, year;
};

struct ReplacedNote {
  std::string text;
  std::map<std::string, std::uint64_t> by_type;  // what was replaced
  std::uint64_t second_look = 0;                 // of it, what only the verifier's rules had found
};

class Replacer {
 public:
  Replacer(ReplacementRules rules, const NoteKey& key) : rules_(std::move(rules)), key_(key) {}

  // `spans` in order and apart.
  [[nodiscard]] ReplacedNote replace(const Note& note, const std::vector<Span>& spans,
                                     const GeneralisedMentions* mentions = nullptr) const;
  // Whether a span is one that goes.
  [[nodiscard]] bool goes(std::string_view text, const Span& span, int from_year = 0) const;

 private:
  // Years before `from_year` tell an age over 89 and are not written.
  [[nodiscard]] std::string replacement(const Note& note, const Span& span,
                                        const GeneralisedMentions* mentions, int from_year) const;
  [[nodiscard]] std::string tag_of(const Note& note, const Span& span, std::string_view text,
                                   int from_year) const;
  [[nodiscard]] std::string generalised(const Note& note, const Span& span, std::string_view text,
                                        int from_year) const;
  [[nodiscard]] std::string surrogate_of(const Note& note, const Span& span, std::string_view text,
                                         int from_year) const;

  ReplacementRules rules_;
  const NoteKey& key_;
};

}  // namespace pratique::notes
