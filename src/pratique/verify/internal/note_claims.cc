// {"model": "identifiers-removed", "types": ["name", "date", ...], "surrogates": false}, of notes
// as JSON lines: no text has what text_identifiers.h finds of these types, ids are pseudonyms and
// all different, and no line has more than id, patient and text. What no shape gives away (a name
// that no title announces, a place) nobody can find without a list: the claim says nothing of it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_set>

#include "pratique/core/file.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/text_identifiers.h"

namespace pratique::verify {
namespace {

// 32 digits of a pseudonym: nothing of an id that somebody gave.
bool is_note_pseudonym(const Json& value) {
  if (!value.is_string()) return false;
  const auto text = value.get<std::string>();
  return text.size() == 32 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

struct ReleasedNotes {
  const std::set<std::string, std::less<>>& types;
  bool surrogates = false;
  std::uint64_t notes = 0, left = 0, malformed = 0, repeated = 0;
  std::map<std::string, std::uint64_t, std::less<>> by_type = {};
  std::unordered_set<std::string> ids = {};

  void look_at(std::string_view line) {
    if (line.empty()) return;
    ++notes;
    const Json note = Json::parse(line, nullptr, false);
    bool plain = note.is_object() && note.contains("id") && is_note_pseudonym(note["id"]) &&
                 note.contains("text") && note["text"].is_string();
    if (plain) {
      for (const auto& [key, value] : note.items()) {
        plain = plain &&
                (key == "id" || key == "text" || (key == "patient" && is_note_pseudonym(value)));
      }
    }
    if (!plain) {
      ++malformed;
      return;
    }
    if (!ids.insert(note["id"].get<std::string>()).second) ++repeated;
    const auto text = note["text"].get<std::string>();
    for (const auto& found : identifiers_in_note(text, surrogates)) {
      if (!types.contains(found.type)) continue;
      ++left;
      ++by_type[std::string(found.type)];
    }
  }
};

}  // namespace

ClaimResult check_identifiers_removed(const ClaimContext& context) {
  const auto names = names_in(context.claim, "types");
  if (names.empty()) throw malformed("a claim about no type of identifier");
  const std::set<std::string, std::less<>> types(names.begin(), names.end());
  ReleasedNotes notes{types, context.claim.value("surrogates", false)};
  std::string rest;
  read_in_blocks(
      context.release.files.front(),
      [&](std::string_view block) {
        for (auto end = block.find('\n'); end != std::string_view::npos; end = block.find('\n')) {
          rest += block.substr(0, end);
          notes.look_at(rest);
          rest.clear();
          block.remove_prefix(end + 1);
        }
        rest += block;
      },
      context.progress);
  notes.look_at(rest);
  ClaimResult result;
  result.required = 0;
  result.achieved = static_cast<double>(notes.left + notes.malformed + notes.repeated);
  result.holds = notes.notes > 0 && result.achieved == 0;
  if (notes.notes == 0) {
    result.explanation = "the release has no note, so there was nothing to look at";
  } else if (notes.malformed > 0) {
    result.explanation =
        fmt::format("{} lines are no note with a pseudonym and a text alone", notes.malformed);
  } else if (notes.repeated > 0) {
    result.explanation = fmt::format("{} notes have the id of another", notes.repeated);
  } else if (notes.left > 0) {
    std::string kinds;
    for (const auto& [type, count] : notes.by_type)
      kinds += (kinds.empty() ? "" : ", ") + fmt::format("{} {}", count, type);
    result.explanation = fmt::format("identifiers are left in the text: {}", kinds);
  } else {
    result.explanation =
        fmt::format("none of {} notes has what the rules of the verifier recognise as {}",
                    notes.notes, fmt::join(names, ", "));
  }
  return result;
}

}  // namespace pratique::verify
