#include "pratique/notes/replace/replacer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pratique/columns/zip_areas.h"
#include "pratique/core/ascii.h"
#include "pratique/notes/replace/note_date.h"
#include "pratique/notes/replace/note_tag.h"
#include "pratique/notes/replace/surrogates.h"
#include "pratique/verify/text_identifiers.h"
#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

constexpr std::string_view kNothing = "***";

int first_number(std::string_view text) {
  const auto at = text.find_first_of("0123456789");
  int value = -1;
  for (auto i = at; i < text.size() && is_digit(text[i]) && i < at + 6; ++i)
    value = std::max(value, 0) * 10 + (text[i] - '0');
  return value;
}

bool is_year_alone(std::string_view text) {
  return text.size() == 4 && std::all_of(text.begin(), text.end(), is_digit) &&
         (text.starts_with("18") || text.starts_with("19") || text.starts_with("20"));
}

// A ZIP code in the text: its five digits.
std::string_view zip_in(std::string_view text) {
  for (std::size_t i = 0; i + 5 <= text.size(); ++i) {
    const auto digits = text.substr(i, 5);
    if (std::all_of(digits.begin(), digits.end(), is_digit) &&
        (i + 5 == text.size() || !is_digit(text[i + 5])) && (i == 0 || !is_digit(text[i - 1])))
      return digits;
  }
  return {};
}

bool is_street(std::string_view text) {
  if (text.empty() || !is_digit(text[0])) {
    const std::string small = words::folded(text);
    // Lindenstraße 44b: a name and the number of a house
    std::size_t number = small.find_last_not_of("abcdefgh ");
    while (number != std::string::npos && number > 0 && is_digit(small[number])) --number;
    if (number != std::string::npos && number + 1 < small.size() && is_digit(small[number + 1]) &&
        number > 0 && zip_in(text).empty())
      return true;
    for (const char* word : {" st", " street", " ave", " road", " rd", "strasse", "straße", "rue ",
                             "via ", "calle ", "box ", "apt", "suite", "weg ", "laan", "str."}) {
      if (small.find(word) != std::string::npos) return true;
    }
    return false;
  }
  return zip_in(text).size() != text.size();
}

// A state of the United States or a country and nothing smaller: counties, cantons and districts
// that lists of regions have are smaller than a state.
bool is_wide_place(std::string_view text) {
  static const std::set<std::string> kWide = [] {
    std::set<std::string> all;
    for (const auto list : {words::List::regions, words::List::countries}) {
      for (const auto name : words::list(list)) all.insert(words::folded(name));
    }
    for (const char* name :
         {"usa", "us", "u.s", "uk", "england", "scotland", "wales", "al", "ak", "az", "ar", "ca",
          "co",  "ct", "de",  "fl", "ga",      "hi",       "id",    "il", "in", "ia", "ks", "ky",
          "la",  "me", "md",  "ma", "mi",      "mn",       "ms",    "mo", "mt", "ne", "nv", "nh",
          "nj",  "nm", "ny",  "nc", "nd",      "oh",       "ok",    "or", "pa", "ri", "sc", "sd",
          "tn",  "tx", "ut",  "vt", "va",      "wa",       "wv",    "wi", "wy"})
      all.insert(name);
    return all;
  }();
  return (words::kinds_of(text) & words::kTown) == 0 && kWide.contains(words::folded(text));
}

// What an age says, in digits or in words: over 89, or not.
bool is_age_over_89(std::string_view text) {
  if (const int years = first_number(text); years >= 0) return years > 89;
  const std::string small = words::folded(text);
  return small.starts_with("ninet")
             ? !small.starts_with("nineteen")
             : small.find("hundred") != std::string::npos || small.starts_with("nonagen") ||
                   small.starts_with("centen");
}

// 96 weeks old, 18 mo: what is told in parts of a year is no great age.
bool is_told_in_parts_of_year(std::string_view behind) {
  while (behind.starts_with(" ") || behind.starts_with("-")) behind.remove_prefix(1);
  const std::string unit = words::folded(behind.substr(0, 5));
  for (const char* part : {"month", "week", "day", "mo", "wk", "hour", "min"}) {
    if (unit.starts_with(part)) return true;
  }
  return false;
}

std::string word_of_type(const Span& span, std::string_view text) {
  static const std::map<std::string, std::string, std::less<>> kWords = {
      {"mrn", "ID-NUM"},
      {"account", "ID-NUM"},
      {"plan", "ID-NUM"},
      {"licence", "ID-NUM"},
      {"vehicle", "ID-NUM"},
      {"device", "DEVICE-ID"},
      {"id", "ID-NUM"},
      {"ip", "IP-ADDRESS"},
      {"url", "WEB-LOC"},
      {"hospital", "INSTITUTION"},
      {"organisation", "INSTITUTION"}};
  if (const auto entry = kWords.find(span.type); entry != kWords.end()) return entry->second;
  if (span.type == "location") {
    return is_street(text) ? "STREET-ADDRESS" : !zip_in(text).empty() ? "ZIP-CODE" : "PLACE";
  }
  std::string upper;
  for (const char c : span.type) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return upper;
}

std::string tag_without_content(const Span& span, std::string_view text) {
  return "**" + word_of_type(span, text);
}

// Words of a name without titles; initials keep their length.
std::vector<std::string_view> name_words(std::string_view text) {
  std::vector<std::string_view> result;
  for (std::size_t at = 0; at < text.size();) {
    const auto is_part = [&](std::size_t i) {
      const auto c = static_cast<unsigned char>(text[i]);
      return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(text[i]);
    };
    const std::size_t start = at;
    while (at < text.size() && is_part(at)) ++at;
    if (at > start) result.push_back(text.substr(start, at - start));
    while (at < text.size() && !is_part(at)) ++at;
  }
  return result;
}

// Forms of address at the beginning of a name: they stay.
std::size_t title_length(std::string_view text) {
  std::size_t length = 0;
  for (bool more = true; more;) {
    more = false;
    for (const char* title : {"dr", "mr", "mrs", "ms", "miss", "prof", "professor", "doctor", "sir",
                              "madam", "mx", "herr", "frau", "mme", "rev"}) {
      const std::string_view word(title);
      const auto rest = text.substr(length);
      if (rest.size() <= word.size() || words::folded(rest.substr(0, word.size())) != word)
        continue;
      std::size_t end = word.size();
      while (end < rest.size() && (rest[end] == '.' || rest[end] == ' ')) ++end;
      if (end == word.size() || end == rest.size()) continue;
      length += end;
      more = true;
      break;
    }
  }
  return length;
}

// The first year that does not tell an age over 89: 90 years before the last that the note names.
int first_year_told(std::string_view text, const std::vector<Span>& spans) {
  constexpr int kOldest = 89;
  constexpr int kNoOther = 1936;  // of a note that names no year but this
  int last = 0;
  int first = 9999;
  for (const Span& span : spans) {
    if (span.type != "date") continue;
    if (const auto year = year_in(text.substr(span.start, span.end - span.start))) {
      last = std::max(last, *year);
      first = std::min(first, *year);
    }
  }
  return last == first ? kNoOther : last - kOldest;
}

const std::string kNoCell;

std::string three_letters(std::uint64_t number) {
  std::string letters;
  for (int i = 0; i < 3; ++i) {
    letters += static_cast<char>('A' + number % 26);
    number /= 26;
  }
  return letters;
}

}  // namespace

ReplacementRules ReplacementRules::of(Mode mode, Replace replace,
                                      const std::vector<std::string>& also,
                                      const std::vector<std::string>& only) {
  ReplacementRules rules{.mode = mode, .replace = replace, .types = {}, .origin = false};
  if (!only.empty()) {
    rules.types.insert(only.begin(), only.end());
  } else {
    rules.types = {"name",    "location", "phone", "fax",         "email", "url",
                   "ip",      "ssn",      "mrn",   "account",     "plan",  "licence",
                   "vehicle", "device",   "id",    "organisation"};
    if (mode != Mode::partial) rules.types.insert({"age", "date"});
    if (mode == Mode::partial && replace == Replace::surrogates) rules.types.insert("date");
  }
  rules.types.insert(also.begin(), also.end());
  return rules;
}

std::vector<std::string> ReplacementRules::verifiable() const {
  std::vector<std::string> result;
  const bool surrogates = replace == Replace::surrogates;
  const auto add = [&](const char* theirs, const char* ours) {
    if (types.contains(ours)) result.emplace_back(theirs);
  };
  add("email", "email");
  add("url", "url");
  add("ip", "ip");
  add("ssn", "ssn");
  add("phone", "phone");
  add("id", "id");
  if (!(mode == Mode::partial && surrogates)) add("date", "date");
  add("age", "age");
  if (mode == Mode::statistical) result.emplace_back("exact-age");
  if (mode != Mode::partial) add("zip", "location");
  if (!surrogates) {
    add("name", "name");
    add("clinician", "clinician");
  }
  return result;
}

bool Replacer::goes(std::string_view text, const Span& span, int from_year) const {
  const auto content = text.substr(span.start, span.end - span.start);
  if (span.type == kTagType) return rules_.replace == Replace::surrogates;
  const bool clinician = span.type == "name" && span.detail == "clinician";
  if (!rules_.types.contains(clinician ? "clinician" : span.type)) return false;
  // A title alone tells nobody: Mr. of Mr. Smith, where somebody marked Smith.
  if (span.type == "name" && title_length(std::string(content) + " x") >= content.size())
    return false;
  // The view has its own words for all of these.
  if (rules_.mode == Mode::statistical && (span.type == "date" || span.type == "age")) return true;
  if (span.type == "date") {
    return !is_year_alone(content) || rules_.mode == Mode::partial ||
           first_number(content) < from_year;
  }
  if (span.type == "age") {
    return is_age_over_89(content) && !is_told_in_parts_of_year(text.substr(span.end, 8)) &&
           !is_told_in_parts_of_year(content.substr(content.find_last_of("0123456789") + 1));
  }
  if (span.type == "location") {
    if (is_wide_place(content)) return false;
    // A limited data set keeps cities, states and ZIP codes.
    if (rules_.mode == Mode::partial) return is_street(content);
  }
  return true;
}

std::string Replacer::tag_of(const Note& note, const Span& span, std::string_view text,
                             int from_year) const {
  std::string content;
  if (span.type == "name") {
    // In the order of the text, as DE-ID has it: AAA, BBB M and BBB AAA are one person.
    const auto parts = name_words(text);
    const bool family_first = text.find(',') != std::string_view::npos;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::uint64_t drawn = key_.number("letters", note.patient, words::folded(parts[i]));
      if (i > 0) content += i == 1 && family_first ? ", " : " ";
      content += parts[i].size() == 1 ? std::string(1, static_cast<char>('A' + drawn % 26))
                                      : three_letters(drawn);
    }
  } else if (span.type == "date") {
    if (const auto year = year_in(text); year && *year >= from_year)
      content = fmt::format("{}", *year);
  } else if (span.type == "age") {
    content = "over 89";
  }
  const std::string word = word_of_type(span, text);
  return content.empty() ? "**" + word : fmt::format("**{}[{}]", word, content);
}

std::string Replacer::generalised(const Note& note, const Span& span, std::string_view text,
                                  int from_year) const {
  if (span.type == "date") {
    if (const auto year = year_in(text); year && *year >= from_year)
      return fmt::format("{}", *year);
  }
  if (span.type == "age") return "over 89";
  if (span.type == "location") {
    if (const auto zip = zip_in(text); !zip.empty()) {
      const auto area = zip.substr(0, 3);
      return columns::has_over_20000_people(area) ? std::string(area) : "000";
    }
  }
  return tag_of(note, span, text, from_year);
}

std::string Replacer::surrogate_of(const Note& note, const Span& span, std::string_view text,
                                   int from_year) const {
  const Surrogates surrogates(key_, note.patient, rules_.origin);
  if (span.type == kTagType)
    return surrogate_of_tag(text, fmt::format("{} {}", note.id, span.start), surrogates);
  if (span.type == "name") return surrogates.name(text);
  if (span.type == "location") return surrogates.place(text);
  if (span.type == "hospital") return surrogates.hospital(text);
  if (span.type == "organisation") return surrogates.organisation(text);
  if (span.type == "phone" || span.type == "fax") return surrogates.phone(text);
  if (span.type == "email") return surrogates.email(text);
  if (span.type == "url") return "https://www.example.org/";
  if (span.type == "ip") return surrogates.ip(text);
  if (span.type == "age") return "over 89";
  if (span.type == "date") {
    if (rules_.mode == Mode::partial) {
      // Were notes of nobody in particular moved alike, one known date would tell all others.
      const std::string whose = note.patient.empty() ? "note " + note.id : note.patient;
      if (auto moved = moved_by(text, Surrogates(key_, whose).days())) return *moved;
      if (is_year_alone(text)) return std::string(text);
      // The year of what cannot be moved would tell how far the others were.
      return tag_without_content(span, text);
    } else if (const auto year = year_in(text); year && *year >= from_year) {
      return fmt::format("{}", *year);
    }
    return tag_of(note, span, text, from_year);
  }
  if (span.type == "profession") return tag_of(note, span, text, from_year);
  return surrogates.number(text);
}

std::string Replacer::replacement(const Note& note, const Span& span,
                                  const GeneralisedMentions* mentions, int from_year) const {
  const auto text = std::string_view(note.text).substr(span.start, span.end - span.start);
  if (mentions != nullptr) {
    const std::string& cell = span.type == "age"                                 ? mentions->age
                              : span.type == "date"                              ? mentions->year
                              : span.type == "location" && !zip_in(text).empty() ? mentions->zip
                                                                                 : kNoCell;
    return cell.empty() || cell == "*" ? tag_without_content(span, text) : cell;
  }
  switch (rules_.replace) {
    case Replace::tags:
      return tag_of(note, span, text, from_year);
    case Replace::surrogates:
      return surrogate_of(note, span, text, from_year);
    case Replace::suppress:
      return std::string(kNothing);
    case Replace::generalise:
      return generalised(note, span, text, from_year);
  }
  return std::string(kNothing);
}

ReplacedNote Replacer::replace(const Note& note, const std::vector<Span>& spans,
                               const GeneralisedMentions* mentions) const {
  ReplacedNote result;
  const int from_year = rules_.mode == Mode::partial ? 0 : first_year_told(note.text, spans);
  std::size_t from = 0;
  for (const Span& span : spans) {
    if (!goes(note.text, span, from_year)) continue;
    Span replaced = span;
    if (span.type == "name") {
      const auto content = std::string_view(note.text).substr(span.start, span.end - span.start);
      replaced.start += title_length(content);
    }
    result.text.append(note.text, from, replaced.start - from);
    result.text += mentions != nullptr && span.type == "name"
                       ? tag_of(note, replaced,
                                std::string_view(note.text).substr(replaced.start,
                                                                   replaced.end - replaced.start),
                                from_year)
                       : replacement(note, replaced, mentions, from_year);
    from = span.end;
    ++result.by_type[span.type];
  }
  result.text.append(note.text, from, std::string::npos);
  // What the verifier would find goes too: a release is not to fail for one number.
  const auto checked = rules_.verifiable();
  const auto left = verify::identifiers_in_note(result.text, rules_.replace == Replace::surrogates);
  std::string text;
  from = 0;
  for (const auto& identifier : left) {
    if (std::find(checked.begin(), checked.end(), identifier.type) == checked.end()) continue;
    text.append(result.text, from, identifier.start - from);
    const std::string type(identifier.type == "exact-age"   ? "age"
                           : identifier.type == "zip"       ? "location"
                           : identifier.type == "clinician" ? "name"
                                                            : identifier.type);
    const Note seen{.id = note.id, .text = result.text, .patient = note.patient};
    const Span span{identifier.start, identifier.end, type, 1,
                    identifier.type == "clinician" ? "clinician" : ""};
    text += replacement(seen, span, mentions, from_year);
    from = identifier.end;
    ++result.second_look;
    ++result.by_type[type];
  }
  text.append(result.text, from, std::string::npos);
  result.text = std::move(text);
  return result;
}

}  // namespace pratique::notes
