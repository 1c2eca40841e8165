#include "pratique/notes/find/known_names.h"

#include <algorithm>

#include "pratique/core/ascii.h"
#include "pratique/notes/replace/note_date.h"
#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

constexpr std::size_t kLongEnoughForErrors = 5;

bool is_known_letter(char c) {
  const auto u = static_cast<unsigned char>(c);
  return u >= 0x80 || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z');
}

template <class Take>
void each_word(std::string_view text, const Take& take) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    while (at < text.size() && is_known_letter(text[at])) ++at;
    if (at > start) {
      take(start, at);
    } else {
      ++at;
    }
  }
}

bool is_other_word(std::string_view small) {
  return (words::kinds_of(small) & (words::kEnglish | words::kMedical)) != 0;
}

}  // namespace

bool one_typing_error_apart(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  std::size_t same = 0;
  while (same < a.size() && a[same] == b[same]) ++same;
  if (a.size() != b.size()) return a.substr(same) == b.substr(same + 1);
  if (same == a.size()) return false;
  if (a.substr(same + 1) == b.substr(same + 1)) return true;
  return same + 1 < a.size() && a[same] == b[same + 1] && a[same + 1] == b[same] &&
         a.substr(same + 2) == b.substr(same + 2);
}

std::vector<std::string> telling_words(std::string_view name) {
  std::vector<std::string> result;
  each_word(name, [&](std::size_t start, std::size_t end) {
    std::string small = words::folded(name.substr(start, end - start));
    if (small.size() < 3) return;
    for (const char* other :
         {"the",  "and",  "van",  "von", "der",     "dos", "los",  "las", "del", "jnr",  "dr.",
          "mrs",  "miss", "prof", "phd", "patient", "she", "her",  "his", "him", "this", "that",
          "with", "for",  "who",  "has", "was",     "had", "will", "xyz", "abc"}) {
      if (small == other) return;
    }
    // Dr. X. She: what is a word and no name anywhere is none of these.
    const auto kinds = words::kinds_of(small);
    if ((kinds & words::kEnglish) != 0 && (kinds & words::kName) == 0) return;
    result.push_back(std::move(small));
  });
  return result;
}

void KnownIdentifiers::add_name(std::string_view name) {
  for (auto& word : telling_words(name)) words.insert(std::move(word));
}

void KnownIdentifiers::add_initials(std::string_view name) {
  std::string letters;
  each_word(name, [&](std::size_t start, std::size_t /*end*/) {
    const char c = name[start];
    letters += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  const bool plain =
      std::all_of(letters.begin(), letters.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (plain && letters.size() > 2 && letters.size() < 6) initials.insert(std::move(letters));
}

void KnownIdentifiers::add_day(std::string_view date) {
  const auto day = day_of(date);  // YYYY-MM-DD
  if (!day) return;
  const std::string year = day->substr(0, 4);
  const std::string short_year = day->substr(2, 2);
  const auto plain = [](std::string part) { return part[0] == '0' ? part.substr(1) : part; };
  const std::string month = day->substr(5, 2);
  const std::string of_month = day->substr(8, 2);
  add_number(year + month + of_month, "date");
  for (const auto& written : {year, short_year}) {
    add_number(month + of_month + written, "date");
    add_number(of_month + month + written, "date");
    add_number(plain(month) + plain(of_month) + written, "date");
    add_number(plain(of_month) + plain(month) + written, "date");
  }
}

void KnownIdentifiers::add_number(std::string_view number, const std::string& type) {
  std::string digits;
  for (const char c : number) {
    if (is_digit(c)) digits += c;
  }
  if (digits.size() >= 4) numbers.emplace(std::move(digits), type);
}

void add_names_beside_known(std::string_view text, const KnownIdentifiers& known,
                            std::vector<Span>& candidates) {
  if (known.words.empty()) return;
  const bool small_text =
      std::none_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  struct Met {
    std::size_t start = 0, end = 0;
    bool known = false;
  };
  Met before;
  each_word(text, [&](std::size_t start, std::size_t end) {
    const std::string small = words::folded(text.substr(start, end - start));
    const Met now{start, end, known.words.contains(small)};
    const auto gap = text.substr(before.end, start - before.end);
    const auto may_be = [&](const Met& word) {
      const auto kinds = words::kinds_of(text.substr(word.start, word.end - word.start));
      // Mrs. Brewer will return: Will has a capital where others have.
      const char first = text[word.start];
      const bool given = (kinds & words::kGiven) != 0 && (kinds & words::kFrequent) != 0 &&
                         (small_text || !(first >= 'a' && first <= 'z'));
      return word.end - word.start > 2 && (kinds & words::kMedical) == 0 &&
             ((kinds & words::kEnglish) == 0 ? (kinds & words::kName) != 0 : given);
    };
    if (before.end > 0 && before.known != now.known && (gap == " " || gap == ", ")) {
      const Met& other = before.known ? now : before;
      // "maria smith" and "smith, maria"; not "son mike".
      const auto known_as =
          words::kinds_of(text.substr((before.known ? before : now).start,
                                      (before.known ? before.end - before.start : end - start)));
      const bool first = !before.known && (known_as & words::kFamily) == 0;
      if ((gap == ", " ? before.known : !first) && may_be(other) && small != "son")
        candidates.push_back({other.start, other.end, "name", 0.6});
    }
    before = now;
  });
}

void add_known_candidates(std::string_view text, const KnownIdentifiers& known,
                          std::vector<Span>& candidates) {
  if (!known.words.empty()) {
    // Where nobody is written with a capital, a given name is meant, whatever else it may mean.
    const bool small_text =
        std::none_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    const auto may_be_small = [&](const std::string& small) {
      const auto kinds = words::kinds_of(small);
      return small_text && (kinds & words::kGiven) != 0 && (kinds & words::kFrequent) != 0;
    };
    each_word(text, [&](std::size_t start, std::size_t end) {
      const auto spelled = text.substr(start, end - start);
      if (spelled.size() < 3) return;
      const std::string small = words::folded(spelled);
      const bool capital = !(spelled[0] >= 'a' && spelled[0] <= 'z');
      if (known.words.contains(small)) {
        // brown is a colour, Brown the patient.
        if (capital || !is_other_word(small) || may_be_small(small))
          candidates.push_back({start, end, "name", 0.9});
        return;
      }
      if (small.size() < kLongEnoughForErrors || is_other_word(small)) return;
      const bool close = std::any_of(known.words.begin(), known.words.end(), [&](const auto& word) {
        return word.size() >= kLongEnoughForErrors && one_typing_error_apart(word, small);
      });
      if (close) candidates.push_back({start, end, "name", 0.8});
    });
  }
  if (!known.initials.empty()) {
    each_word(text, [&](std::size_t start, std::size_t end) {
      if (end - start > 2 && known.initials.contains(std::string(text.substr(start, end - start))))
        candidates.push_back({start, end, "name", 0.6});
    });
  }
  if (known.numbers.empty()) return;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    std::string digits;
    std::size_t end = at;
    std::size_t last = at;
    while (end < text.size() && end < at + 32 &&
           (is_digit(text[end]) ||
            std::string_view(" -./()").find(text[end]) != std::string_view::npos)) {
      if (is_digit(text[end])) {
        digits += text[end];
        last = end + 1;
        if (const auto number = known.numbers.find(digits); number != known.numbers.end())
          candidates.push_back({at, last, number->second, 0.98});
      }
      ++end;
    }
    while (at < text.size() && is_digit(text[at])) ++at;
  }
}

}  // namespace pratique::notes
