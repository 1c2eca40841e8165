#include "pratique/verify/text_identifiers.h"

#include <algorithm>
#include <array>
#include <string>

namespace pratique::verify {
namespace {

struct NotePiece {
  enum class Kind { number, word, sign };
  Kind kind;
  std::size_t start;
  std::size_t end;
};

NotePiece::Kind piece_kind(char c) {
  const auto u = static_cast<unsigned char>(c);
  if (u >= '0' && u <= '9') return NotePiece::Kind::number;
  const bool letter = u >= 0x80 || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z');
  return letter ? NotePiece::Kind::word : NotePiece::Kind::sign;
}

std::string small_letters(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

int value_of(std::string_view digits) {
  int value = 0;
  for (const char c : digits.substr(0, 6)) value = value * 10 + (c - '0');
  return value;
}

bool tells_year(std::string_view digits) {
  return digits.size() == 4 && value_of(digits) >= 1850 && value_of(digits) < 2150;
}

bool tells_day_and_month(std::string_view a, std::string_view b) {
  if (a.size() > 2 || b.size() > 2) return false;
  const int first = value_of(a);
  const int second = value_of(b);
  return first >= 1 && second >= 1 && first <= 31 && second <= 31 && std::min(first, second) <= 12;
}

bool names_month(std::string_view word) {
  constexpr std::array<std::string_view, 24> kMonths = {
      "january",   "february", "march",    "april",    "may",  "june", "july", "august",
      "september", "october",  "november", "december", "jan",  "feb",  "mar",  "apr",
      "jun",       "jul",      "aug",      "sep",      "sept", "oct",  "nov",  "dec"};
  const std::string small = small_letters(word);
  // "may" and "mar" in small letters are words far more often.
  if ((small == "may" || small == "mar" || small == "march") && word == small) return false;
  return std::find(kMonths.begin(), kMonths.end(), small) != kMonths.end();
}

bool is_state(std::string_view word) {
  constexpr std::string_view kStates =
      "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH "
      "NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY ";
  return word.size() == 2 && kStates.find(std::string(word) + " ") != std::string_view::npos;
}

// What may stand in the brackets of a tag: three letters for a name, one for an initial, a year,
// three digits of a ZIP, an age.
bool is_plain_content(std::string_view content) {
  if (content == "over 89" || content == "000" || tells_year(content)) return true;
  if (content.size() == 3 &&
      std::all_of(content.begin(), content.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return true;
  std::size_t letters = 0;
  for (const char c : content) {
    if (c >= 'A' && c <= 'Z') {
      if (++letters > 3) return false;
    } else if (c == ' ' || c == ',') {
      if (letters == 2) return false;
      letters = 0;
    } else {
      return false;
    }
  }
  return letters == 1 || letters == 3;
}

// The end of a tag at `at`; `at` where there is none.
std::size_t end_of_tag(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "**") return at;
  std::size_t end = at + 2;
  while (end < text.size() && ((text[end] >= 'A' && text[end] <= 'Z') || text[end] == '-')) ++end;
  if (end - at < 4) return at;
  if (end >= text.size() || text[end] != '[') return end;
  const auto close = text.find(']', end);
  if (close == std::string_view::npos) return end;
  return is_plain_content(text.substr(end + 1, close - end - 1)) ? close + 1 : end;
}

class NoteReading {
 public:
  NoteReading(std::string_view text, bool surrogates) : text_(text), surrogates_(surrogates) {
    for (std::size_t at = 0; at < text.size();) {
      const auto kind = piece_kind(text[at]);
      std::size_t end = at + 1;
      if (text[at] == '*') {
        // A tag is one sign, which stands between what is before and behind it.
        const std::size_t tag = end_of_tag(text, at);
        end = std::max(end, tag);
      }
      while (kind != NotePiece::Kind::sign && end < text.size() && piece_kind(text[end]) == kind)
        ++end;
      pieces_.push_back({kind, at, end});
      at = end;
    }
  }

  std::vector<TextIdentifier> all() {
    for (std::size_t i = 0; i < pieces_.size();) {
      const std::size_t next = look_at(i);
      i = std::max(next, i + 1);
    }
    return std::move(found_);
  }

 private:
  using Kind = NotePiece::Kind;
  [[nodiscard]] bool number(std::size_t i) const {
    return i < pieces_.size() && pieces_[i].kind == Kind::number;
  }
  [[nodiscard]] bool word(std::size_t i) const {
    return i < pieces_.size() && pieces_[i].kind == Kind::word;
  }
  [[nodiscard]] bool sign(std::size_t i, std::string_view signs) const {
    return i < pieces_.size() && pieces_[i].kind == Kind::sign &&
           pieces_[i].end == pieces_[i].start + 1 &&
           signs.find(text_[pieces_[i].start]) != std::string_view::npos;
  }
  [[nodiscard]] std::string_view at(std::size_t i) const {
    return text_.substr(pieces_[i].start, pieces_[i].end - pieces_[i].start);
  }
  [[nodiscard]] bool numbers(std::size_t i, std::string_view between,
                             std::initializer_list<std::size_t> lengths) const {
    std::size_t place = i;
    for (const std::size_t length : lengths) {
      if (place != i) {
        if (!sign(place, between)) return false;
        ++place;
      }
      if (!number(place) || at(place).size() != length) return false;
      ++place;
    }
    return !number(place) && !(sign(place, "-") && number(place + 1));
  }
  std::size_t take(std::size_t from, std::size_t to, std::string_view type) {
    found_.push_back({pieces_[from].start, pieces_[to - 1].end, type});
    return to;
  }
  // The digits of pieces from..to.
  [[nodiscard]] std::string digits(std::size_t from, std::size_t to) const {
    std::string result;
    for (std::size_t i = from; i < to; ++i) {
      if (number(i)) result += at(i);
    }
    return result;
  }
  [[nodiscard]] bool reserved_phone(std::size_t from, std::size_t to) const {
    const std::string all = digits(from, to);
    return surrogates_ && all.size() >= 7 && all.substr(all.size() - 7, 5) == "55501";
  }
  [[nodiscard]] bool reserved_number(std::size_t from, std::size_t to) const {
    return surrogates_ && digits(from, to).starts_with("000");
  }
  [[nodiscard]] bool reserved_host(std::size_t from, std::size_t to) const {
    if (!surrogates_) return false;
    const std::string text =
        small_letters(text_.substr(pieces_[from].start, pieces_[to - 1].end - pieces_[from].start));
    return text.find("example.org") != std::string::npos &&
           (text.ends_with("example.org") || text.ends_with("example.org/"));
  }

  std::size_t look_at(std::size_t i) {
    if (sign(i, "@")) return email(i);
    if (word(i)) return after_word(i);
    if (sign(i, "(") && number(i + 1) && at(i + 1).size() == 3 && sign(i + 2, ")")) {
      const std::size_t next = sign(i + 3, " -") ? i + 4 : i + 3;
      if (numbers(next, "-. ", {3, 4}))
        return reserved_phone(i, next + 3) ? next + 3 : take(i, next + 3, "phone");
    }
    if (sign(i, "+") && number(i + 1)) {
      std::size_t end = i + 1;
      while (number(end) || (sign(end, " ().-") && (number(end + 1) || sign(end + 1, "( ")))) ++end;
      if (digits(i, end).size() >= 10) return reserved_phone(i, end) ? end : take(i, end, "phone");
    }
    if (number(i)) return at_number(i);
    return i + 1;
  }

  std::size_t email(std::size_t i) {
    if (i == 0 || !(word(i - 1) || number(i - 1))) return i + 1;
    std::size_t from = i - 1;
    while (from > 0 && (word(from - 1) || number(from - 1) || sign(from - 1, "._%+-"))) --from;
    if (!found_.empty() && found_.back().end > pieces_[from].start) return i + 1;
    std::size_t end = i + 1;
    while (word(end) || number(end) || (sign(end, ".-") && (word(end + 1) || number(end + 1))))
      ++end;
    if (end == i + 1) return end;
    return reserved_host(from, end) ? end : take(from, end, "email");
  }

  std::size_t after_word(std::size_t i) {
    const std::string small = small_letters(at(i));
    const bool scheme = (small == "http" || small == "https" || small == "ftp") &&
                        sign(i + 1, ":") && sign(i + 2, "/") && sign(i + 3, "/");
    const bool www = small == "www" && sign(i + 1, ".") && (word(i + 2) || number(i + 2));
    if (scheme || www) {
      std::size_t end = i + 2;
      while (end < pieces_.size() && !sign(end, " \t\r\n<>\"',;)")) ++end;
      while (end > i + 2 && sign(end - 1, ".")) --end;
      return reserved_host(i, end) ? end : take(i, end, "url");
    }
    if (names_month(at(i))) {
      // March 5, 2011; Mar. 2011
      std::size_t next = i + 1;
      while (next < i + 4 && sign(next, " .,-")) ++next;
      if (number(next) && at(next).size() <= 4 && !sign(next + 1, "%") &&
          (at(next).size() != 3 || tells_year(at(next))) && value_of(at(next)) > 0) {
        std::size_t end = next + 1;
        if (word(end) && at(end).size() == 2 && pieces_[end].start == pieces_[next].end) ++end;
        std::size_t year = end;
        while (year < end + 3 && sign(year, " ,")) ++year;
        if (number(year) && tells_year(at(year))) end = year + 1;
        if (at(next).size() <= 2 || tells_year(at(next))) return take(i, end, "date");
      }
    }
    const bool gentle = small == "mr" || small == "mrs" || small == "ms" || small == "miss";
    const bool learned = small == "dr" || small == "prof";
    if ((gentle || learned) && at(i)[0] != small[0]) {
      std::size_t next = i + 1;
      while (next < i + 3 && sign(next, " .")) ++next;
      if (next > i + 1 && word(next) && at(next).size() > 2 && at(next)[0] >= 'A' &&
          at(next)[0] <= 'Z')
        return take(next, next + 1, gentle ? "name" : "clinician");
    }
    if (small == "mrn" || small == "ssn" || small == "account" || small == "acct") {
      std::size_t next = i + 1;
      while (next < i + 4 && (sign(next, " :#."))) ++next;
      if (number(next) && at(next).size() >= 4 && next > i + 1) {
        std::size_t end = next + 1;
        while (sign(end, "-") && number(end + 1)) end += 2;
        return reserved_number(next, end) ? end : take(next, end, "id");
      }
    }
    if (small == "age" || small == "aged") {
      std::size_t next = i + 1;
      while (next < i + 3 && sign(next, " :")) ++next;
      const bool range = sign(next + 1, ".") && sign(next + 2, ".");
      if (next > i + 1 && is_age(next) && !sign(next + 1, "%/") && !range)
        return take(next, next + 1, is_old(next) ? "age" : "exact-age");
    }
    if (is_state(at(i)) && sign(i + 1, " ^") && number(i + 2) && at(i + 2).size() == 5 &&
        !word(i + 3))
      return reserved_number(i + 2, i + 3) ? i + 3 : take(i + 2, i + 3, "zip");
    return i + 1;
  }

  [[nodiscard]] bool is_age(std::size_t i) const {
    return number(i) && at(i).size() <= 3 && value_of(at(i)) < 140;
  }
  [[nodiscard]] bool is_old(std::size_t i) const {
    return number(i) && at(i).size() <= 3 && value_of(at(i)) >= 90 && value_of(at(i)) < 140;
  }

  std::size_t at_number(std::size_t i) {
    const bool decimal = i > 1 && sign(i - 1, ".,") && number(i - 2);
    if (numbers(i, "-", {3, 2, 4}))
      return reserved_number(i, i + 5) ? i + 5 : take(i, i + 5, "ssn");
    if (!decimal && numbers(i, "-. ", {3, 3, 4}))
      return reserved_phone(i, i + 5) ? i + 5 : take(i, i + 5, "phone");
    if (numbers(i, "-", {5, 4})) return reserved_number(i, i + 3) ? i + 3 : take(i, i + 3, "zip");
    if (sign(i + 1, ".") && number(i + 2) && sign(i + 3, ".") && number(i + 4) &&
        sign(i + 5, ".") && number(i + 6)) {
      bool bytes = true;
      for (std::size_t k = i; k <= i + 6; k += 2)
        bytes = bytes && at(k).size() <= 3 && value_of(at(k)) < 256;
      const bool documents = at(i) == "192" && at(i + 2) == "0" && at(i + 4) == "2";
      if (bytes) return documents && surrogates_ ? i + 7 : take(i, i + 7, "ip");
    }
    // 03/1931
    if (sign(i + 1, "/-") && number(i + 2) && tells_year(at(i + 2)) && at(i).size() <= 2 &&
        value_of(at(i)) >= 1 && value_of(at(i)) <= 12 && !(i > 0 && sign(i - 1, "/-")) &&
        !sign(i + 3, "/"))
      return take(i, i + 3, "date");
    if (sign(i + 1, "/-.") && number(i + 2) && sign(i + 3, "/-.") && number(i + 4) && !decimal &&
        text_[pieces_[i + 1].start] == text_[pieces_[i + 3].start]) {
      const bool points = sign(i + 1, ".");
      const bool year_first = tells_year(at(i)) && tells_day_and_month(at(i + 2), at(i + 4));
      const bool year_last =
          tells_day_and_month(at(i), at(i + 2)) &&
          (tells_year(at(i + 4)) || (!points && at(i + 4).size() == 2 && !sign(i + 1, "-")));
      if (year_first || year_last) return take(i, i + 5, "date");
    }
    if (at(i).size() <= 2 && value_of(at(i)) >= 1 && value_of(at(i)) <= 31) {
      // 5 March, 5th of March
      std::size_t next = i + 1;
      if (word(next) && at(next).size() == 2 && !names_month(at(next))) ++next;
      const std::size_t behind = next;
      while (next < behind + 2 && sign(next, " .-")) ++next;
      if (word(next) && at(next) == "of" && sign(next + 1, " ")) next += 2;
      if (next >= behind && word(next) && names_month(at(next))) {
        std::size_t end = next + 1;
        std::size_t year = end;
        while (year < end + 3 && sign(year, " ,-.")) ++year;
        if (number(year) && tells_year(at(year))) end = year + 1;
        return take(i, end, "date");
      }
    }
    const bool in_range = i > 1 && sign(i - 1, ".") && sign(i - 2, ".");
    if (is_age(i) && !decimal && !in_range) {
      const std::size_t next = sign(i + 1, " -") ? i + 2 : i + 1;
      if (word(next)) {
        const std::string unit = small_letters(at(next));
        const bool years = unit == "year" || unit == "years" || unit == "yr" || unit == "yrs";
        const std::size_t last = sign(next + 1, " -") ? next + 2 : next + 1;
        const bool by_hyphens = unit == "y" && sign(next + 1, "-/.") && word(next + 2) &&
                                small_letters(at(next + 2)) == "o";
        if (unit == "yo" || unit == "yom" || unit == "yof" || by_hyphens ||
            (years && word(last) && small_letters(at(last)) == "old"))
          return take(i, i + 1, is_old(i) ? "age" : "exact-age");
      }
    }
    const bool continued = sign(i + 1, ".") && number(i + 2);
    if (at(i).size() >= 7 && !decimal && !continued)
      return reserved_number(i, i + 1) ? i + 1 : take(i, i + 1, "id");
    return i + 1;
  }

  std::string_view text_;
  bool surrogates_;
  std::vector<NotePiece> pieces_;
  std::vector<TextIdentifier> found_;
};

}  // namespace

std::vector<TextIdentifier> identifiers_in_note(std::string_view text, bool surrogates_allowed) {
  return NoteReading(text, surrogates_allowed).all();
}

}  // namespace pratique::verify
