#include "pratique/notes/find/internal/word_rules.h"

#include <algorithm>
#include <span>
#include <string>

#include "pratique/notes/find/internal/name_forms.h"
#include "pratique/notes/find/internal/note_words.h"

namespace pratique::notes {
namespace {

using namespace words;  // NOLINT(google-build-using-namespace): its constants name kinds

// How likely a word with a capital is a part of a name, by the lists alone.
double likeliness(const NoteWord& word, bool clinical) {
  const auto k = word.kinds;
  if (word.small.size() < 2 || is_month_or_day(word)) return 0;
  if (word.symbol) return 0.1;
  if (is_everyday(word)) return 0.1;
  const bool name = (k & kName) != 0;
  const bool english = (k & kEnglish) != 0;
  // Senna, Brain, Male: a word of medicine or of everyday, before it is anybody's name.
  if (clinical && name && ((k & kGiven) == 0 || english || (k & kMedical) != 0) &&
      (k & (kEponym | kMedical)) != 0)
    return 0.35;
  if (clinical && name && english && ((k & kGiven) == 0 || (k & kFrequent) == 0)) return 0.38;
  if (clinical && name && !english && (k & kFrequent) == 0 && (k & (kEponym | kMedical)) != 0)
    return 0.4;
  if (name && !english)
    return (k & kFrequent) != 0 ? 0.85 : (k & (kEponym | kMedical)) != 0 ? 0.6 : 0.75;
  if (name && (k & kGiven) != 0) return (k & kFrequent) != 0 ? 0.6 : 0.52;
  if (name) return 0.48;
  if ((k & (kMedical | kEnglish | kEponym | kCapitals)) != 0) return 0.1;
  if ((k & kProper) != 0) {
    // Caucasian, Hispanic, Spanish: whole peoples.
    for (const std::string_view ending : {"ian", "ean", "ish", "ese", "panic", "ican"}) {
      if (word.small.ends_with(ending) && (k & (kTown | kRegion)) == 0) return 0.2;
    }
    return 0.45;
  }
  if (word.capitals && word.small.size() > 12) return 0.2;     // headings that ran together
  return word.capitals && word.small.size() < 6 ? 0.2 : 0.55;  // no list has it
}

// " 45 mg", " 10/325", " 5%": what follows a drug.
bool has_dose(std::string_view behind) {
  std::size_t at = 0;
  while (at < behind.size() && behind[at] == ' ') ++at;
  const std::size_t digits = at;
  while (at < behind.size() && ((behind[at] >= '0' && behind[at] <= '9') || behind[at] == '.' ||
                                behind[at] == '/' || behind[at] == ','))
    ++at;
  if (at == digits) return false;
  while (at < behind.size() && (behind[at] == ' ' || behind[at] == '-')) ++at;
  for (const std::string_view unit :
       {"mg", "mcg", "ml", "unit", "g ", "cc", "%", "mEq", "tab", "MG"}) {
    if (behind.substr(at).starts_with(unit)) return true;
  }
  return false;
}

// Boston bowel preparation score, Bruce protocol, Hill grade II, Simpson's biplane method: the
// words behind say that a thing is called so. No other capital comes between.
bool names_thing(std::string_view text, const std::vector<NoteWord>& words, std::size_t to) {
  constexpr std::size_t kAhead = 4;
  const bool owns = text.substr(words[to - 1].end, 2) == "'s";
  std::size_t end = words[to - 1].end;
  for (std::size_t i = to; i < words.size() && i < to + kAhead; ++i) {
    auto gap = text.substr(end, words[i].start - end);
    if (words[i].small == "s" && i == to) {
      end = words[i].end;
      continue;
    }
    if (gap.starts_with("'s") && owns && i == to) gap.remove_prefix(2);
    if (gap != " " && gap != "-" && gap != "") return false;
    if (names_finding(words[i])) return !words[i].capital || i == to;
    if (words[i].capital || (words[i].kinds & (kEnglish | kMedical)) == 0 ||
        follows_name(words[i]) ||
        is_one_of(words[i].small,
                  {"in", "on", "at", "for", "of", "the", "a", "to", "with", "from", "by"}))
      return false;
    end = words[i].end;
  }
  return false;
}

// Between commas beside a word of medicine.
bool listed_with_medicine(std::string_view text, const std::vector<NoteWord>& words,
                          std::size_t from, std::size_t to) {
  const auto is_medicine = [](const NoteWord& word) {
    return (word.kinds & (kMedical | kEponym)) != 0 && (word.kinds & (kGiven | kTown)) == 0;
  };
  const bool before = from > 0 && text.substr(words[from - 1].end, 2) == ", " &&
                      words[from - 1].end + 2 == words[from].start &&
                      is_medicine(words[from - 1]) && (words[from].kinds & kGiven) == 0;
  const bool behind = to < words.size() && text.substr(words[to - 1].end, 2) == ", " &&
                      words[to - 1].end + 2 == words[to].start && is_medicine(words[to]) &&
                      (words[from].kinds & kGiven) == 0;
  return before || behind;
}

bool is_employer_told(const std::vector<NoteWord>& words, std::size_t from) {
  constexpr std::size_t kWithin = 6;
  const NoteWord& before = words[from - 1];
  if (is_one_of(before.small, {"pharmacy", "employer", "insurer", "insurance", "school", "payer"}))
    return true;
  if (!is_one_of(before.small, {"for", "at", "by", "with"})) return false;
  for (std::size_t i = from - 1; i-- > 0 && i + kWithin > from && !words[i + 1].begins;) {
    if (is_one_of(words[i].small,
                  {"works", "worked", "working", "employed", "volunteers", "drove", "drives"}))
      return true;
  }
  return false;
}

void judge_run(std::string_view text, const std::vector<NoteWord>& words, std::size_t from,
               std::size_t to, bool clinical, std::vector<Span>& candidates) {
  const std::span run(words.data() + from, to - from);
  const NoteWord* before = from > 0 ? &words[from - 1] : nullptr;
  const NoteWord* after = to < words.size() ? &words[to] : nullptr;
  const auto gap = [&](const NoteWord& a, const NoteWord& b) {
    return text.substr(a.end, b.start - a.end);
  };
  const auto near = [&](const NoteWord& a, const NoteWord& b) {
    const auto between = gap(a, b);
    // A point behind a word that is not short ends a sentence: seen with his sister. Prior records
    return between.size() < 5 && between.find('\n') == std::string_view::npos &&
           (a.small.size() < 5 || between.find('.') == std::string_view::npos);
  };
  const bool credentials =
      after != nullptr && is_credential(*after) && gap(words[to - 1], *after).size() <= 2;
  const auto add = [&](std::size_t a, std::size_t b, const char* type, double certainty) {
    candidates.push_back({words[a].start, words[b - 1].end, type, std::min(certainty, 0.97)});
    if (std::string_view(type) != "name") return;
    const NoteWord* title = a > 0 ? &words[a - 1] : nullptr;
    if (credentials || (title != nullptr && is_clinician_title(*title) && near(*title, words[a])))
      candidates.back().detail = "clinician";
    if (title != nullptr && is_kin(*title) && near(*title, words[a]))
      candidates.back().detail = "relative";
  };
  // Headings in capitals are words, whatever else they may be.
  if (std::ranges::all_of(run, [](const NoteWord& word) {
        return word.capitals && (word.kinds & (kEnglish | kMedical)) != 0;
      }))
    return;
  // Castleman's Disease
  const auto finding = std::find_if(
      words.begin() + static_cast<std::ptrdiff_t>(from) + 1,
      words.begin() + static_cast<std::ptrdiff_t>(to),
      [](const NoteWord& word) { return names_finding(word) && (word.kinds & kName) == 0; });
  const bool names_illness =
      to - from > 1 && finding < words.begin() + static_cast<std::ptrdiff_t>(to);
  // Hospitals and organisations by a word in the run.
  for (std::size_t i = from; i < to; ++i) {
    const bool center =
        words[i].small == "center" && i > from &&
        is_one_of(words[i - 1].small, {"medical", "health", "rehabilitation", "cancer"});
    const bool home = words[i].small == "home" && i > from && words[i - 1].small == "nursing";
    // University Hospital of Dayton, Bank of Greene
    const bool of = i + 2 < to && words[i + 1].small == "of";
    // Oncology Clinic: any of them.
    const bool generic =
        !of && std::all_of(words.begin() + static_cast<std::ptrdiff_t>(from),
                           words.begin() + static_cast<std::ptrdiff_t>(i), [](const NoteWord& w) {
                             return (w.kinds & kMedical) != 0 && (w.kinds & (kName | kTown)) == 0;
                           });
    if ((is_hospital_word(words[i]) || center || home) && (i > from || of))
      add(from, of ? to : i + 1, "hospital", generic ? 0.35 : 0.93);
    const bool any_school = i == from + 1 && words[i].small == "school" &&
                            is_one_of(words[from].small, {"high", "middle", "elementary", "grade",
                                                          "primary", "medical", "nursing", "law"});
    if (is_company_word(words[i]) && (i > from || of) && !any_school)
      add(from, of ? to : i + 1, "organisation", 0.92);
  }
  // Places by the lists, the longest first.
  for (std::size_t i = from; i < to; ++i) {
    for (std::size_t j = std::min(to, i + 4); j > i; --j) {
      const auto kinds =
          j == i + 1 ? words[i].kinds
                     : kinds_of(text.substr(words[i].start, words[j - 1].end - words[i].start));
      if ((kinds & (kTown | kRegion)) == 0 || words[j - 1].end - words[i].start < 4) continue;
      // Kellgren-Lawrence, Jackson-Pratt
      if (j == i + 1 && i > from && gap(words[i - 1], words[i]) == "-") break;
      if (j == i + 1 && j < to && gap(words[i], words[j]) == "-" &&
          (clinical || (words[j].kinds & kEponym) != 0))
        break;
      if (words[i].small == "cipro") break;  // Cyprus to Italians, and a drug to all others
      const bool told =
          before != nullptr && i == from && announces_place(*before) && near(*before, words[i]);
      const bool region = (kinds & kRegion) != 0;
      const bool plain = (kinds & kEnglish) != 0;
      if (words[i].capitals && j == i + 1 && words[i].small.size() < 4) break;
      if (clinical && !told && j == to && names_thing(text, words, to)) break;
      add(i, j, "location",
          plain && j == i + 1 ? told ? 0.6 : 0.3
          : region            ? 0.8
          : told              ? 0.82
                              : 0.6);
      i = j - 1;
      break;
    }
  }
  // Names by context.
  const bool titled = before != nullptr && is_title(*before) && near(*before, words[from]) &&
                      gap(*before, words[from]).find(',') == std::string_view::npos &&
                      words[from].small != "i";
  std::size_t first = from;
  while (first < to && is_title(words[first])) ++first;
  // MRS SMITH CALLED FROM HOME: of a run in capitals only what may be a name.
  const auto end_of_name = [&](std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < to && !(words[end].capitals && (words[end].kinds & (kEnglish | kMedical)) != 0 &&
                         ((words[end].kinds & kName) == 0 || is_everyday(words[end]))))
      ++end;
    return end;
  };
  if (first > from && first < to && near(words[first - 1], words[first])) {
    add(first, end_of_name(first), "name", 0.93);
    return;
  }
  if (titled) {
    add(from, end_of_name(from), "name", 0.93);
    return;
  }
  if (before != nullptr && is_kin(*before) && near(*before, words[from]) && !before->pointed &&
      likeliness(words[from], false) > 0.2) {
    add(from, end_of_name(from), "name", 0.85);
    return;
  }
  double best = 0;
  double sum = 0;
  for (std::size_t i = from; i < to; ++i) {
    const double one = likeliness(words[i], clinical);
    best = std::max(best, one);
    sum += one;
  }
  const double mean = sum / static_cast<double>(to - from);
  double certainty = 0.6 * best + 0.4 * mean;
  const bool announced = before != nullptr && announces_name(*before) && near(*before, words[from]);
  const bool followed = after != nullptr && follows_name(*after) && near(words[to - 1], *after);
  const bool owns = text.substr(words[to - 1].end, 2) == "'s";
  if (to - from == 2 && best > 0.5) certainty += 0.1;
  // With Doppler, from Foley: a thing is announced by the same words as a person, and does little.
  const bool perhaps_thing =
      clinical && to - from == 1 && (words[from].kinds & (kEponym | kMedical)) != 0;
  const bool weakly =
      announced && is_one_of(before->small, {"with", "from", "by", "is", "am", "md"});
  if (announced) certainty += perhaps_thing && weakly ? 0 : 0.15;
  if (followed) certainty += !perhaps_thing || speaks(*after) ? 0.15 : 0;
  if (clinical && to - from == 1 && words[from].small.size() < 3 && !announced) certainty -= 0.3;
  if (owns && (words[to - 1].kinds & kEponym) == 0) certainty += 0.1;
  if (owns && (words[to - 1].kinds & kEponym) != 0) certainty -= 0.25;
  // An eponym before a small word: Foley catheter.
  if (after != nullptr && !after->capital && near(words[to - 1], *after) &&
      (words[to - 1].kinds & kEponym) != 0 && (after->kinds & kMedical) != 0)
    certainty -= 0.25;
  // Gleason score, Graves' disease: named after somebody else.
  const bool thing = names_thing(text, words, to);
  if ((after != nullptr && !after->capital && names_finding(*after) &&
       gap(words[to - 1], *after).size() <= 3 && !announced) ||
      (clinical && thing))
    certainty -= 0.5;
  // Gleason 3+4, Apgar 9
  if (to - from == 1 && (words[from].kinds & kEponym) != 0 &&
      text.substr(words[from].end, 1) == " " && words[from].end + 1 < text.size() &&
      text[words[from].end + 1] >= '0' && text[words[from].end + 1] <= '9' && !announced)
    certainty -= 0.3;
  // Colace, Senna: in a list of medicines and findings.
  // General Appearance, Care Unit
  if (clinical && !announced && to - from > 1 && std::ranges::all_of(run, [](const NoteWord& w) {
        return w.capitals || ((w.kinds & (kEnglish | kMedical)) != 0 &&
                              ((w.kinds & kGiven) == 0 || (w.kinds & kFrequent) == 0));
      }))
    certainty -= 0.2;
  // Coord: slowed
  if (clinical && to - from == 1 && words[from].begins && words[from].kinds == 0 &&
      text.substr(words[from].end, 1) == ":")
    certainty -= 0.2;
  if (clinical && to - from > 1 && (words[from].kinds & kEponym) != 0 &&
      gap(words[from], words[from + 1]) == "-")
    certainty -= 0.3;
  if (clinical && to - from < 3 && !announced && listed_with_medicine(text, words, from, to))
    certainty -= 0.25;
  // Actos 45 mg: what has a dose is a drug.
  if (!announced && has_dose(text.substr(words[to - 1].end, 16))) certainty -= 0.4;
  // Epstein-Barr, Mallory-Weiss
  if (to - from == 2 && (words[from].kinds & kEponym) != 0 &&
      (words[from + 1].kinds & kEponym) != 0 && gap(words[from], words[from + 1]) == "-")
    certainty -= 0.3;
  // The first word of a sentence has its capital from there.
  if (to - from == 1 && words[from].begins) {
    const auto k = words[from].kinds;
    certainty -= (k & kEnglish) != 0 ? 0.22 : (k & kName) != 0 ? 0 : k == 0 ? 0.1 : 0.25;
  }
  if (to - from == 1 && words[from].capitals) certainty -= words[from].small.size() < 5 ? 0.4 : 0.1;
  if (to - from > 4) certainty -= 0.3;
  if (names_illness) certainty -= 0.5;
  // Where a place or an organisation is announced, what no list has is one.
  const bool placed = before != nullptr && announces_place(*before) && near(*before, words[from]);
  if (placed && best < 0.7) {
    const bool listed =
        std::ranges::any_of(run, [](const NoteWord& w) { return (w.kinds & kMedical) != 0; });
    add(from, to, "location", listed ? certainty : certainty + (best > 0.4 ? 0.15 : 0.05));
  }
  const bool introduced =
      before != nullptr && near(*before, words[from]) &&
      is_one_of(before->small,
                {"for", "became", "joined", "by", "with", "the", "year", "called"}) &&
      std::ranges::none_of(
          run, [](const NoteWord& w) { return (w.kinds & (kMedical | kEponym | kCapitals)) != 0; });
  // Places in capitals: moved here from SAINT-PRIEST.
  if (placed && words[from].capitals && words[to - 1].end - words[from].start >= 5 &&
      std::ranges::all_of(run, [](const NoteWord& w) {
        return (w.kinds & (kMedical | kEnglish | kCapitals)) == 0;
      }))
    add(from, to, "location", 0.6);
  // Two words with capitals within a sentence are called so, whatever they mean.
  const bool medical = std::ranges::any_of(
      run, [](const NoteWord& w) { return (w.kinds & (kMedical | kEponym)) != 0 || w.symbol; });
  const bool everyday = std::ranges::all_of(
      run, [](const NoteWord& w) { return w.capitals || (w.kinds & (kEnglish | kMedical)) != 0; });
  if (to - from > 1 && !words[from].begins && !words[from].capitals &&
      words[from].small.size() > 1 && best < 0.5 &&
      !(clinical && (medical || thing || (everyday && !introduced && !placed))))
    add(from, to, "organisation", 0.42 + (placed || introduced ? 0.12 : 0));
  // Works nights for Amazon; Pharmacy: Walgreens
  if (before != nullptr && best > 0.05 && near(*before, words[from]) &&
      is_employer_told(words, from))
    add(from, to, "organisation", 0.6);
  const bool office = after != nullptr && after->small == "office" && near(words[to - 1], *after);
  if (office) add(from, to, "organisation", 0.8);
  add(from, to, "name", certainty);
}

// Names and places that were typed without capitals: only what is no other word.
void add_small_candidates(const std::vector<NoteWord>& words, std::vector<Span>& candidates) {
  const auto name_like = [](const NoteWord& word) {
    const auto k = word.kinds;
    if (word.small.size() < 3 || is_everyday(word)) return false;
    const bool plain = (k & (kEnglish | kMedical)) != 0;
    // foley, gleason: written small, these are what was named after somebody.
    if ((k & kEponym) != 0 && (k & kGiven) == 0) return false;
    return (k & kName) != 0 &&
           (!plain || ((k & kGiven) != 0 && (k & kFrequent) != 0 && (k & kEnglish) == 0));
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const NoteWord& word = words[i];
    if (word.capital) continue;
    const bool unknown =
        (word.kinds & (kEnglish | kMedical | kCapitals)) == 0 && word.small.size() > 3;
    const bool after_name =
        i > 0 && word.joined && !words[i - 1].capital && name_like(words[i - 1]);
    const bool plain = (word.kinds & (kMedical | kEnglish)) != 0;
    // "nurse patty", but not a nurse line
    const bool titled = i > 0 && is_title(words[i - 1]) && word.small.size() > 2 &&
                        !is_everyday(word) &&
                        (!plain || ((word.kinds & kName) != 0 && is_form_of_address(words[i - 1])));
    // "says péter", "named him randy"
    const bool told =
        i > 0 && (word.kinds & kGiven) != 0 && word.small.size() > 2 && !is_everyday(word) &&
        (is_one_of(words[i - 1].small, {"says", "said", "named"}) ||
         (i > 1 && words[i - 2].small == "named" && is_one_of(words[i - 1].small, {"him", "her"})));
    // "dtr chidinma", "my wife tanya": who is kin and called by no other word.
    const bool kin = i > 0 && word.joined && is_kin(words[i - 1]) && !words[i - 1].pointed &&
                     word.small.size() > 2 && !is_everyday(word) &&
                     (word.kinds == 0 ||
                      ((word.kinds & kGiven) != 0 && (!plain || (word.kinds & kFrequent) != 0)) ||
                      ((word.kinds & kFamily) != 0 && !plain));
    // "pt maria": a given name of many countries, whatever else it may mean.
    const bool patient =
        i > 0 && word.joined && is_one_of(words[i - 1].small, {"pt", "patient", "client"}) &&
        (word.kinds & kGiven) != 0 && (word.kinds & kFrequent) != 0 && word.small.size() > 2 &&
        (word.kinds & kMedical) == 0 && !is_everyday(word);
    // "k. obrien, rn", "tammy rn"
    const bool clinician =
        i + 1 < words.size() && is_credential(words[i + 1]) &&
        (!plain || ((word.kinds & kGiven) != 0 && (word.kinds & kFrequent) != 0)) &&
        !is_everyday(word) && word.small.size() > 2 && !is_credential(word) &&
        words[i + 1].start - word.end <= 2 && !is_title(word);
    // "kelly müller", "heather pustivsek": a given name and what is a family name or no word.
    const bool middle = i > 1 && words[i - 1].end == words[i - 1].start + 1 && words[i - 1].joined;
    const std::size_t given = i == 0 ? 0 : middle ? i - 2 : i - 1;
    const bool follows_given =
        i > 0 && (word.joined || words[i - 1].pointed) && !words[given].capital &&
        (words[given].kinds & kGiven) != 0 && words[given].small.size() > 2 &&
        !is_everyday(words[given]) && word.small.size() > (word.shouted ? 3 : 2) &&
        !is_everyday(word) &&
        (word.kinds == 0 || ((word.kinds & (kFamily | kProper)) != 0 && !plain)) &&
        (words[given].kinds & kMedical) == 0 && (!middle || (words[given].kinds & kEnglish) == 0);
    if ((word.kinds & kRegion) != 0 && (word.kinds & kEnglish) == 0 && word.small.size() > 3) {
      candidates.push_back({word.start, word.end, "location", 0.75});
    } else if ((word.kinds & kTown) != 0 && (word.kinds & (kEnglish | kMedical)) == 0 &&
               word.small.size() > 3) {
      candidates.push_back({word.start, word.end, "location", 0.6});
    }
    if (follows_given) candidates.push_back({words[given].start, word.end, "name", 0.7});
    // PER BYSTANDER SHANICE BOATENG: two words side by side that no list has.
    if (word.shouted && unknown && word.kinds == 0 && i > 0 && word.joined &&
        words[i - 1].shouted && words[i - 1].kinds == 0 && words[i - 1].small.size() > 3)
      candidates.push_back({words[i - 1].start, word.end, "name", 0.6});
    if (titled || told || kin || patient || clinician) {
      const bool initial = clinician && i > 0 && words[i - 1].end == words[i - 1].start + 1 &&
                           words[i - 1].pointed && word.start - words[i - 1].end <= 2;
      // "pt john smith"
      const bool family = i + 1 < words.size() && words[i + 1].joined && !words[i + 1].capital &&
                          (words[i + 1].kinds & kFamily) != 0 &&
                          (words[i + 1].kinds & kMedical) == 0 && !is_everyday(words[i + 1]) &&
                          ((words[i + 1].kinds & kEnglish) == 0 || patient || titled) &&
                          words[i + 1].small.size() > 2;
      candidates.push_back(
          {initial ? words[i - 1].start : word.start, family ? words[i + 1].end : word.end, "name",
           kin && (word.kinds & kGiven) != 0 && (word.kinds & kFrequent) != 0 ? 0.86
           : kin || patient || clinician                                      ? 0.65
                                                                              : 0.8});
      if (kin) candidates.back().detail = "relative";
      if (clinician || (titled && is_clinician_title(words[i - 1])))
        candidates.back().detail = "clinician";
    } else if (name_like(word)) {
      candidates.push_back(
          {word.start, word.end, "name", (word.kinds & kFrequent) != 0 ? 0.65 : 0.55});
    } else if (word.kinds == 0 && unknown && i > 0 && word.joined &&
               is_one_of(words[i - 1].small, {"in", "from", "at", "near"})) {
      candidates.push_back({word.start, word.end, "location", 0.55});
    } else if (unknown && after_name && word.kinds == 0) {
      candidates.push_back({words[i - 1].start, word.end, "name", 0.66});
    }
  }
}

// A title is a part of the name behind it.
void with_titles(const std::vector<NoteWord>& words, std::string_view text,
                 std::vector<Span>& candidates) {
  for (Span& span : candidates) {
    if (span.type != "name") continue;
    auto at = std::lower_bound(
        words.begin(), words.end(), span.start,
        [](const NoteWord& word, std::size_t start) { return word.start < start; });
    while (at != words.begin()) {
      --at;
      const auto gap = text.substr(at->end, span.start - at->end);
      if ((gap != " " && gap != ". " && gap != ".") || !is_form_of_address(*at)) break;
      span.start = at->start;
    }
  }
}

bool is_state_code(std::string_view text) {
  constexpr std::string_view kCodes =
      "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH "
      "NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY ";
  return text.size() == 2 && kCodes.find(std::string(text) + " ") != std::string_view::npos;
}

// Passaic, NJ: a state behind a town; of MD and PA, which are also what clinicians have behind
// their names, only behind one of the lists.
void add_states(std::string_view text, const std::vector<NoteWord>& words,
                std::vector<Span>& candidates) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto code = text.substr(words[i].start, words[i].end - words[i].start);
    const NoteWord& before = words[i - 1];
    if (!is_state_code(code) || !before.capital) continue;
    const auto gap = text.substr(before.end, words[i].start - before.end);
    if (gap != ", " && gap != " ") continue;
    const bool two = i > 1 && words[i - 2].capital && words[i - 1].joined;
    const auto kinds =
        before.kinds |
        (two ? kinds_of(text.substr(words[i - 2].start, before.end - words[i - 2].start)) : 0);
    const bool town = (kinds & kTown) != 0;
    const bool also_degree = code == "MD" || code == "PA" || code == "MA";
    if (!town && (also_degree || gap == " ")) continue;
    candidates.push_back({words[i].start, words[i].end, "location", town ? 0.8 : 0.6});
    if (town && gap == ", ") {
      const std::size_t from = two && (before.kinds & kTown) == 0 ? i - 2 : i - 1;
      candidates.push_back({words[from].start, before.end, "location", 0.75});
    }
  }
}

// "works as a carpenter", "a 61-year-old farmer", "is a retired nurse", "driver with"
void add_professions(std::string_view text, const std::vector<NoteWord>& words,
                     std::vector<Span>& candidates) {
  // WordNet's workers, too, and its patients and smokers by their endings.
  const auto is_no_job = [](const NoteWord& word) {
    return is_one_of(word.small,
                     {"man",      "woman",   "gentleman", "gentlewoman", "human",   "member",
                      "daughter", "brother", "sister",    "smoker",      "drinker", "toddler",
                      "teenager", "other",   "former",    "caregiver",   "never",   "ever",
                      "after",    "hand",    "boy",       "girl",        "lady",    "page"});
  };
  // Who is seen at work in every note.
  const auto treats = [](const NoteWord& word) {
    return is_one_of(
        word.small,
        {"historian", "help",      "patient",    "surgeon",      "nurse",   "physician",
         "doctor",    "therapist", "specialist", "donor",        "carrier", "runner",
         "walker",    "tech",      "model",      "client",       "relief",  "assistant",
         "intern",    "resident",  "provider",   "practitioner", "temp",    "consultant"});
  };
  const auto works_at = [&](const NoteWord& word) {
    if (is_no_job(word)) return false;
    return (word.kinds & kJob) != 0 || word.small.ends_with("er") || word.small.ends_with("or") ||
           word.small.ends_with("ist") || word.small.ends_with("ian") ||
           word.small.ends_with("man") || word.small.ends_with("ess");
  };
  const auto is_job = [&](const NoteWord& word) {
    return (word.kinds & kJob) != 0 && !is_no_job(word) && !treats(word);
  };
  // Primary school teacher, truck driver: the last of up to three words is the job.
  const auto end_of_job = [&](std::size_t i) {
    std::size_t end = i;
    for (std::size_t j = i; j < words.size() && j < i + 3; ++j) {
      if ((j > i && !words[j].joined) || words[j].capital || (words[j].kinds & kEnglish) == 0)
        break;
      if (works_at(words[j]) && (j == i || (words[j].kinds & kJob) != 0)) end = j + 1;
    }
    return end;
  };
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i].capital) continue;
    const NoteWord& before = words[i - 1];
    const auto is_worker = [](const NoteWord& word) {
      return is_one_of(word.small, {"works", "worked", "employed", "working", "work"});
    };
    const bool as = is_one_of(before.small, {"a", "an", "the"}) && words[i - 2].small == "as" &&
                    i > 2 && is_worker(words[i - 3]);
    const bool as_such = before.small == "as" && is_worker(words[i - 2]);
    const bool retired = (before.small == "retired" || before.small == "former") &&
                         words[i].small != "smoker" && words[i].small != "drinker";
    const bool occupation = is_one_of(before.small, {"occupation", "profession", "employment"});
    const bool old = before.small == "old" &&
                     is_one_of(words[i - 2].small, {"year", "years", "yr", "yrs", "yo"}) &&
                     words[i].small != "former" && words[i].small != "right" && !is_kin(words[i]);
    const bool is_one =
        is_one_of(before.small, {"a", "an"}) &&
        is_one_of(words[i - 2].small, {"is", "was", "been", "he's", "she's", "i'm", "am"});
    const bool as_one = is_one_of(before.small, {"a", "an"}) && words[i - 2].small == "as";
    const bool of_sex = is_one_of(before.small, {"male", "female"});
    const bool by_trade = i + 2 < words.size() && words[i + 1].small == "by" &&
                          is_one_of(words[i + 2].small, {"trade", "profession", "training"});
    const bool employed = i + 1 < words.size() && words[i + 1].small == "with" &&
                          text.substr(before.end, words[i].start - before.end) == ", ";
    const std::size_t end = end_of_job(i);
    if (end == i) continue;
    const bool one_word = end == i + 1;
    const bool told =
        ((as || as_such || old) && words[i].joined && (!one_word || works_at(words[i]))) ||
        (retired && words[i].joined && (!one_word || works_at(words[i]))) ||
        (occupation && works_at(words[i])) || by_trade ||
        ((is_one || as_one || of_sex) && words[i].joined && is_job(words[end - 1])) ||
        (employed && is_job(words[i]));
    if (told) candidates.push_back({words[i].start, words[end - 1].end, "profession", 0.7});
  }
}

// Letters of another script in a text of Latin ones: a name as its bearer writes it.
void add_words_of_other_scripts(std::string_view text, const std::vector<NoteWord>& words,
                                std::vector<Span>& candidates) {
  const auto foreign = [&](const NoteWord& word) {
    std::size_t letters = 0;
    for (std::size_t at = word.start; at < word.end; ++at) {
      const auto byte = static_cast<unsigned char>(text[at]);
      if (byte < 0x80) return false;
      if (byte < 0xC0) continue;
      // From Greek on; marks, arrows and signs of mathematics are no letters.
      if (byte < 0xCD || (byte == 0xE2) || byte == 0xEF || byte >= 0xF0 || byte == 0xE1)
        return false;
      ++letters;
    }
    return letters >= 2;
  };
  std::vector<const NoteWord*> some;
  for (const NoteWord& word : words) {
    if (static_cast<unsigned char>(text[word.start]) >= 0xCD && foreign(word))
      some.push_back(&word);
  }
  if (some.size() * 5 > words.size()) return;  // it is the script of the text
  for (const NoteWord* word : some) candidates.push_back({word->start, word->end, "name", 0.7});
}

// In a text typed without capitals, a word that no list has is a name as likely as not.
void add_unknown_small_words(const std::vector<NoteWord>& words, std::vector<Span>& candidates) {
  if (words.size() < 3 || std::any_of(words.begin(), words.end(), [](const NoteWord& word) {
        return word.capital && word.small.size() > 1;
      }))
    return;
  std::vector<const NoteWord*> unknown;
  for (const NoteWord& word : words) {
    if (word.kinds == 0 && word.small.size() > 3 && !word.shouted) unknown.push_back(&word);
  }
  // Where there are many, they are how a ward shortens its words.
  constexpr std::size_t kLongText = 40;
  const bool many = words.size() >= kLongText && unknown.size() * 20 > words.size();
  const double certainty = many ? 0.35 : 0.5;
  for (const NoteWord* word : unknown)
    candidates.push_back({word->start, word->end, "name", certainty});
}

// Names stand in lists: who is beside a name, behind a comma or "and", is one too.
void add_listed_names(std::string_view text, const std::vector<NoteWord>& words,
                      std::vector<Span>& candidates) {
  constexpr double kSure = 0.6;
  std::vector<bool> named(words.size());
  for (const Span& span : candidates) {
    if (span.type != "name" || span.certainty < kSure) continue;
    const auto first = std::lower_bound(
        words.begin(), words.end(), span.start,
        [](const NoteWord& word, std::size_t start) { return word.start < start; });
    for (auto at = first; at != words.end() && at->end <= span.end; ++at)
      named[static_cast<std::size_t>(at - words.begin())] = true;
  }
  const auto beside = [&](std::size_t i, std::size_t j) {
    const auto gap = text.substr(words[i].end, words[j].start - words[i].end);
    return gap == ", " || (j == i + 2 && words[i + 1].small == "and" && gap.size() == 5);
  };
  const auto may_be = [&](const NoteWord& word) {
    return (word.kinds & kName) != 0 && !is_everyday(word) && word.small.size() > 2 &&
           (word.capital || (word.kinds & kEnglish) == 0) && (word.kinds & kMedical) == 0;
  };
  const auto add = [&](std::size_t i) {
    if (named[i] || !may_be(words[i])) return;
    named[i] = true;
    candidates.push_back({words[i].start, words[i].end, "name", kSure});
  };
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (named[i - 1] && beside(i - 1, i)) add(i);
    if (i > 1 && named[i - 2] && beside(i - 2, i)) add(i);
  }
  for (std::size_t i = words.size(); i-- > 1;) {
    if (named[i] && beside(i - 1, i)) add(i - 1);
    if (i > 1 && named[i] && beside(i - 2, i)) add(i - 2);
  }
  // Who speaks: Troy: "Who are you?"
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto behind = text.substr(words[i].end, 3);
    if (words[i].begins && !named[i] && (words[i].kinds & kName) != 0 &&
        (words[i].kinds & kMedical) == 0 && behind.starts_with(":") &&
        behind.find_first_of("\"\\") != std::string_view::npos)
      candidates.push_back({words[i].start, words[i].end, "name", kSure});
  }
}

}  // namespace

void add_word_candidates(std::string_view text, std::vector<Span>& candidates) {
  const auto words = words_of(text);
  const bool clinical = is_clinical(words);
  add_small_candidates(words, candidates);
  add_unknown_small_words(words, candidates);
  for (std::size_t i = 0; i < words.size();) {
    if (!words[i].capital || is_month_or_day(words[i])) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    const auto particle = [&](std::size_t at) {
      return at + 1 < words.size() && words[at].joined && words[at + 1].joined &&
             words[at + 1].capital && (!words[at + 1].capitals || words[at - 1].capitals) &&
             is_one_of(words[at].small,
                       {"van", "von", "de", "der", "den", "la", "del", "da",  "di",  "bin",
                        "al",  "el",  "y",  "of",  "u",   "am", "an",  "sur", "dos", "do"});
    };
    // A form of address begins another name: Ihre Patientin | Frau Annegret Meier.
    const auto addresses_another = [&](std::size_t at) {
      return is_form_of_address(words[at]) && !is_title(words[at - 1]);
    };
    while (end < words.size() &&
           ((words[end].capital && words[end].joined && !addresses_another(end)) || particle(end)))
      ++end;
    // A sentence's first word that is nothing but a word does not belong to the name after it.
    std::size_t from = i;
    const bool initial = words[i].small.size() == 1 && text.substr(words[i].end, 1) == ".";
    if (end - i > 1 && words[i].begins && !initial && !is_title(words[i]) &&
        (is_everyday(words[i]) ||
         ((words[i].kinds & kName) == 0 && (words[i].kinds & (kEnglish | kMedical)) != 0 &&
          std::none_of(words.begin() + static_cast<std::ptrdiff_t>(i),
                       words.begin() + static_cast<std::ptrdiff_t>(end), [](const NoteWord& w) {
                         return is_hospital_word(w) || is_company_word(w);
                       }))))
      ++from;
    judge_run(text, words, from, end, clinical, candidates);
    i = end;
  }
  add_names_by_form(text, words, candidates);
  add_words_of_other_scripts(text, words, candidates);
  add_states(text, words, candidates);
  add_professions(text, words, candidates);
  add_listed_names(text, words, candidates);
  with_titles(words, text, candidates);
}

}  // namespace pratique::notes
