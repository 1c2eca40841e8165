#include "pratique/notes/find/internal/profession_rules.h"

#include <algorithm>

namespace pratique::notes {
namespace {

using namespace words;  // NOLINT(google-build-using-namespace): its constants name kinds

// WordNet's workers, too, and its patients and smokers by their endings.
bool is_no_job(const NoteWord& word) {
  return is_one_of(
      word.small,
      {"man",      "woman",     "gentleman",  "gentlewoman",  "human",     "member",   "daughter",
       "brother",  "sister",    "smoker",     "drinker",      "toddler",   "teenager", "other",
       "former",   "caregiver", "never",      "ever",         "after",     "hand",     "boy",
       "girl",     "lady",      "page",       "user",         "abuser",    "partner",  "mother",
       "father",   "danger",    "fever",      "cancer",       "ulcer",     "tumor",    "liver",
       "bladder",  "newborn",   "loner",      "sleeper",      "eater",     "sufferer", "survivor",
       "driver's", "nonsmoker", "nondrinker", "disorder",     "over",      "under",    "regular",
       "second",   "heavy",     "factor",     "private",      "general",   "major",    "minor",
       "white",    "only",      "home",       "professional", "historian", "help",     "patient",
       "donor",    "carrier",   "runner",     "walker",       "client",    "relief",   "temp",
       "sitter",   "resident",  "candidate",  "power",        "finger",    "order",    "either",
       "water",    "poor"});
}

// Who is seen at work in every note.
bool treats(const NoteWord& word) {
  return is_one_of(word.small, {"historian",    "help",         "patient",
                                "surgeon",      "nurse",        "physician",
                                "doctor",       "therapist",    "specialist",
                                "donor",        "carrier",      "runner",
                                "walker",       "tech",         "model",
                                "client",       "relief",       "assistant",
                                "intern",       "resident",     "provider",
                                "practitioner", "temp",         "consultant",
                                "cardiologist", "neurologist",  "oncologist",
                                "radiologist",  "pathologist",  "psychiatrist",
                                "psychologist", "dietitian",    "anesthesiologist",
                                "urologist",    "nephrologist", "dermatologist",
                                "hospitalist",  "internist",    "interpreter",
                                "pediatrician", "gynecologist", "ophthalmologist",
                                "pharmacist",   "sitter"});
}

bool works_at(const NoteWord& word) {
  if ((word.kinds & kJob) != 0) return !is_no_job(word);
  if (word.small.size() < 5 || (word.kinds & kMedical) != 0) return false;
  for (const std::string_view ending : {"er", "or", "ist", "ian", "man", "ess", "eer"}) {
    if (word.small.ends_with(ending)) return !is_no_job(word);
  }
  return false;
}

bool is_job(const NoteWord& word) {
  return (word.kinds & kJob) != 0 && !is_no_job(word) && !treats(word);
}

class ProfessionRules {
 public:
  ProfessionRules(std::string_view text, const std::vector<NoteWord>& words,
                  std::vector<Span>& candidates)
      : text_(text), words_(words), candidates_(candidates) {}

  void add_all() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::size_t end = end_of_job(i);
      if (end == i || !is_told(i, end)) continue;
      candidates_.push_back({words_[i].start, words_[end - 1].end, "profession", 0.7});
      add_employer(end);
      i = end - 1;
    }
  }

 private:
  [[nodiscard]] std::string_view gap(std::size_t i) const {  // before the word
    return text_.substr(words_[i - 1].end, words_[i].start - words_[i - 1].end);
  }

  // Primary school teacher, truck driver: the last of up to three words is the job.
  [[nodiscard]] std::size_t end_of_job(std::size_t i) const {
    std::size_t end = i;
    for (std::size_t j = i; j < words_.size() && j < i + 3; ++j) {
      const bool capital = words_[j].capital && j > i && !words_[i].capital;
      if ((j > i && !words_[j].joined) || capital || (words_[j].kinds & (kEnglish | kJob)) == 0 ||
          (j > i &&
           is_one_of(words_[j].small, {"a", "an", "the", "and", "as", "at", "be", "for", "from",
                                       "has", "his", "her", "in", "of", "to", "with", "who"})))
        break;
      if (works_at(words_[j]) && (j == i || (words_[j].kinds & kJob) != 0)) end = j + 1;
    }
    if (end > i && is_one_of(words_[i].small,
                             {"a",  "an",   "the",  "as",  "in",  "at",       "of",      "for",
                              "on", "to",   "by",   "his", "her", "formerly", "retired", "and",
                              "or", "with", "from", "is",  "was", "no",       "not"}))
      return i;
    return end;
  }

  // 45M, warehouse worker; 26 y/o infantryman; nineteen-year-old college student
  [[nodiscard]] bool behind_age(std::size_t i) const {
    const NoteWord& before = words_[i - 1];
    const auto between = gap(i);
    if (between != " " && between != ", " && between != " - ") return false;
    const auto digit = [&](std::size_t at) {
      return before.start >= at && text_[before.start - at] >= '0' &&
             text_[before.start - at] <= '9';
    };
    if (is_one_of(before.small, {"yo", "yom", "yof", "m", "f", "y", "yr", "yrs"}))
      return digit(1) || digit(2) || (i > 1 && words_[i - 2].small == "y");
    if (before.small == "o" && i > 1 && words_[i - 2].small == "y") return true;
    if (before.small == "old")
      return i > 1 && is_one_of(words_[i - 2].small, {"year", "years", "yr", "yrs", "yo"});
    return is_one_of(before.small, {"male", "female"}) && (i < 2 || !is_kin(words_[i - 2]));
  }

  [[nodiscard]] bool is_told(std::size_t i, std::size_t end) const {
    const NoteWord& word = words_[i];
    const bool one_word = end == i + 1;
    const bool job = is_job(words_[end - 1]);
    // Firefighter, wants to return to work
    if (word.capital && !word.shouted) {
      const bool alone = word.begins && job && (word.kinds & (kName | kTown)) == 0 &&
                         text_.substr(words_[end - 1].end, 2) == ", " && word.small.size() > 4;
      return alone &&
             !is_one_of(word.small, {"patient", "student", "driver", "monitor", "director"});
    }
    if (i == 0) return false;
    const NoteWord& before = words_[i - 1];
    const auto at = [&](std::size_t back) -> const std::string& {
      static const std::string none;
      return i >= back ? words_[i - back].small : none;
    };
    const auto is_worker = [](const std::string& small) {
      return is_one_of(small, {"works", "worked", "employed", "working", "work", "job", "career",
                               "trained", "retired", "hired", "training", "served", "position"});
    };
    const bool article = is_one_of(before.small, {"a", "an", "the"});
    if (article && at(2) == "as" && (is_worker(at(3)) || is_worker(at(4))))
      return works_at(words_[end - 1]);
    if (before.small == "as" && is_worker(at(2))) return works_at(words_[end - 1]);
    const bool retired =
        is_one_of(before.small, {"retired", "former", "formerly", "unemployed", "ex"}) &&
        word.small != "smoker" && word.small != "drinker";
    if (retired && word.joined) return !one_word || works_at(word);
    if (at(2) == "formerly" && article) return works_at(words_[end - 1]);
    if (is_one_of(before.small, {"occupation", "profession", "employment", "occup", "job"}))
      return works_at(words_[end - 1]);
    if (behind_age(i)) return job && word.small != "right";
    // A cattle rancher near Cody; patient (mechanic); not farmer's lung, nor the teacher who
    // called.
    if ((words_[end - 1].kinds & kCertainJob) != 0 && !treats(words_[end - 1]) &&
        !is_one_of(before.small,
                   {"the", "by", "with", "via", "per", "our", "your", "no", "this", "that"}) &&
        text_.substr(words_[end - 1].end, 2) != "'s" &&
        text_.substr(words_[end - 1].end, 1) != "-" &&
        (end >= words_.size() || !words_[end].joined || !names_finding(words_[end])))
      return true;
    const bool sentence_goes_on = end < words_.size() && words_[end].joined;
    const auto after = text_.substr(words_[end - 1].end, 1);
    const bool closed =
        after.empty() || after == "." || after == "," || after == ";" || after == ")" ||
        after == "\n" ||
        (sentence_goes_on &&
         is_one_of(words_[end].small, {"at", "for", "from", "with", "in", "who", "and", "by",
                                       "until", "when", "but", "on", "since", "x"}));
    if (article && word.joined) {
      const bool is_one = is_one_of(at(2), {"is", "was", "been", "he's", "she's", "m", "s", "am",
                                            "im", "be", "as", "being", "became", "become"});
      if (is_one && job) return true;
      // Mum is a physiotherapist.
      if (is_one && at(2) != "as" && (words_[end - 1].kinds & kJob) != 0 &&
          !is_no_job(words_[end - 1]))
        return closed && i > 2 &&
               (is_kin(words_[i - 3]) || is_one_of(at(3), {"he", "she", "who", "i"}) ||
                words_[i - 3].capital);
      // Mehmet, a pharmacist from Izmir; (57), a teacher
      const auto between = i > 1 ? gap(i - 1) : std::string_view();
      if (before.small != "the" && (between == ", " || between == "), ") && closed && i > 1 &&
          (words_[i - 2].capital || between == "), " || is_kin(words_[i - 2])))
        return (words_[end - 1].kinds & kJob) != 0 && !is_no_job(words_[end - 1]);
      if (before.small != "the" && i > 1 && between == ", " && is_digit_before(i - 1))
        return (words_[end - 1].kinds & kJob) != 0 && !is_no_job(words_[end - 1]);
    }
    // Used to be a welder, works taxi driver
    if (article && at(2) == "be" && at(3) == "to") return works_at(words_[end - 1]);
    if (is_one_of(before.small, {"works", "worked"}) && word.joined) return job;
    const bool by_trade = i + 2 < words_.size() && words_[i + 1].small == "by" &&
                          is_one_of(words_[i + 2].small, {"trade", "profession", "training"});
    if (by_trade) return true;
    // , 57, retired; , truck driver, asking
    const bool kin_or_name =
        gap(i) == ", " && (before.capital || is_kin(before)) && (after == "," || after == ")");
    if (kin_or_name && job && !one_word) return true;
    return gap(i) == ", " && i + 1 < words_.size() &&
           words_[end < words_.size() ? end : i].small == "with" && job;
  }

  [[nodiscard]] bool is_digit_before(std::size_t i) const {
    const auto at = words_[i].start;
    return at > 2 && text_[at - 1] == ' ' && text_[at - 2] == ',' && text_[at - 3] >= '0' &&
           text_[at - 3] <= '9';
  }

  // A paralegal at Dunmore Reilly, bus driver for the MBTA
  void add_employer(std::size_t i) {
    if (i >= words_.size() || !words_[i].joined ||
        !is_one_of(words_[i].small, {"at", "for", "with", "of"}))
      return;
    std::size_t from = i + 1;
    if (from < words_.size() && is_one_of(words_[from].small, {"the", "a"})) ++from;
    std::size_t to = from;
    while (to < words_.size() && to < from + 4 && words_[to].joined && (words_[to].capital)) ++to;
    if (to == from) return;
    if (to - from == 1 && ((words_[from].kinds & kMedical) != 0 || is_month_or_day(words_[from])))
      return;
    // Of may also tell whose.
    const bool whose = words_[i].small == "of";
    candidates_.push_back(
        {words_[from].start, words_[to - 1].end, "organisation", whose ? 0.58 : 0.86});
  }

  std::string_view text_;
  const std::vector<NoteWord>& words_;
  std::vector<Span>& candidates_;
};

}  // namespace

void add_profession_candidates(std::string_view text, const std::vector<NoteWord>& words,
                               std::vector<Span>& candidates) {
  ProfessionRules(text, words, candidates).add_all();
}

}  // namespace pratique::notes
