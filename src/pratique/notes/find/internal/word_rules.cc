#include "pratique/notes/find/internal/word_rules.h"

#include <algorithm>
#include <span>
#include <string>

#include "pratique/notes/find/internal/form_fields.h"
#include "pratique/notes/find/internal/name_forms.h"
#include "pratique/notes/find/internal/note_words.h"
#include "pratique/notes/find/internal/profession_rules.h"

namespace pratique::notes {
namespace {

using namespace words;  // NOLINT(google-build-using-namespace): its constants name kinds

struct TextKind {
  bool clinical = false, foreign = false;
};

// How likely a word with a capital is a part of a name, by the lists alone.
double likeliness(const NoteWord& word, const TextKind& kind) {
  const bool clinical = kind.clinical;
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
  if (word.capitals && word.small.size() > 12) return 0.2;  // headings that ran together
  if (kind.foreign) return 0.25;                            // the lists of other words are English
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

// Patrick negative, Noonan excluded; Berg 38, Todd resolved: what is said of tests and signs. Of
// people, too, is said that they are seen, and dates and rooms stand behind them: that tells only
// of what has lent its name.
bool is_finding_told(std::string_view text, const std::vector<NoteWord>& words, std::size_t from,
                     std::size_t to) {
  const NoteWord* after = to < words.size() ? &words[to] : nullptr;
  const bool joined = after != nullptr && !after->capital &&
                      text.substr(words[to - 1].end, after->start - words[to - 1].end) == " ";
  if (joined && is_one_of(after->small, {"negative", "positive", "absent", "excluded", "unlikely",
                                         "equivocal", "protocol", "immune", "suspected", "neg",
                                         "pos", "virus", "titrated", "weaned"}))
    return true;
  const bool lent =
      std::any_of(words.begin() + static_cast<std::ptrdiff_t>(from),
                  words.begin() + static_cast<std::ptrdiff_t>(to), [](const NoteWord& word) {
                    return (word.kinds & (kEponym | kMedical)) != 0 &&
                           ((word.kinds & kGiven) == 0 || (word.kinds & kFrequent) == 0);
                  });
  if (!lent) return false;
  if (joined &&
      is_one_of(after->small,
                {"normal",    "present",    "none",     "intact",   "abnormal",   "maintained",
                 "performed", "gone",       "mild",     "moderate", "severe",     "continued",
                 "stopped",   "held",       "declined", "applied",  "ordered",    "resolved",
                 "pending",   "considered", "possible", "seen",     "visualized", "advised",
                 "twice",     "daily",      "nightly",  "off",      "on"}))
    return true;
  const auto behind = text.substr(words[to - 1].end);
  if (!behind.starts_with(" ")) return false;
  if (behind.substr(1, 1) == "I" || behind.substr(1, 1) == "V") {
    const auto end = behind.find_first_not_of("IV", 1);
    return end == std::string_view::npos || !is_word_byte(behind[end]);
  }
  std::size_t digits = 1;
  while (digits < behind.size() && behind[digits] >= '0' && behind[digits] <= '9') ++digits;
  if (digits == 1) return false;
  const bool closed = digits == behind.size() ||
                      std::string_view(".,;: +/%").find(behind[digits]) != std::string_view::npos;
  // Not an age: Banks 81 F.
  const auto unit = behind.substr(std::min(digits, behind.size()));
  return closed && !unit.starts_with(" M") && !unit.starts_with(" F") && !unit.starts_with(" y");
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
  if (!is_one_of(before.small, {"for", "at", "by", "with", "from", "the"})) return false;
  // A student with Stargardt's disease
  if (before.small == "with" && (words[from].kinds & (kEponym | kMedical)) != 0) return false;
  for (std::size_t i = from - 1; i-- > 0 && i + kWithin > from && !words[i + 1].begins;) {
    if (is_one_of(words[i].small, {"works",    "worked",     "working",   "work",     "employed",
                                   "employee", "volunteers", "drove",     "drives",   "job",
                                   "shift",    "retired",    "studies",   "student",  "internship",
                                   "attends",  "insured",    "stationed", "served",   "hired",
                                   "fired",    "intern",     "manager",   "position", "shifts"}))
      return true;
  }
  return false;
}

// Whether the words before say that somebody comes, goes or is cared for.
bool is_moved(const std::vector<NoteWord>& words, std::size_t from) {
  constexpr std::size_t kWithin = 5;
  for (std::size_t i = from - 1; i-- > 0 && i + kWithin > from && !words[i + 1].begins;) {
    if ((words[i].roles & kMovesRole) != 0) return true;
  }
  return false;
}

void judge_run(std::string_view text, const std::vector<NoteWord>& words, std::size_t from,
               std::size_t to, const TextKind& kind, std::vector<Span>& candidates) {
  const bool clinical = kind.clinical;
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
  // EASTERN PLAINS HOSPITAL: a line that tells where.
  const auto tells_which = [](const NoteWord& word) {
    return word.small.size() > 2 && (word.roles & (kGenericRole | kPracticeRole)) == 0 &&
           !is_hospital_word(word) && !is_title(word) && !is_month_or_day(word) &&
           ((word.kinds & kMedical) == 0 || (word.kinds & (kName | kTown)) != 0);
  };
  const auto is_place_of_care = [&](std::size_t i) {
    if (is_hospital_word(words[i])) return true;
    // Sunshine Pediatrics, Bayou Internal Medicine; not Interventional Radiology.
    return (words[i].roles & kPracticeRole) != 0 && (i + 1 == to || is_month_or_day(words[i + 1]));
  };
  const auto add_place_of_care = [&](std::size_t first, std::size_t end, double certainty) {
    while (first < end && is_title(words[first])) ++first;
    if (std::any_of(words.begin() + static_cast<std::ptrdiff_t>(first),
                    words.begin() + static_cast<std::ptrdiff_t>(end), tells_which))
      add(first, end, "hospital", certainty);
  };
  // Headings in capitals are words, whatever else they may be.
  if (std::ranges::all_of(run, [](const NoteWord& word) {
        return word.capitals && (word.kinds & (kEnglish | kMedical)) != 0;
      })) {
    const bool ends =
        text.substr(words[to - 1].end).find_first_not_of(" \t\r") == std::string_view::npos ||
        std::string_view("\n,|(").find(text[text.find_first_not_of(" \t\r", words[to - 1].end)]) !=
            std::string_view::npos;
    const bool center =
        to - from > 1 && is_one_of(words[to - 1].small, {"center", "centre", "regional"});
    if (to - from > 1 && ends && (is_hospital_word(words[to - 1]) || center))
      add_place_of_care(from, to, 0.7);
    if (before != nullptr && near(*before, words[from]) && is_employer_told(words, from) &&
        (words[from].kinds & kOrganisation) != 0)
      add(from, to, "organisation", 0.6);
    return;
  }
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
        is_one_of(words[i - 1].small,
                  {"medical", "health", "rehabilitation", "cancer", "care", "imaging", "surgery",
                   "heart", "eye", "trauma", "dialysis", "wound", "recovery", "treatment"});
    const bool home = words[i].small == "home" && i > from &&
                      is_one_of(words[i - 1].small, {"nursing", "care", "rest", "group"});
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
    else if (i > from && is_place_of_care(i) && !names_illness)
      add_place_of_care(from, i + 1, 0.62);
    const bool any_school = i == from + 1 && words[i].small == "school" &&
                            is_one_of(words[from].small, {"high", "middle", "elementary", "grade",
                                                          "primary", "medical", "nursing", "law"});
    // American Heart Association, World Health Organization, Review of Systems: who grades, not who
    // employs.
    const bool grades =
        is_one_of(words[from].small, {"review", "world", "who"}) ||
        (i > from &&
         is_one_of(words[i].small,
                   {"association", "college", "institute", "group", "foundation", "health"}) &&
         is_one_of(
             words[i - 1].small,
             {"heart",       "lung",     "kidney",      "liver",    "cancer",     "diabetes",
              "psychiatric", "thoracic", "stroke",      "oncology", "rheumatism", "medical",
              "mental",      "public",   "cooperative", "sleep",    "home",       "behavioral",
              "of",          "dental",   "spinal"}));
    if (is_company_word(words[i]) && (i > from || of) && !any_school && !grades)
      add(from, of ? to : i + 1, "organisation", 0.92);
  }
  // Places by the lists, the longest first.
  for (std::size_t i = from; i < to; ++i) {
    for (std::size_t j = std::min(to, i + 4); j > i; --j) {
      const auto kinds =
          j == i + 1 ? words[i].kinds
                     : kinds_of(text.substr(words[i].start, words[j - 1].end - words[i].start));
      if ((kinds & (kOrganisation | kHospital)) != 0 && !words[i].symbol) {
        const bool hospital = (kinds & kHospital) != 0;
        // Target, Boots, Mayo: also something else, unless it is told where somebody works or goes.
        const bool other =
            j == i + 1 && (kinds & (kEnglish | kMedical | kEponym | kTown | kName)) != 0;
        const bool at = i == from && before != nullptr && near(*before, words[i]) &&
                        is_one_of(before->small, {"at", "to", "for", "from", "by", "with", "of",
                                                  "outside", "via"});
        add(i, j, hospital ? "hospital" : "organisation", !other ? 0.94 : at ? 0.58 : 0.3);
        if (!other) {
          i = j - 1;
          break;
        }
      }
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
      if (words[i].capitals && j == i + 1 &&
          (words[i].small.size() < 4 || (clinical && !told && (kinds & (kMedical | kEponym)) != 0)))
        break;
      if (clinical && !told && j == to &&
          (names_thing(text, words, to) || is_finding_told(text, words, i, to)))
        break;
      // Boston, Denver, Montreal: scores and scales, where nothing says that somebody is there.
      const bool with_state =
          j < words.size() && text.substr(words[j - 1].end, 2) == ", " && words[j].capital;
      if (clinical && !told && !with_state && j == i + 1 && (kinds & kEponym) != 0 &&
          !(before != nullptr && i == from &&
            is_one_of(before->small, {"to", "via", "through", "outside", "leaving", "visiting"})))
        break;
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
  // Nurse Practitioner Galvez, Attending Physician
  while (first > from && first < to && (words[first].kinds & kName) == 0 &&
         is_one_of(words[first].small,
                   {"physician", "practitioner", "surgeon", "assistant", "manager", "provider",
                    "md", "doctor", "psychiatrist", "anesthesiologist", "radiologist"}))
    ++first;
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
      likeliness(words[from], {}) > 0.2) {
    add(from, end_of_name(from), "name", 0.85);
    return;
  }
  double best = 0;
  double sum = 0;
  for (std::size_t i = from; i < to; ++i) {
    const double likely = likeliness(words[i], kind);
    best = std::max(best, likely);
    sum += likely;
  }
  const double mean = sum / static_cast<double>(to - from);
  double certainty = 0.6 * best + 0.4 * mean;
  const bool announced = before != nullptr && announces_name(*before) && near(*before, words[from]);
  const bool followed = after != nullptr && follows_name(*after) && near(words[to - 1], *after);
  const bool owns = text.substr(words[to - 1].end, 2) == "'s";
  if (to - from == 2 && best > 0.5) certainty += 0.1;
  // With Doppler, from Foley: a thing is announced by the same words as a person, and does little.
  const bool told_of = clinical && is_finding_told(text, words, from, to);
  const bool perhaps_thing =
      clinical && to - from == 1 && (told_of || (words[from].kinds & (kEponym | kMedical)) != 0);
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
    certainty -= clinical && !announced && !follows_name(*after) && !speaks(*after) ? 0.45 : 0.25;
  // Gleason score, Graves' disease: named after somebody else.
  const bool thing = names_thing(text, words, to);
  if ((after != nullptr && !after->capital && names_finding(*after) &&
       gap(words[to - 1], *after).size() <= 3 && !announced) ||
      (clinical && thing) || (told_of && to - from < 3 && !announced))
    certainty -= 0.5;
  // Gleason 3+4, Apgar 9
  if (to - from == 1 && (words[from].kinds & kEponym) != 0 &&
      text.substr(words[from].end, 1) == " " && words[from].end + 1 < text.size() &&
      text[words[from].end + 1] >= '0' && text[words[from].end + 1] <= '9' && !announced)
    certainty -= 0.3;
  // Colace, Senna: in a list of medicines and findings.
  // General Appearance, Care Unit
  if (clinical && !announced && to - from > 1 && std::ranges::all_of(run, [](const NoteWord& w) {
        return w.capitals || w.symbol || w.small.size() < 3 ||
               ((w.kinds & (kEnglish | kMedical | kEponym)) != 0 &&
                ((w.kinds & kGiven) == 0 || (w.kinds & kFrequent) == 0));
      }))
    certainty -= 0.2;
  // Aquacel Ag, Child-Pugh B
  if (clinical && !announced && to - from == 2 && (words[from].kinds & kEponym) != 0 &&
      !words[to - 1].pointed && words[to - 1].small.size() < 3)
    certainty -= 0.3;
  // Coord: slowed
  if (clinical && to - from == 1 && words[from].begins &&
      (words[from].kinds == 0 || (words[from].kinds & kEponym) != 0) &&
      text.substr(words[from].end, 1) == ":")
    certainty -= words[from].kinds == 0 ? 0.2 : 0.4;
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
  // P. Chaudhry; not E. Coli
  if (to - from == 2 && words[from].small.size() == 1 && words[from].pointed &&
      words[from + 1].small.size() > 3 && (words[from + 1].kinds & kMedical) == 0 &&
      ((words[from + 1].kinds & kName) != 0 || (words[from + 1].kinds & kEnglish) == 0))
    certainty = std::max(certainty, 0.62);
  // The first word of a sentence has its capital from there.
  if (to - from == 1 && words[from].begins) {
    const auto k = words[from].kinds;
    certainty -= (k & kEnglish) != 0 ? 0.22 : (k & kName) != 0 ? 0 : k == 0 ? 0.1 : 0.25;
  }
  if (to - from == 1 && words[from].capitals) certainty -= words[from].small.size() < 5 ? 0.4 : 0.1;
  if (to - from > 4) certainty -= 0.3;
  if (words[from].small == "x" && to - from > 1 && words[from + 1].small == "ray") certainty = 0;
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
  // Transferred from NBMC, admitted to Quarry Hill, born at Mercy General.
  if (before != nullptr && near(*before, words[from]) &&
      is_one_of(before->small, {"from", "to", "at", "via", "by"}) && !names_illness && !told_of &&
      is_moved(words, from)) {
    const bool abbreviated = to - from == 1 && words[from].capitals;
    const bool unit = std::ranges::all_of(run, [](const NoteWord& word) {
      return (word.roles & (kGenericRole | kPracticeRole)) != 0 ||
             ((word.kinds & (kMedical | kCapitals)) != 0 &&
              (word.kinds & (kName | kTown | kHospital)) == 0) ||
             is_month_or_day(word);
    });
    const bool plain = to - from == 1 && (words[from].kinds & (kEnglish | kTown | kRegion)) != 0;
    if (!unit && !plain && words[from].small.size() > (abbreviated ? 2 : 3))
      add(from, to, "hospital", abbreviated ? 0.5 : 0.56);
  }
  // NBMC on a line of its own, at the head of a letter
  constexpr std::size_t kHead = 160;
  if (to - from == 1 && words[from].capitals && words[from].kinds == 0 &&
      words[from].start < kHead && words[from].small.size() > 2 && words[from].small.size() < 6 &&
      (words[from].start == 0 || text[words[from].start - 1] == '\n') &&
      (words[from].end == text.size() || text[words[from].end] == '\n' ||
       text[words[from].end] == '\r') &&
      text.size() > kHead)
    add(from, to, "hospital", 0.5);
  const bool office = after != nullptr && after->small == "office" && near(words[to - 1], *after);
  if (office) add(from, to, "organisation", 0.8);
  add(from, to, "name", certainty);
}

// Works at general dynamics, seen at memorial hermann: what many know by name, without capitals.
void add_small_companies(std::string_view text, const std::vector<NoteWord>& words, std::size_t at,
                         std::vector<Span>& candidates) {
  for (std::size_t end = std::min(words.size(), at + 3); end > at; --end) {
    const auto spelled = text.substr(words[at].start, words[end - 1].end - words[at].start);
    if (spelled.size() < 3 || spelled.find('\n') != std::string_view::npos) continue;
    const auto kinds = end == at + 1 ? words[at].kinds : kinds_of(spelled);
    if ((kinds & (kOrganisation | kHospital)) == 0) continue;
    const bool plain = end == at + 1 && (kinds & (kEnglish | kMedical)) != 0;
    const bool told = is_employer_told(words, at);
    if (plain && !told) continue;
    candidates.push_back({words[at].start, words[end - 1].end,
                          (kinds & kHospital) != 0 ? "hospital" : "organisation", 0.62});
    return;
  }
}

// Names and places that were typed without capitals: only what is no other word.
void add_small_candidates(std::string_view text, const std::vector<NoteWord>& words,
                          const TextKind& text_kind, std::vector<Span>& candidates) {
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
    if (text_kind.foreign && !word.shouted && (word.kinds & kFrequent) == 0) continue;
    const bool unknown =
        (word.kinds & (kEnglish | kMedical | kCapitals)) == 0 && word.small.size() > 3;
    const bool placed = i > 0 && is_one_of(words[i - 1].small,
                                           {"in", "from", "at", "near", "to", "for", "by", "with"});
    if (placed) add_small_companies(text, words, i, candidates);
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
    } else if ((word.kinds & kTown) != 0 && (word.kinds & kMedical) == 0 && word.small.size() > 6 &&
               i > 0 && is_one_of(words[i - 1].small, {"from", "in"})) {
      candidates.push_back({word.start, word.end, "location", 0.5});
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
               (is_one_of(words[i - 1].small, {"in", "from", "at", "near"}) ||
                (word.shouted && words[i - 1].small == "to" && is_moved(words, i)))) {
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
  constexpr std::string_view kStates =
      "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH "
      "NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY ";
  return text.size() == 2 && kStates.find(std::string(text) + " ") != std::string_view::npos;
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

// A text of medicine in which nothing is certain has nobody in it: what is left of its capitals are
// signs, scales and brands that no list has.
void doubt_where_nobody_is(std::string_view text, std::vector<Span>& candidates) {
  constexpr double kSure = 0.7;
  constexpr double kDoubtful = 0.66;
  constexpr double kDoubt = 0.6;
  if (std::ranges::any_of(candidates, [](const Span& span) { return span.certainty >= kSure; }))
    return;
  for (Span& span : candidates) {
    const bool by_words = span.type == "name" || span.type == "location" ||
                          span.type == "organisation" || span.type == "hospital";
    // What was typed small was found by the words around it.
    const bool small = text[span.start] >= 'a' && text[span.start] <= 'z';
    if (by_words && !small && span.certainty < kDoubtful) span.certainty *= kDoubt;
  }
}

}  // namespace

void add_word_candidates(std::string_view text, std::vector<Span>& candidates) {
  const auto words = words_of(text);
  const TextKind kind{is_clinical(words), is_foreign(words)};
  add_small_candidates(text, words, kind, candidates);
  if (!kind.foreign) add_unknown_small_words(words, candidates);
  for (std::size_t i = 0; i < words.size();) {
    if (!words[i].capital || is_month_or_day(words[i])) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    const auto is_particle = [&](std::size_t at) {
      return words[at].joined &&
             is_one_of(words[at].small,
                       {"van",  "von", "de",  "der", "den", "la",  "del", "da", "di",  "bin",
                        "bint", "al",  "el",  "y",   "of",  "u",   "am",  "an", "sur", "dos",
                        "do",   "ibn", "las", "los", "ter", "ten", "zu",  "af", "e",   "du"});
    };
    // de la Vega, van der Meulen
    const auto particle = [&](std::size_t at) {
      const std::size_t next =
          at + 2 < words.size() && words[at].small != "of" && is_particle(at) && is_particle(at + 1)
              ? at + 2
              : at + 1;
      return next < words.size() && is_particle(at) && words[next].joined && words[next].capital &&
             (!words[next].capitals || words[at - 1].capitals);
    };
    // A form of address begins another name: Ihre Patientin | Frau Annegret Meier.
    const auto addresses_another = [&](std::size_t at) {
      return is_form_of_address(words[at]) && !is_title(words[at - 1]);
    };
    while (
        end < words.size() &&
        ((words[end].capital && words[end].joined && !addresses_another(end)) || particle(end) ||
         (end > i + 1 && words[end - 1].capital == false && is_particle(end) && particle(end - 1))))
      ++end;
    // A sentence's first word that is nothing but a word does not belong to the name after it.
    std::size_t from = i;
    // 10 Hz Berger rhythm
    while (from + 1 < end && words[from].symbol && words[from].small.size() < 3) from = ++i;
    const bool initial = words[i].small.size() == 1 && text.substr(words[i].end, 1) == ".";
    if (end - i > 1 && words[i].begins && !initial && !is_title(words[i]) &&
        (is_everyday(words[i]) ||
         ((words[i].kinds & kName) == 0 && (words[i].kinds & (kEnglish | kMedical)) != 0 &&
          std::none_of(words.begin() + static_cast<std::ptrdiff_t>(i),
                       words.begin() + static_cast<std::ptrdiff_t>(end), [](const NoteWord& w) {
                         return is_hospital_word(w) || is_company_word(w) ||
                                (w.roles & kPracticeRole) != 0;
                       }))))
      ++from;
    judge_run(text, words, from, end, kind, candidates);
    i = end;
  }
  add_names_by_form(text, words, candidates);
  add_words_of_other_scripts(text, words, candidates);
  add_states(text, words, candidates);
  add_profession_candidates(text, words, candidates);
  add_form_fields(text, words, candidates);
  add_listed_names(text, words, candidates);
  with_titles(words, text, candidates);
  add_ages_of_names(text, candidates);
  if (kind.clinical) doubt_where_nobody_is(text, candidates);
}

}  // namespace pratique::notes
