#include "pratique/notes/find/internal/word_rules.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

using namespace words;  // NOLINT(google-build-using-namespace): its constants name kinds

struct NoteWord {
  std::size_t start = 0, end = 0;
  std::string small;  // folded
  std::uint16_t kinds = 0;
  std::uint32_t roles = 0;
  bool capital = false, capitals = false;
  bool shouted = false;  // in a line of capitals, where these tell nothing: taken for a small word
  bool pointed = false;  // a point is behind it
  bool symbol = false;
  bool begins = false;  // a sentence, a line or a quotation
  bool joined = false;  // only a blank, a hyphen or a point and a blank stands before it
};

bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

// What a word is for those around it.
enum Role : std::uint32_t {
  kTitleRole = 1U << 0U,
  kFormOfAddressRole = 1U << 1U,
  kClinicianTitleRole = 1U << 2U,
  kCredentialRole = 1U << 3U,
  kKinRole = 1U << 4U,
  kAnnouncesNameRole = 1U << 5U,
  kFollowsNameRole = 1U << 6U,
  kAnnouncesPlaceRole = 1U << 7U,
  kHospitalWordRole = 1U << 8U,
  kCompanyWordRole = 1U << 9U,
  kFindingRole = 1U << 10U,
  kMonthOrDayRole = 1U << 11U,
  kEverydayRole = 1U << 12U,  // also given names, and far more often words
};

struct WordsOfRole {
  Role role;
  std::string_view words;
};

constexpr WordsOfRole kRoles[] = {
    {kTitleRole,
     "attending attorney capt chaplain coach dear doctor dr frau herr judge lt madam "
     "maj miss mme mr mrs ms mx nurse officer pastor prof professor resident rev sgt "
     "sir sr sra"},
    {kFormOfAddressRole, "doctor dr frau herr madam miss mme mr mrs ms mx prof professor rev sir"},
    {kClinicianTitleRole,
     "attending doctor dr drs nurse physician prof professor resident surgeon"},
    {kCredentialRole,
     "aprn cnm crna dds dpm fnp frcp lcsw licsw lpn mbbs md msw np otr pa pharmd phd "
     "rn rrt"},
    {kKinRole,
     "aunt bf boyfriend bro brother bruder caregiver cousin dad daughter daughters "
     "daugter dgtr dtr ehefrau ehemann epouse esposa esposo father fiance fille fils "
     "friend gf girlfriend godmother granddaughter granddtr grandfather grandma "
     "grandmother grandpa grandson guardian hcp hija hijo husband inlaw mari mom "
     "mother mutter nana neighbor nephew niece papa partner roomate roommate "
     "schwester sis sister sohn son sons spouse stepdad stepdaughter stepfather "
     "stepmom stepmother stepson tochter uncle vater wife"},
    {kAnnouncesNameRole,
     "am attn by called cc client contact from hello hi is md me name named patient "
     "physician provider pt rn signed surgeon with"},
    {kFollowsNameRole,
     "and asked called can dds denies do esq explained had has is jr lived lives lpn "
     "md np pa phd presented reports rn said says shouted spent states was will "
     "works wrote"},
    {kAnnouncesPlaceRole,
     "at born city country from in live lives moved near of state to town visit "
     "visited"},
    {kHospitalWordRole, "clinic hospice hospital infirmary klinikum krankenhaus memorial"},
    {kCompanyWordRole,
     "agency airlines analytics association bank church co college company "
     "consulting corp corporation enterprises foundation gmbh group health holdings "
     "inc industries institute insurance international labs llc ltd media networks "
     "partners school services software solutions sons stores systems technologies "
     "university ventures"},
    {kFindingRole,
     "angle anomaly bandage block bodies body boot brace catheter catheters cells "
     "clamp classification collar contracture criteria cyst deformity disease drain "
     "drains esophagus forceps formula fracture grade graft hernia incision index "
     "line lymphoma maneuver method mucosa nail needle node nodes palsy phenomenon "
     "plate position procedure prosthesis reflex repair retractor rods scale score "
     "screw sign stage stain stent syndrome test tests tube tumor ulcer wire wires"},
    {kMonthOrDayRole,
     "april august december february friday january july june march may monday "
     "november october saturday september sunday thursday tuesday wednesday"},
    {kEverydayRole,
     "a admit age alert all am american an and any are art as ask at avec bad be "
     "best bill black blood brown but by call can case chest china cipro clear con "
     "dans das date day dear del denies der des die discharge do dob dr early een "
     "ein eine english er est fax foot for frau french german go god good gray green "
     "grey had hand has have he head her herr het hi his history home hope how i if "
     "in is it just ki lab labs las left les like long los love low mae man max may "
     "md me member mild min mit monday more most mr mrs ms my na name neck new no "
     "not of ok on one or our page pain para patient per plan please por pour price "
     "prior rash re regards right rn san see sehr service sex sharp she sincerely "
     "sir small so soft some son song sur tel temp thanks that the then there they "
     "this to two una und une unit up us va van von was we what when where white who "
     "why will xl yes you young your"},
};

std::uint32_t roles_of(std::string_view word) {
  static const std::unordered_map<std::string_view, std::uint32_t> table = [] {
    std::unordered_map<std::string_view, std::uint32_t> roles;
    for (const auto& [role, listed] : kRoles) {
      for (std::string_view rest = listed; !rest.empty();) {
        const auto one = rest.substr(0, rest.find(' '));
        roles[one] |= role;
        rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      }
    }
    return roles;
  }();
  const auto found = table.find(word);
  return found == table.end() ? 0 : found->second;
}

bool is_form_of_address(const NoteWord& word) { return (word.roles & kFormOfAddressRole) != 0; }
bool is_clinician_title(const NoteWord& word) { return (word.roles & kClinicianTitleRole) != 0; }
bool is_credential(const NoteWord& word) { return (word.roles & kCredentialRole) != 0; }
bool is_kin(const NoteWord& word) { return (word.roles & kKinRole) != 0; }
bool announces_name(const NoteWord& word) { return (word.roles & kAnnouncesNameRole) != 0; }
bool follows_name(const NoteWord& word) { return (word.roles & kFollowsNameRole) != 0; }
bool announces_place(const NoteWord& word) { return (word.roles & kAnnouncesPlaceRole) != 0; }
bool is_hospital_word(const NoteWord& word) { return (word.roles & kHospitalWordRole) != 0; }
bool is_company_word(const NoteWord& word) { return (word.roles & kCompanyWordRole) != 0; }
bool names_finding(const NoteWord& word) { return (word.roles & kFindingRole) != 0; }
bool is_month_or_day(const NoteWord& word) { return (word.roles & kMonthOrDayRole) != 0; }
bool is_everyday(const NoteWord& word) { return (word.roles & kEverydayRole) != 0; }
// SR is a sinus rhythm and ms contin a drug: what is also another word needs its point.
bool is_title(const NoteWord& word) {
  if ((word.roles & kTitleRole) == 0) return false;
  // Mild MR, trace TR: a heart's.
  if (word.small == "mr" || word.small == "dr")
    return word.pointed || word.shouted || !word.capitals;
  const bool other = word.small == "sr" || word.small == "ms" || word.small == "lt" ||
                     word.small == "sra" || word.small == "maj";
  return !other || word.pointed || (word.capital && !word.capitals && !word.shouted);
}

// LFTs, FiO, PrP: signs of a laboratory, not of a person.
bool is_symbol(std::string_view spelled) {
  std::size_t capitals = 0;
  for (const char c : spelled) capitals += c >= 'A' && c <= 'Z' ? 1 : 0;
  const bool plural = spelled.size() > 2 && spelled.back() == 's' && capitals + 1 == spelled.size();
  return plural || (spelled.size() < 5 && capitals > 1 && capitals < spelled.size());
}

// What no list has may still be made of a word that one has: respirations, inferiorly, nonfocal.
std::uint16_t kinds_of_derived(const std::string& small) {
  if (small.size() < 6) return 0;
  const auto is_word = [](std::string_view stem) {
    return stem.size() > 3 && (kinds_of(stem) & (kEnglish | kMedical)) != 0;
  };
  const auto bare = [&](std::string_view word) {
    if (is_word(word)) return true;
    for (const std::string_view ending : {"s", "es", "ly", "ed", "ing", "al", "able"}) {
      if (word.ends_with(ending) && is_word(word.substr(0, word.size() - ending.size())))
        return true;
    }
    return false;
  };
  if (bare(small)) return kEnglish;
  for (const std::string_view beginning :
       {"non",     "un",      "re",    "pre",   "post",  "peri",  "intra",  "hyper", "hypo",
        "anti",    "sub",     "inter", "trans", "micro", "macro", "immuno", "neuro", "cardio",
        "electro", "thermo",  "multi", "bi",    "over",  "under", "para",   "poly",  "osteo",
        "gastro",  "broncho", "echo",  "retro", "supra", "infra", "mid",    "super", "ultra",
        "de",      "dis",     "mis",   "co",    "auto",  "hemi",  "myo"}) {
    if (small.starts_with(beginning) && bare(std::string_view(small).substr(beginning.size())))
      return kEnglish;
  }
  return 0;
}

// SON DENNIS IN TO VISIT. RESP- LS CLEAR: where whole lines are written so, a capital tells
// nothing. A short line, and one that a word with a colon opens, may be a heading or somebody's
// name.
void mark_shouted(std::string_view text, std::vector<NoteWord>& words) {
  constexpr std::size_t kHeading = 6;  // words
  for (std::size_t from = 0; from < words.size();) {
    std::size_t to = from;
    std::size_t capitals = 0;
    std::size_t all = 0;
    const std::size_t line_end = std::min(text.find('\n', words[from].start), text.size());
    for (; to < words.size() && words[to].start < line_end; ++to) {
      if (words[to].end - words[to].start < 2) continue;
      ++all;
      capitals += words[to].capitals ? 1 : 0;
    }
    const auto last = text.find_last_not_of(" \t\r", line_end == 0 ? 0 : line_end - 1);
    const bool sentence = all > 3 && last != std::string_view::npos && text[last] == '.' &&
                          text.substr(words[from].start, line_end - words[from].start).find(':') ==
                              std::string_view::npos;
    if ((all > kHeading || sentence) && capitals * 10 >= all * 8) {
      for (std::size_t i = from; i < to; ++i) {
        words[i].shouted = words[i].capitals || words[i].end - words[i].start == 1;
        if (words[i].shouted) words[i].capital = words[i].capitals = words[i].symbol = false;
      }
    }
    from = to;
  }
}

std::vector<NoteWord> words_of(std::string_view text) {
  std::vector<NoteWord> result;
  std::size_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word_byte(text[at]) || text.substr(at, 2) == "\xE2\x80" ||
        text.substr(at, 2) == "\xC2\xA0") {
      at += text.substr(at, 2) == "\xE2\x80" ? 3 : text.substr(at, 2) == "\xC2\xA0" ? 2 : 1;
      at = std::min(at, text.size());
      continue;
    }
    NoteWord word;
    word.start = at;
    while (at < text.size() && ((is_word_byte(text[at]) && text.substr(at, 2) != "\xE2\x80") ||
                                (text[at] == '\'' && at + 2 < text.size() &&
                                 is_word_byte(text[at + 1]) && is_word_byte(text[at + 2]))))
      ++at;
    word.end = at;
    const auto spelled = text.substr(word.start, word.end - word.start);
    word.small = folded(spelled);
    word.kinds = kinds_of(word.small);
    if (word.kinds == 0) word.kinds = kinds_of_derived(word.small);
    word.roles = roles_of(word.small);
    word.pointed = at < text.size() && text[at] == '.';
    // A capital folds to something else than itself.
    const std::size_t first = static_cast<unsigned char>(spelled[0]) >= 0xC2 ? 2 : 1;
    const auto head = spelled.substr(0, std::min(first, spelled.size()));
    word.capital =
        (spelled[0] >= 'A' && spelled[0] <= 'Z') ||
        (head.size() == 2 &&
         ((head[0] == '\xC3' && head[1] < '\x9F') || (head[0] == '\xC4' && head[1] % 2 == 0) ||
          (head[0] == '\xC5') || (head[0] == '\xCE') || (head[0] == '\xD0')));
    word.symbol = is_symbol(spelled);
    word.capitals = spelled.size() > 1 && std::none_of(spelled.begin(), spelled.end(),
                                                       [](char c) { return c >= 'a' && c <= 'z'; });
    const auto gap = text.substr(before, word.start - before);
    word.begins = result.empty() || gap.find_first_of("\n.!?:\"") != std::string_view::npos;
    // A point joins what is shortened (J. Smith, Dr. Lee), and ends a sentence otherwise (Dr. X.
    // She).
    const bool shortened = gap == ". " && !result.empty() &&
                           result.back().end - result.back().start <= 3 && !is_everyday(word) &&
                           ((word.kinds & kEnglish) == 0 || (word.kinds & kName) != 0);
    word.joined = !result.empty() && (gap == " " || gap == "-" || shortened || gap == " & ");
    before = at;
    result.push_back(std::move(word));
  }
  mark_shouted(text, result);
  return result;
}

bool is_one_of(const std::string& word, std::initializer_list<std::string_view> words) {
  if (word.empty()) return false;
  // Most words differ in length or first letter: this is asked for every word many times.
  return std::any_of(words.begin(), words.end(), [&](std::string_view other) {
    return other.size() == word.size() && other[0] == word[0] && other == word;
  });
}

// How likely a word with a capital is a part of a name, by the lists alone.
double likeliness(const NoteWord& word) {
  const auto k = word.kinds;
  if (word.small.size() < 2 || is_month_or_day(word)) return 0;
  if (word.symbol) return 0.1;
  if (is_everyday(word)) return 0.1;
  const bool name = (k & kName) != 0;
  const bool english = (k & kEnglish) != 0;
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

void judge_run(std::string_view text, const std::vector<NoteWord>& words, std::size_t from,
               std::size_t to, std::vector<Span>& candidates) {
  const NoteWord* before = from > 0 ? &words[from - 1] : nullptr;
  const NoteWord* after = to < words.size() ? &words[to] : nullptr;
  const auto gap = [&](const NoteWord& a, const NoteWord& b) {
    return text.substr(a.end, b.start - a.end);
  };
  const auto near = [&](const NoteWord& a, const NoteWord& b) {
    const auto between = gap(a, b);
    // A point behind a word that is not short ends a sentence: seen with his sister. Prior records
    return between.size() < 5 && between.find('\n') == std::string_view::npos &&
           (a.small.size() < 5 || is_title(a) || between.find('.') == std::string_view::npos);
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
  if (std::all_of(words.begin() + static_cast<std::ptrdiff_t>(from),
                  words.begin() + static_cast<std::ptrdiff_t>(to), [](const NoteWord& word) {
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
    if ((is_hospital_word(words[i]) || center || home) && (i > from || of))
      add(from, of ? to : i + 1, "hospital", 0.93);
    if (is_company_word(words[i]) && (i > from || of))
      add(from, of ? to : i + 1, "organisation", 0.92);
  }
  // Places by the lists, the longest first.
  for (std::size_t i = from; i < to; ++i) {
    for (std::size_t j = std::min(to, i + 4); j > i; --j) {
      const auto kinds =
          j == i + 1 ? words[i].kinds
                     : kinds_of(text.substr(words[i].start, words[j - 1].end - words[i].start));
      if ((kinds & (kTown | kRegion)) == 0 || words[j - 1].end - words[i].start < 4) continue;
      // Kellgren-Lawrence
      if (j == i + 1 && i > from && gap(words[i - 1], words[i]) == "-") break;
      if (words[i].small == "cipro") break;  // Cyprus to Italians, and a drug to all others
      const bool told =
          before != nullptr && i == from && announces_place(*before) && near(*before, words[i]);
      const bool region = (kinds & kRegion) != 0;
      const bool plain = (kinds & kEnglish) != 0;
      if (words[i].capitals && j == i + 1 && words[i].small.size() < 4) break;
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
  const bool titled = before != nullptr && is_title(*before) && near(*before, words[from]);
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
      likeliness(words[from]) > 0.2) {
    add(from, end_of_name(from), "name", 0.85);
    return;
  }
  double best = 0;
  double sum = 0;
  for (std::size_t i = from; i < to; ++i) {
    const double one = likeliness(words[i]);
    best = std::max(best, one);
    sum += one;
  }
  const double mean = sum / static_cast<double>(to - from);
  double certainty = 0.6 * best + 0.4 * mean;
  const bool announced = before != nullptr && announces_name(*before) && near(*before, words[from]);
  const bool followed = after != nullptr && follows_name(*after) && near(words[to - 1], *after);
  const bool owns = text.substr(words[to - 1].end, 2) == "'s";
  if (to - from == 2 && best > 0.5) certainty += 0.1;
  if (announced) certainty += 0.15;
  if (followed) certainty += 0.15;
  if (owns && (words[to - 1].kinds & kEponym) == 0) certainty += 0.1;
  if (owns && (words[to - 1].kinds & kEponym) != 0) certainty -= 0.25;
  // An eponym before a small word: Foley catheter.
  if (after != nullptr && !after->capital && near(words[to - 1], *after) &&
      (words[to - 1].kinds & kEponym) != 0 && (after->kinds & kMedical) != 0)
    certainty -= 0.25;
  // Gleason score, Graves' disease: named after somebody else.
  if (after != nullptr && !after->capital && names_finding(*after) &&
      gap(words[to - 1], *after).size() <= 3 && !announced)
    certainty -= 0.5;
  // Gleason 3+4, Apgar 9
  if (to - from == 1 && (words[from].kinds & kEponym) != 0 &&
      text.substr(words[from].end, 1) == " " && words[from].end + 1 < text.size() &&
      text[words[from].end + 1] >= '0' && text[words[from].end + 1] <= '9' && !announced)
    certainty -= 0.3;
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
    const bool listed = std::any_of(words.begin() + static_cast<std::ptrdiff_t>(from),
                                    words.begin() + static_cast<std::ptrdiff_t>(to),
                                    [](const NoteWord& w) { return (w.kinds & kMedical) != 0; });
    add(from, to, "location", listed ? certainty : certainty + (best > 0.4 ? 0.15 : 0.05));
  }
  const bool introduced =
      before != nullptr && near(*before, words[from]) &&
      is_one_of(before->small,
                {"for", "became", "joined", "by", "with", "the", "year", "called"}) &&
      std::none_of(words.begin() + static_cast<std::ptrdiff_t>(from),
                   words.begin() + static_cast<std::ptrdiff_t>(to), [](const NoteWord& w) {
                     return (w.kinds & (kMedical | kEponym | kCapitals)) != 0;
                   });
  // Places in capitals: moved here from SAINT-PRIEST.
  if (placed && words[from].capitals && words[to - 1].end - words[from].start >= 5 &&
      std::all_of(words.begin() + static_cast<std::ptrdiff_t>(from),
                  words.begin() + static_cast<std::ptrdiff_t>(to), [](const NoteWord& w) {
                    return (w.kinds & (kMedical | kEnglish | kCapitals)) == 0;
                  }))
    add(from, to, "location", 0.6);
  // Two words with capitals within a sentence are called so, whatever they mean.
  if (to - from > 1 && !words[from].begins && !words[from].capitals && best < 0.5)
    add(from, to, "organisation", 0.42 + (placed || introduced ? 0.12 : 0));
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
    const bool titled = i > 0 && is_title(words[i - 1]) && word.small.size() > 2 &&
                        !is_everyday(word) && (!plain || (word.kinds & kName) != 0);
    // "says péter", "named him randy"
    const bool told =
        i > 0 && (word.kinds & kGiven) != 0 && word.small.size() > 2 && !is_everyday(word) &&
        (is_one_of(words[i - 1].small, {"says", "said", "named"}) ||
         (i > 1 && words[i - 2].small == "named" && is_one_of(words[i - 1].small, {"him", "her"})));
    // "dtr chidinma", "my wife tanya": who is kin and called by no other word.
    const bool kin =
        i > 0 && word.joined && is_kin(words[i - 1]) && !words[i - 1].pointed &&
        word.small.size() > 2 && !is_everyday(word) &&
        (word.kinds == 0 || (word.kinds & kGiven) != 0 || ((word.kinds & kFamily) != 0 && !plain));
    // "pt maria": a given name of many countries, whatever else it may mean.
    const bool patient =
        i > 0 && word.joined && is_one_of(words[i - 1].small, {"pt", "patient", "client"}) &&
        (word.kinds & kGiven) != 0 && (word.kinds & kFrequent) != 0 && word.small.size() > 2 &&
        (word.kinds & kMedical) == 0 && !is_everyday(word);
    // "k. obrien, rn", "tammy rn"
    const bool clinician = i + 1 < words.size() && is_credential(words[i + 1]) && !plain &&
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

// "works as a carpenter", "a 61-year-old farmer", "is a retired nurse"
void add_professions(const std::vector<NoteWord>& words, std::vector<Span>& candidates) {
  for (std::size_t i = 2; i < words.size(); ++i) {
    const bool works = i > 2 && is_one_of(words[i - 1].small, {"a", "an"}) &&
                       words[i - 2].small == "as" &&
                       is_one_of(words[i - 3].small, {"works", "worked", "employed", "working"});
    const auto works_at = [&](const NoteWord& word) {
      return (word.kinds & kJob) != 0 || word.small.ends_with("er") || word.small.ends_with("or") ||
             word.small.ends_with("ist") || word.small.ends_with("ian") ||
             word.small.ends_with("man") || word.small.ends_with("nurse");
    };
    const bool retired = (words[i - 1].small == "retired" || words[i - 1].small == "former") &&
                         (is_one_of(words[i - 2].small, {"a", "the"}) || works_at(words[i])) &&
                         words[i].small != "smoker" && words[i].small != "drinker";
    const bool occupation =
        is_one_of(words[i - 1].small, {"occupation", "profession", "employment"}) &&
        works_at(words[i]);
    const bool old = words[i - 1].small == "old" &&
                     is_one_of(words[i - 2].small, {"year", "years"}) &&
                     (words[i].small.ends_with("er") || words[i].small.ends_with("or") ||
                      words[i].small.ends_with("ant") || words[i].small.ends_with("ist") ||
                      words[i].small.ends_with("ian") || (words[i].kinds & kJob) != 0 ||
                      is_one_of(words[i].small, {"nurse", "cook", "lawyer", "clerk"})) &&
                     words[i].small != "former" && words[i].small != "right" && !is_kin(words[i]);
    if ((((works || retired || old) && words[i].joined) || occupation) && !words[i].capital)
      candidates.push_back({words[i].start, words[i].end, "profession", 0.7});
  }
}

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
    const bool label = is_one_of(words[i].small, {"name", "patient", "re", "pt", "client", "member",
                                                  "insured", "guarantor", "subscriber"});
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
             words[at + 1].capital &&
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
         ((words[i].kinds & kName) == 0 && (words[i].kinds & kEnglish) != 0 &&
          std::none_of(words.begin() + static_cast<std::ptrdiff_t>(i),
                       words.begin() + static_cast<std::ptrdiff_t>(end), [](const NoteWord& w) {
                         return is_hospital_word(w) || is_company_word(w);
                       }))))
      ++from;
    judge_run(text, words, from, end, candidates);
    i = end;
  }
  add_labelled_names(text, words, candidates);
  add_initials(text, words, candidates);
  add_words_of_other_scripts(text, words, candidates);
  add_states(text, words, candidates);
  add_professions(words, candidates);
  add_listed_names(text, words, candidates);
  with_titles(words, text, candidates);
}

}  // namespace pratique::notes
