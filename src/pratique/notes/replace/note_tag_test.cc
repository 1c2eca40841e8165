#include "pratique/notes/replace/note_tag.h"

#include <gtest/gtest.h>

#include "pratique/notes/replace/replacer.h"
#include "pratique/verify/text_identifiers.h"

namespace pratique::notes::note_tag_test {
namespace {

TEST(NoteTag, TagsAreFoundAndNothingElse) {
  const std::string text = "**NAME[ABC, DEF M] of **PLACE, **STRONG, ** NAME, **DATE[2011]. 2**3";
  std::vector<std::string> found;
  for (const Span& tag : tags_in(text))
    found.push_back(text.substr(tag.start, tag.end - tag.start));
  EXPECT_EQ(found, (std::vector<std::string>{"**NAME[ABC, DEF M]", "**PLACE", "**DATE[2011]"}));
}

TEST(NoteTag, LettersAreTheSameNameInAllNotesOfAPatient) {
  const NoteKey key("");
  const Surrogates one(key, "p1");
  const Surrogates other(key, "p2");
  const std::string smith = surrogate_of_tag("**NAME[ABC]", "n1 0", one);
  EXPECT_EQ(surrogate_of_tag("**NAME[ABC]", "n2 7", one), smith);
  EXPECT_EQ(surrogate_of_tag("**NAME[ABC, DEF]", "n2 7", one).substr(0, smith.size() + 2),
            smith + ", ");
  int same = 0;
  for (const char* letters : {"AAA", "ABA", "ACA", "ADA", "AEA", "AFA", "AGA", "AHA"}) {
    const std::string tag = std::string("**NAME[") + letters + "]";
    same += surrogate_of_tag(tag, "", one) == surrogate_of_tag(tag, "", other) ? 1 : 0;
  }
  EXPECT_LT(same, 4);  // by another patient's key
}

TEST(NoteTag, TaggedTextBecomesSurrogatesThatTheVerifierKnows) {
  const NoteKey key("");
  const Note note{.id = "1",
                  .text =
                      "Mr. **NAME[ABC], **AGE[over 89], of **STREET-ADDRESS, **PLACE **ZIP-CODE, "
                      "**PHONE, **SSN, **ID-NUM, **EMAIL, seen **DATE[2011]; **IP-ADDRESS",
                  .patient = "p"};
  for (const auto replace : {Replace::tags, Replace::surrogates}) {
    const auto rules = ReplacementRules::of(Mode::full, replace, {}, {});
    const auto replaced = Replacer(rules, key).replace(note, tags_in(note.text)).text;
    if (replace == Replace::tags) {
      EXPECT_EQ(replaced, note.text);
      continue;
    }
    EXPECT_EQ(replaced.find("**"), std::string::npos) << replaced;
    EXPECT_NE(replaced.find("seen 2011"), std::string::npos) << replaced;
    for (const auto& left : verify::identifiers_in_note(replaced, true))
      EXPECT_TRUE(left.type == "name" || left.type == "exact-age") << left.type << replaced;
  }
}

}  // namespace
}  // namespace pratique::notes::note_tag_test
