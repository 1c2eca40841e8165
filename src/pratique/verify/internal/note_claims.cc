// {"model": "identifiers-removed", "types": ["name", "date", ...], "surrogates": false}, of notes
// as JSON lines: no text has what text_identifiers.h finds of these types, ids are pseudonyms and
// all different, and no line has more than id, patient and text. What no shape gives away (a name
// that no title announces, a place) nobody can find without a list: the claim says nothing of it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
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

template <class Take>
void each_released_line(const ClaimContext& context, const Take& take) {
  std::string rest;
  read_in_blocks(
      context.release.files.front(),
      [&](std::string_view block) {
        for (auto end = block.find('\n'); end != std::string_view::npos; end = block.find('\n')) {
          rest += block.substr(0, end);
          take(rest);
          rest.clear();
          block.remove_prefix(end + 1);
        }
        rest += block;
      },
      context.progress);
  take(rest);
}

struct ReleasedNotes {
  const std::set<std::string, std::less<>>& types;
  bool surrogates = false;
  bool view = false;  // another claim holds the rows of the view
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
                (key == "id" || key == "text" || (key == "view" && view && value.is_object()) ||
                 (key == "patient" && is_note_pseudonym(value)));
      }
    }
    if (!plain) {
      ++malformed;
      return;
    }
    if (!ids.insert(note["id"].get<std::string>()).second) ++repeated;
    const auto text = note["text"].get<std::string>();
    for (const auto& identifier : identifiers_in_note(text, surrogates)) {
      if (!types.contains(identifier.type)) continue;
      ++left;
      ++by_type[std::string(identifier.type)];
    }
  }
};

}  // namespace

ClaimResult check_identifiers_removed(const ClaimContext& context) {
  const auto names = names_in(context.claim, "types");
  if (names.empty()) throw malformed("a claim about no type of identifier");
  const std::set<std::string, std::less<>> types(names.begin(), names.end());
  ReleasedNotes notes{types, context.claim.value("surrogates", false),
                      context.claim.value("view", false)};
  each_released_line(context, [&](const std::string& line) { notes.look_at(line); });
  ClaimResult result;
  result.required = 0;
  result.achieved = static_cast<double>(notes.left + notes.malformed + notes.repeated);
  result.holds = notes.notes > 0 && result.achieved == 0;
  if (notes.notes == 0) {
    result.explanation = "the release has no note, so there was nothing to look at";
  } else if (notes.malformed > 0) {
    result.explanation =
        fmt::format("{} lines are not a note with a pseudonym and a text alone", notes.malformed);
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

// {"model": "view-k-anonymity", "k": 5, "l": 1, "view": ["age", "sex", "zip", "year"], "sensitive":
// "diagnosis"}: every note tells its patient and the patient's row of the view; all notes of a
// patient have the same row; every row that is equal in the columns of the view is that of at least
// k patients, who have at least l different sensitive values.
ClaimResult check_view(const ClaimContext& context) {
  const auto k = static_cast<std::uint64_t>(whole_in(context.claim, "k"));
  const auto l = static_cast<std::uint64_t>(whole_in(context.claim, "l"));
  const auto columns = names_in(context.claim, "view");
  const std::string sensitive = text_in(context.claim, "sensitive");
  if (columns.empty()) throw malformed("a view without columns");
  std::map<std::string, std::pair<std::string, std::string>> rows;  // patient -> cells, secret
  std::uint64_t wrong = 0;
  each_released_line(context, [&](const std::string& line) {
    if (line.empty()) return;
    const Json note = Json::parse(line, nullptr, false);
    if (!note.is_object() || !note.contains("patient") || !is_note_pseudonym(note["patient"]) ||
        !note.contains("view") || !note["view"].is_object() ||
        note["view"].size() != columns.size() + 1) {
      ++wrong;
      return;
    }
    Json cells = Json::array();
    bool all = note["view"].contains(sensitive) && note["view"][sensitive].is_string();
    for (const auto& column : columns) {
      all = all && note["view"].contains(column) && note["view"][column].is_string();
      cells.push_back(note["view"].value(column, Json()));
    }
    if (!all) ++wrong;
    const std::pair told{cells.dump(), note["view"].value(sensitive, Json()).dump()};
    const auto [row, is_new] = rows.emplace(note["patient"].get<std::string>(), told);
    if (!is_new && row->second != told) ++wrong;
  });
  std::map<std::string, std::pair<std::uint64_t, std::set<std::string>>> classes;
  for (const auto& [patient, row] : rows) {
    auto& [people, secrets] = classes[row.first];
    ++people;
    secrets.insert(row.second);
  }
  ClaimResult result;
  result.required = static_cast<double>(k);
  std::uint64_t smallest = rows.size();
  std::uint64_t least = rows.size();
  for (const auto& [cells, members] : classes) {
    smallest = std::min<std::uint64_t>(smallest, members.first);
    least = std::min<std::uint64_t>(least, members.second.size());
  }
  result.achieved = static_cast<double>(smallest);
  result.holds = wrong == 0 && !rows.empty() && smallest >= k && least >= l;
  if (wrong > 0) {
    result.explanation = fmt::format("{} notes have no row of the view, or another one", wrong);
  } else if (rows.empty()) {
    result.explanation = "the release has no note";
  } else {
    result.explanation = fmt::format(
        "{} patients in {} classes of the view, of at least {} patients with at least {} "
        "diagnoses; the text itself is not k-anonymous",
        rows.size(), classes.size(), smallest, least);
  }
  return result;
}

}  // namespace pratique::verify
