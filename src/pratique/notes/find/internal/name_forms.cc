#include "pratique/notes/find/internal/name_forms.h"

#include <algorithm>
#include <string>
#include <unordered_set>

namespace pratique::notes {
namespace {

using namespace words;  // NOLINT(google-build-using-namespace): its constants name kinds

bool is_known_abbreviation(const std::string& letters) {
  static const std::unordered_set<std::string_view> kOthers = {
      "md",  "rn",  "do",  "pa", "np",  "us",  "uk", "un",  "pm",  "am",  "po",  "iv",  "im",
      "sc",  "er",  "or",  "ct", "mri", "bp",  "hr", "rr",  "ekg", "ecg", "icu", "dob", "ssn",
      "mrn", "usa", "dc",  "ny", "la",  "nj",  "ad", "bc",  "bid", "tid", "qid", "prn", "npo",
      "hpi", "pmh", "ros", "gi", "gu",  "ent", "ed", "lpn", "jd",  "mba", "bs",  "ba",  "ms",
      "mph", "dpm", "dds", "ob", "gyn", "hiv", "ie", "eg",  "tb",  "ca",  "id",  "sr",  "jr",
      "phd", "ap",  "pt",  "ot", "od",  "os",  "ou", "ll",  "ls",  "lp",  "sa",  "kg",  "mg"};
  return kOthers.count(letters) > 0;
}

// J.R.S., and JRS elsewhere in the same text.
void add_initials(std::string_view text, const std::vector<NoteWord>& words,
                  std::vector<Span>& candidates) {
  std::unordered_set<std::string> met;
  const auto is_capital = [&](std::size_t i) {
    return i < text.size() && text[i] >= 'A' && text[i] <= 'Z';
  };
  for (std::size_t i = 0; i + 1 < words.size();) {
    std::size_t end = i;
    std::string letters;
    while (end < words.size() && words[end].end == words[end].start + 1 &&
           is_capital(words[end].start) && text.substr(words[end].end, 1) == "." &&
           (end == i || words[end].start == words[end - 1].end + 1))
      letters += words[end++].small;
    if (letters.size() < 2 || letters.size() > 4) {
      i = std::max(end, i + 1);
      continue;
    }
    const std::size_t behind = words[end - 1].end + 1;
    // J.R. Smith is a name of its own; e.g. A.B.C of something else.
    const bool goes_on = behind < text.size() && is_word_byte(text[behind]);
    const bool numbered =
        behind + 1 < text.size() && text[behind + 1] >= '0' && text[behind + 1] <= '9';
    if (!goes_on && !numbered && !is_known_abbreviation(letters)) {
      candidates.push_back({words[i].start, behind, "name", 0.55});
      if (letters.size() > 2) met.insert(letters);
    }
    i = end;
  }
  if (met.empty()) return;
  for (const NoteWord& word : words) {
    if (word.capitals && met.contains(word.small))
      candidates.push_back({word.start, word.end, "name", 0.55});
  }
}

// Whether M.D., RN or the like stands behind: a signature.
bool has_credentials(std::string_view behind) {
  if (behind.starts_with(",")) behind.remove_prefix(1);
  if (behind.starts_with(" ")) behind.remove_prefix(1);
  std::string letters;
  std::size_t at = 0;
  for (; at < behind.size() && letters.size() < 5; ++at) {
    if (behind[at] == '.') continue;
    if (!is_word_byte(behind[at])) break;
    letters += behind[at];
  }
  for (const char* credential :
       {"MD", "RN", "DO", "NP", "PA", "LPN", "PhD", "CRNA", "DDS", "DPM", "APRN", "MBBS"}) {
    if (letters == credential) return true;
  }
  return false;
}

// NAME: BREWER, WILL; RE: Mary Little; Black, M.D.: what a label announces and credentials follow
// is a name whatever else its words mean.
void add_labelled_names(std::string_view text, const std::vector<NoteWord>& words,
                        std::vector<Span>& candidates) {
  constexpr std::size_t kMostWords = 5;
  const auto is_capital = [&](const NoteWord& word) {
    return text[word.start] >= 'A' &&
           (text[word.start] <= 'Z' || static_cast<unsigned char>(text[word.start]) >= 0xC3);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool label =
        is_one_of(words[i].small,
                  {"name",    "patient",   "re",         "pt",       "client",     "member",
                   "insured", "guarantor", "subscriber", "ordering", "attending",  "referring",
                   "surgeon", "physician", "provider",   "author",   "submitting", "consultant",
                   "caller",  "informant", "assistant"});
    std::size_t from = i + 1;
    if (!label || from >= words.size() || !is_capital(words[i])) continue;
    const auto gap = text.substr(words[i].end, words[from].start - words[i].end);
    if (gap.find(':') == std::string_view::npos || gap.find('\n') != std::string_view::npos ||
        gap.find_first_not_of(" \t:>") != std::string_view::npos)
      continue;
    while (from + 1 < words.size() && is_title(words[from])) ++from;
    bool comma = false;
    bool named = false;
    std::size_t to = from;
    for (; to < words.size() && to < from + kMostWords && is_capital(words[to]); ++to) {
      if (to > from) {
        const auto between = text.substr(words[to - 1].end, words[to].start - words[to - 1].end);
        const bool is_comma = between == ", " || between == ",";
        if (between != " " && between != "-" && between != ". " && !is_comma) break;
        if (is_comma && comma) break;
        comma = comma || is_comma;
      }
      const bool other = is_one_of(words[to].small, {"dob", "mrn", "sex", "unit", "date", "age",
                                                     "md", "room", "acct", "medical", "record"});
      if (other) break;
      named = named || (words[to].kinds & kName) != 0 || words[to].kinds == 0;
    }
    if (to == from || (!named && !(comma && to - from <= 3))) continue;
    candidates.push_back({words[from].start, words[to - 1].end, "name", 0.9});
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_capital(words[i]) || words[i].small.size() < 3 || is_everyday(words[i]) ||
        ((words[i].kinds & (kMedical | kEnglish)) != 0 && (words[i].kinds & kName) == 0) ||
        !has_credentials(text.substr(words[i].end, 9)))
      continue;
    candidates.push_back({words[i].start, words[i].end, "name", 0.85, "clinician"});
  }
}

bool spelled_with_capital(std::string_view text, const NoteWord& word) {
  return text[word.start] >= 'A' &&
         (text[word.start] <= 'Z' || static_cast<unsigned char>(text[word.start]) >= 0xC3);
}

bool spelled_in_capitals(std::string_view text, const NoteWord& word) {
  return word.end - word.start > 2 &&
         std::none_of(text.begin() + static_cast<std::ptrdiff_t>(word.start),
                      text.begin() + static_cast<std::ptrdiff_t>(word.end),
                      [](char c) { return c >= 'a' && c <= 'z'; });
}

bool may_be_name(const NoteWord& word) {
  if (is_everyday(word) || is_month_or_day(word) || is_kin(word) || is_credential(word))
    return false;
  return (word.kinds & kName) != 0 || (word.kinds & (kEnglish | kMedical | kCapitals)) == 0;
}

// BREWER,WILL J; BLACKWOOD, S: a family name in capitals, a comma, and a given name or its initial.
void add_names_in_capitals(std::string_view text, const std::vector<NoteWord>& words,
                           std::vector<Span>& candidates) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const NoteWord& family = words[i];
    const NoteWord& given = words[i + 1];
    if (!spelled_in_capitals(text, family) || !may_be_name(family)) continue;
    const auto gap = text.substr(family.end, given.start - family.end);
    if ((gap != "," && gap != ", ") || !spelled_with_capital(text, given)) continue;
    const bool initial = given.end == given.start + 1;
    // In a list of findings a letter is no initial, nor is one of a drug with its dose behind.
    const auto long_enough = [](const NoteWord& word) {
      return word.small.size() > 3 || (word.kinds & kFrequent) != 0;
    };
    if (!initial && (!long_enough(family) || !long_enough(given))) continue;
    if (initial ? (family.kinds & kFamily) == 0 || (family.kinds & kMedical) != 0 ||
                      (given.end < text.size() && text[given.end] >= '0' && text[given.end] <= '9')
                : !spelled_in_capitals(text, given) || !may_be_name(given) ||
                      ((family.kinds | given.kinds) & kName) == 0)
      continue;
    std::size_t to = i + 2;
    while (to < words.size() && to < i + 4 && words[to].start == words[to - 1].end + 1 &&
           text[words[to - 1].end] == ' ' && spelled_with_capital(text, words[to]) &&
           (words[to].end == words[to].start + 1 || may_be_name(words[to])))
      ++to;
    candidates.push_back({family.start, words[to - 1].end, "name", initial ? 0.7 : 0.8});
  }
}

// SMITH JOHN 0034521; DOE JANE MARIE at the head of a line: given and family name, nothing else.
void add_names_of_headers(std::string_view text, const std::vector<NoteWord>& words,
                          std::vector<Span>& candidates) {
  constexpr std::size_t kMostWords = 4;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (!spelled_in_capitals(text, words[i])) continue;
    const bool begins =
        words[i].start == 0 || text[words[i].start - 1] == '\n' || text[words[i].start - 1] == '\t';
    std::size_t to = i;
    bool given = false;
    bool family = false;
    bool medical = false;
    while (
        to < words.size() && to < i + kMostWords &&
        (to == i || (words[to].start == words[to - 1].end + 1 && text[words[to - 1].end] == ' ')) &&
        (spelled_in_capitals(text, words[to]) ||
         (to > i && words[to].end == words[to].start + 1))) {
      given = given || ((words[to].kinds & kGiven) != 0 && (words[to].kinds & kFrequent) != 0);
      family = family || (words[to].kinds & kFamily) != 0;
      medical = medical || (words[to].kinds & (kMedical | kCapitals)) != 0 ||
                is_everyday(words[to]) ||
                ((words[to].kinds & kName) == 0 && words[to].small.size() > 1);
      ++to;
    }
    if (to - i > 1 && given && family && !medical) {
      const auto behind = text.substr(words[to - 1].end);
      const auto next = behind.find_first_not_of(" \t");
      const bool ends = next == std::string_view::npos || behind[next] == '\n' ||
                        behind[next] == '\r' || (behind[next] >= '0' && behind[next] <= '9') ||
                        behind[next] == '(' || behind[next] == '|';
      if (begins || ends)
        candidates.push_back(
            {words[i].start, words[to - 1].end, "name", begins && ends ? 0.75 : 0.55});
    }
    i = std::max(i, to - 1);
  }
}

// How many bytes an age with a sex or its unit takes: 91F, 46 M, 77 y/o; none: 0.
std::size_t age_and_sex(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  if (at < 1 || at > 3) return 0;
  if (at < text.size() && (text[at] == ' ' || text[at] == '/' || text[at] == '-')) ++at;
  for (const std::string_view unit : {"yo", "y/o", "YO", "Y/O", "yr", "M", "F"}) {
    if (!text.substr(at).starts_with(unit)) continue;
    const std::size_t end = at + unit.size();
    if (unit.size() > 1 || end == text.size() || !is_word_byte(text[end])) return end;
  }
  return 0;
}

// Dubois, R  67M
bool is_initial_of_name(std::string_view text, const std::vector<NoteWord>& words, std::size_t i) {
  if (i == 0 || words[i].end != words[i].start + 1 || !spelled_with_capital(text, words[i]))
    return false;
  const auto gap = text.substr(words[i - 1].end, words[i].start - words[i - 1].end);
  return (gap == ", " || gap == "," || gap == " ") && spelled_with_capital(text, words[i - 1]) &&
         words[i - 1].small.size() > 2 && may_be_name(words[i - 1]);
}

// 512-1 Gutierrez 77F; KOWALCZYK, DARIUSZ, 46 M: who has an age and a sex is a person.
void add_names_before_ages(std::string_view text, const std::vector<NoteWord>& words,
                           std::vector<Span>& candidates) {
  constexpr std::size_t kMostWords = 3;
  for (std::size_t last = 0; last < words.size(); ++last) {
    if (!spelled_with_capital(text, words[last])) continue;
    std::size_t behind = words[last].end;
    while (
        behind < text.size() && behind < words[last].end + 4 &&
        (text[behind] == ' ' || text[behind] == ',' || text[behind] == '(' || text[behind] == '\t'))
      ++behind;
    if (behind == words[last].end || age_and_sex(text.substr(behind)) == 0) continue;
    std::size_t first = last;
    while (first > 0 && last - first + 1 < kMostWords) {
      const auto gap = text.substr(words[first - 1].end, words[first].start - words[first - 1].end);
      if ((gap != " " && gap != ", " && gap != "-" && gap != ",") ||
          !spelled_with_capital(text, words[first - 1]) || !may_be_name(words[first - 1]))
        break;
      --first;
    }
    // Banks and Young are words, too: alone at a line's beginning, behind the number of a room.
    const auto line = text.rfind('\n', words[first].start) == std::string_view::npos
                          ? 0
                          : text.rfind('\n', words[first].start) + 1;
    const auto before = text.substr(line, words[first].start - line);
    const bool listed = before.size() < 12 && !before.empty() &&
                        before.find_first_of("0123456789") != std::string_view::npos &&
                        before.find(':') == std::string_view::npos;
    const bool initial = is_initial_of_name(text, words, last);
    if (initial && first == last) --first;
    const bool name = initial || (words[last].kinds & kName) != 0 || words[last].kinds == 0;
    if (!name || is_month_or_day(words[last]) || (words[last].kinds & kMedical) != 0) continue;
    if (!listed && !initial && (!may_be_name(words[last]) || (words[last].kinds & kEnglish) != 0))
      continue;
    candidates.push_back({words[first].start, words[last].end, "name", 0.75});
  }
}

// jbaker: yes, at 7: who writes in a chat, line after line.
void add_chat_names(std::string_view text, const std::vector<NoteWord>& words,
                    std::vector<Span>& candidates) {
  std::vector<const NoteWord*> speakers;
  for (const NoteWord& word : words) {
    const auto line = word.start == 0 ? 0 : text.rfind('\n', word.start - 1) + 1;
    auto before = text.substr(line, word.start - line);
    if (before.find_first_not_of("[]0123456789:apmAPM ()_-") != std::string_view::npos) continue;
    if (text.substr(word.end, 2) != ": " || word.kinds != 0 || word.capitals ||
        word.small.size() < 4)
      continue;
    speakers.push_back(&word);
  }
  if (speakers.size() < 2) return;
  for (const NoteWord* word : speakers)
    candidates.push_back({word->start, word->end, "name", 0.55});
}

}  // namespace

// Ms. Dunmore, 41, and Mr. Yates (59): what stands behind a name between commas or brackets.
void add_ages_of_names(std::string_view text, std::vector<Span>& candidates) {
  constexpr double kSure = 0.6;
  const std::size_t count = candidates.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Span& name = candidates[i];
    if (name.type != "name" || name.certainty < kSure) continue;
    std::size_t at = name.end;
    bool comma = false;
    bool open = false;
    while (at < text.size() && at < name.end + 3 &&
           (text[at] == ' ' || text[at] == ',' || text[at] == '(' || text[at] == ')')) {
      comma = comma || text[at] == ',';
      open = open || text[at] == '(';
      ++at;
    }
    bool is = false;
    for (const std::string_view verb :
         {"is ", "was ", "now ", "is now ", "aged ", "age ", "turned "}) {
      if (text.substr(at).starts_with(verb) && at > name.end) {
        at += verb.size();
        is = true;
        break;
      }
    }
    if (!comma && !open && !is) continue;
    const std::size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    if (at == start || at - start > 3 || (at - start == 3 && text[start] != '1')) continue;
    const auto behind = text.substr(at, 8);
    const bool closed =
        open
            ? behind.starts_with(")") || behind.starts_with(",") || behind.starts_with("y") ||
                  behind.starts_with(" y")
            : behind.empty() || (is && (behind.starts_with(".") || behind.starts_with(" and"))) ||
                  behind.starts_with(", ") || behind.starts_with(".\n") || behind.starts_with("; ");
    const bool sex =
        behind.size() > 1 && (behind[0] == 'M' || behind[0] == 'F') && !is_word_byte(behind[1]);
    if (closed || sex) candidates.push_back({start, at, "age", 0.7});
  }
}

void add_names_by_form(std::string_view text, const std::vector<NoteWord>& words,
                       std::vector<Span>& candidates) {
  add_labelled_names(text, words, candidates);
  add_initials(text, words, candidates);
  add_names_in_capitals(text, words, candidates);
  add_names_of_headers(text, words, candidates);
  add_names_before_ages(text, words, candidates);
  add_chat_names(text, words, candidates);
}

}  // namespace pratique::notes
