#include "pratique/verify/internal/identifying_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pratique::verify {
namespace {

struct Token {
  enum class Kind { number, word, sign };
  Kind kind;
  std::string_view text;
};

Token::Kind kind_of_sign(char c) {
  const auto u = static_cast<unsigned char>(c);
  if (std::isdigit(u) != 0) return Token::Kind::number;
  return u >= 0x80 || std::isalpha(u) != 0 ? Token::Kind::word : Token::Kind::sign;
}

// Every sign is a token of its own.
std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const auto kind = kind_of_sign(text[at]);
    std::size_t end = at + 1;
    while (kind != Token::Kind::sign && end < text.size() && kind_of_sign(text[end]) == kind) ++end;
    tokens.push_back({kind, text.substr(at, end - at)});
    at = end;
  }
  return tokens;
}

int number_of(std::string_view digits) {
  int number = 0;
  for (const char c : digits.substr(0, 8)) number = number * 10 + (c - '0');
  return number;
}

std::string lower_case(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), lower_case(word)) != words.end();
}

bool is_year(std::string_view digits) {
  return digits.size() == 4 && number_of(digits) >= 1800 && number_of(digits) < 2200;
}
bool is_month(std::string_view digits) {
  return digits.size() <= 2 && number_of(digits) >= 1 && number_of(digits) <= 12;
}
bool is_day(std::string_view digits) {
  return digits.size() <= 2 && number_of(digits) >= 1 && number_of(digits) <= 31;
}

bool is_day_of_year(std::string_view digits) {
  return digits.size() == 3 && number_of(digits) >= 1 && number_of(digits) <= 366;
}

// English, German, French and Spanish.
bool is_month_name(std::string_view word) {
  constexpr std::array<std::string_view, 73> kMonths = {
      "jan",       "january",   "januar",     "janvier",   "janv",     "jänner",   "jaenner",
      "enero",     "feb",       "february",   "februar",   "febrero",  "février",  "fevrier",
      "févr",      "mar",       "march",      "mars",      "marzo",    "märz",     "mÄrz",
      "maerz",     "mrz",       "apr",        "april",     "avril",    "abril",    "abr",
      "may",       "mai",       "mayo",       "june",      "jun",      "juni",     "juin",
      "junio",     "july",      "jul",        "juli",      "juillet",  "juil",     "julio",
      "august",    "aug",       "août",       "aout",      "agosto",   "sep",      "sept",
      "september", "septembre", "septiembre", "setiembre", "oct",      "october",  "octobre",
      "octubre",   "okt",       "oktober",    "nov",       "november", "novembre", "noviembre",
      "dec",       "december",  "dez",        "dezember",  "décembre", "decembre", "déc",
      "diciembre", "ene",       "fÉvrier"};
  return is_one_of(word, kMonths);
}

bool is_roman_month(std::string_view word) {
  constexpr std::array<std::string_view, 12> kMonths = {"i",   "ii",   "iii", "iv", "v",  "vi",
                                                        "vii", "viii", "ix",  "x",  "xi", "xii"};
  return is_one_of(word, kMonths);
}

bool is_weekday_name(std::string_view word) {
  constexpr std::array<std::string_view, 41> kDays = {
      "mon",      "monday",  "tue",     "tues",      "tuesday",  "wed",      "wednesday",
      "thu",      "thur",    "thurs",   "thursday",  "fri",      "friday",   "sat",
      "saturday", "sun",     "sunday",  "montag",    "dienstag", "mittwoch", "donnerstag",
      "freitag",  "samstag", "sonntag", "sonnabend", "lundi",    "mardi",    "mercredi",
      "jeudi",    "samedi",  "lunes",   "vendredi",  "dimanche", "martes",   "miércoles",
      "jueves",   "viernes", "sábado",  "miercoles", "sabado",   "domingo"};
  return is_one_of(word, kDays);
}

// The number of a character of UTF-8 and its length; a byte that begins none is itself.
std::pair<unsigned, std::size_t> decoded(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length == 1 || length > text.size()) return {lead, 1};
  unsigned number = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {lead, 1};
    number = number << 6U | (byte(i) & 0x3FU);
  }
  return {number, length};
}

// What is read in the place of a character: a sign of ASCII, nothing (an empty text), or itself.
std::optional<std::string> read_in_place(unsigned c) {
  // The first of ten digits each, of the scripts that Unicode has below U+2000.
  constexpr std::array<unsigned, 19> kDigits = {0x660, 0x6F0,  0x7C0,  0x966,  0x9E6, 0xA66, 0xAE6,
                                                0xB66, 0xBE6,  0xC66,  0xCE6,  0xD66, 0xE50, 0xED0,
                                                0xF20, 0x1040, 0x17E0, 0x1810, 0xFF10};
  for (const unsigned zero : kDigits) {
    if (c >= zero && c < zero + 10) return std::string(1, static_cast<char>('0' + (c - zero)));
  }
  constexpr unsigned kMathematical = 0x1D7CE;  // five kinds of digits
  if (c >= kMathematical && c < kMathematical + 50)
    return std::string(1, static_cast<char>('0' + (c - kMathematical) % 10));
  if (c >= 0xFF01 && c <= 0xFF5E) return std::string(1, static_cast<char>(c - 0xFF01 + '!'));
  if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212 || c == 0xFE63) return "-";
  if (c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000)
    return " ";
  if (c == 0x2044 || c == 0x2215) return "/";
  if (c == 0xAD || c == 0xFEFF || (c >= 0x200B && c <= 0x200F) || (c >= 0x2060 && c <= 0x2064))
    return "";
  return std::nullopt;
}

class Reading {
 public:
  explicit Reading(std::string_view text)
      : text_(in_plain_signs(text)), tokens_(tokens_of(text_)) {}

  [[nodiscard]] std::string_view identifier() const {
    if (day_alone()) return kDate;
    if (vehicle()) return "a vehicle's number";
    if (hardware()) return "the hardware address of a device";
    if (is_made_of_hexadecimal_groups()) return "a number that nothing else has";
    for (std::size_t c = 0; c < text_.size(); ++c) {
      if (hidden_but_for_four(c)) return "a part of a social security number";
      if (foreign_postcode(c)) return "a postcode of another country";
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (email(i)) return "an email address";
      if (web(i)) return "a web address";
      if (domain(i)) return "a domain of the web";
      if (account_of_the_web(i)) return "an account on the web";
      if (phone_with_prefix(i)) return "a telephone number";
      if (is_word(i)) {
        if (const auto what = number_after_its_name(i); !what.empty()) return what;
        if (announced(i)) return kRecord;
        if (place_after_its_name(i)) return "coordinates";
      }
      if (is_number(i)) {
        if (date_in_parts(i) || day_behind_word(i) || day_with_points(i) || year_and_roman(i))
          return kDate;
        if (coordinates(i)) return "coordinates";
        if (telephone(i)) return "a telephone number";
        if (card(i)) return "the number of a card";
        if (const auto what = groups(i); !what.empty()) return what;
        if (const auto what = number_beside_words(i); !what.empty()) return what;
      }
    }
    return {};
  }

 private:
  [[nodiscard]] bool is_number(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == Token::Kind::number;
  }
  [[nodiscard]] bool is_word(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == Token::Kind::word;
  }
  [[nodiscard]] bool is_sign(std::size_t i, std::string_view signs) const {
    return i < tokens_.size() && tokens_[i].kind == Token::Kind::sign &&
           signs.find(tokens_[i].text[0]) != std::string_view::npos;
  }
  [[nodiscard]] std::string_view at(std::size_t i) const { return tokens_[i].text; }
  [[nodiscard]] bool email(std::size_t i) const {
    if (!is_sign(i, "@") || i == 0 || !(is_word(i - 1) || is_number(i - 1))) return false;
    for (std::size_t j = i + 1; j < tokens_.size(); ++j) {
      if (is_sign(j, ".") && j > i + 1 && is_word(j + 1) && at(j + 1).size() >= 2) return true;
      if (tokens_[j].kind == Token::Kind::sign && !is_sign(j, ".-")) return false;
    }
    return false;
  }
  [[nodiscard]] bool web(std::size_t i) const {
    const bool scheme = is_word(i) && is_sign(i + 1, ":") && is_sign(i + 2, "/") &&
                        is_sign(i + 3, "/") && i + 4 < tokens_.size() && !is_sign(i + 4, " ");
    return scheme || (is_word(i) && lower_case(at(i)) == "www" && is_sign(i + 1, ".") &&
                      (is_word(i + 2) || is_number(i + 2)));
  }
  [[nodiscard]] static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
  [[nodiscard]] static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  // The sign at that place of the text; a blank beyond its ends.
  [[nodiscard]] char at_place(std::size_t c) const { return c < text_.size() ? text_[c] : ' '; }
  [[nodiscard]] bool ends_word(std::size_t c) const {
    return !is_letter(at_place(c)) && !is_digit(at_place(c)) && at_place(c) != '_';
  }
  [[nodiscard]] std::size_t place_of(std::size_t i) const {
    return static_cast<std::size_t>(tokens_[i].text.data() - text_.data());
  }

  // clinic.org
  [[nodiscard]] bool domain(std::size_t i) const {
    constexpr std::array<std::string_view, 6> kDomains = {"com", "org", "net",
                                                          "edu", "gov", "info"};
    if (!is_sign(i, ".") || i == 0 || !is_word(i + 1) || !is_one_of(at(i + 1), kDomains))
      return false;
    const std::size_t point = place_of(i);
    const auto plain = [&](std::size_t c) { return is_letter(text_[c]) || is_digit(text_[c]); };
    return point >= 2 && plain(point - 1) && plain(point - 2) &&
           ends_word(point + 1 + at(i + 1).size());
  }

  // @somebody, somebody#1234, somebody(at)clinic
  [[nodiscard]] bool account_of_the_web(std::size_t i) const {
    if (is_sign(i, "@") && (i == 0 || is_sign(i - 1, " \t("))) {
      const std::size_t begin = place_of(i) + 1;
      const auto of_name = [&](std::size_t c) {
        return is_letter(at_place(c)) || at_place(c) == '_' ||
               (c > begin && (is_digit(at_place(c)) || at_place(c) == '.'));
      };
      return of_name(begin) && of_name(begin + 1) && of_name(begin + 2);
    }
    if (is_sign(i, "#") && i > 0 && is_word(i - 1) && at(i - 1).size() >= 3) {
      const auto last = at(i - 1).substr(at(i - 1).size() - 3);
      return std::all_of(last.begin(), last.end(), is_letter) && is_number(i + 1) &&
             at(i + 1).size() >= 3;
    }
    if (!is_word(i) || lower_case(at(i)) != "at" || i < 2) return false;
    const std::size_t opens = is_sign(i - 1, " ") ? i - 2 : i - 1;
    const std::size_t closes = is_sign(i + 1, " ") ? i + 2 : i + 1;
    if (!is_sign(opens, "([") || !is_sign(closes, ")]") || opens == 0) return false;
    const std::size_t name = is_sign(opens - 1, " ") && opens > 1 ? opens - 2 : opens - 1;
    const std::size_t rest = is_sign(closes + 1, " ") ? closes + 2 : closes + 1;
    const auto plain = [](char c) { return is_letter(c) || is_digit(c); };
    return tokens_[name].kind != Token::Kind::sign && plain(at(name).back()) &&
           rest < tokens_.size() && plain(at(rest).front());
  }

  // XXX-XX-6789
  [[nodiscard]] bool hidden_but_for_four(std::size_t begin) const {
    const auto hides = [&](std::size_t c) {
      return at_place(c) == 'x' || at_place(c) == 'X' || at_place(c) == '*';
    };
    if (begin > 0 && (hides(begin - 1) || !ends_word(begin - 1) || text_[begin - 1] == '_'))
      return false;
    std::size_t c = begin;
    for (const std::size_t many : {3U, 2U}) {
      for (std::size_t n = 0; n < many; ++n) {
        if (!hides(c++)) return false;
      }
      if (at_place(c) == '-' || (at_place(c) == ' ' && c < text_.size())) ++c;
    }
    for (std::size_t n = 0; n < 4; ++n) {
      if (!is_digit(at_place(c++))) return false;
    }
    return ends_word(c);
  }

  // SW1A 1AA and D-10115
  [[nodiscard]] bool foreign_postcode(std::size_t begin) const {
    if (begin > 0 && !ends_word(begin - 1)) return false;
    const auto is_capital = [&](std::size_t c) { return at_place(c) >= 'A' && at_place(c) <= 'Z'; };
    std::size_t c = begin;
    while (is_capital(c) && c < begin + 3) ++c;
    const std::string_view letters = std::string_view(text_).substr(begin, c - begin);
    if (letters.empty() || letters.size() > 2) return false;
    constexpr std::array<std::string_view, 6> kCountries = {"D", "A", "CH", "F", "NL", "B"};
    if (at_place(c) == '-') {
      std::size_t digits = 0;
      while (is_digit(at_place(c + 1 + digits))) ++digits;
      return std::find(kCountries.begin(), kCountries.end(), letters) != kCountries.end() &&
             (digits == 4 || digits == 5) && ends_word(c + 1 + digits);
    }
    if (!is_digit(at_place(c++))) return false;
    if (is_capital(c) || is_digit(at_place(c))) ++c;
    const auto inward = [&](std::size_t place) {
      return is_capital(place) &&
             std::string_view("CIKMOV").find(at_place(place)) == std::string_view::npos;
    };
    return at_place(c) == ' ' && is_digit(at_place(c + 1)) && inward(c + 2) && inward(c + 3) &&
           ends_word(c + 4);
  }

  // gps 52.5
  [[nodiscard]] bool place_after_its_name(std::size_t i) const {
    constexpr std::array<std::string_view, 6> kNames = {"gps", "lat",      "lon",
                                                        "lng", "latitude", "longitude"};
    if (!is_one_of(at(i), kNames)) return false;
    std::size_t next = i + 1;
    while (is_sign(next, " :=(")) ++next;
    if (next == i + 1) return false;
    if (is_sign(next, "-")) ++next;
    return is_number(next) && at(next).size() <= 3 && is_sign(next + 1, ".,") &&
           is_number(next + 2);
  }

  // geb. 3.5.
  [[nodiscard]] bool day_with_points(std::size_t i) const {
    if (!is_sign(i + 1, ".") || !is_number(i + 2) || !is_sign(i + 3, ".") || !is_day(at(i)) ||
        !is_month(at(i + 2)))
      return false;
    if (i + 4 < tokens_.size() && !is_sign(i + 4, " \t,;:)")) return false;
    std::size_t before = i;
    while (before > 0 && is_sign(before - 1, " \t,:(.")) --before;
    return before < i && before > 0 && is_word(before - 1);
  }

  // 1944.III
  [[nodiscard]] bool year_and_roman(std::size_t i) const {
    return is_year(at(i)) && (i == 0 || tokens_[i - 1].kind == Token::Kind::sign) &&
           is_sign(i + 1, "./-") && is_word(i + 2) && is_roman_month(at(i + 2)) &&
           !is_number(i + 3) && !is_sign(i + 3, "_");
  }

  // Acc: 991, Pat.-Nr. 4711, passport C01X00T47: what has a number after it.
  [[nodiscard]] bool announced(std::size_t i) const {
    struct Word {
      std::string_view word;
      std::string_view signs;  // at least one of these is between
      std::size_t letters;     // that may stand before the digits
      std::size_t digits;      // at least
    };
    constexpr std::array<Word, 14> kWords = {{{"ext", " .:", 0, 3},
                                              {"extension", " .:", 0, 3},
                                              {"durchwahl", " .:", 0, 3},
                                              {"mrn", " .:#=/()-", 0, 2},
                                              {"acct", " .:#=/()_-", 0, 3},
                                              {"account", " .:#=/()_-", 0, 3},
                                              {"konto", " .:#=/()_-", 0, 3},
                                              {"acc", ".:#", 0, 3},
                                              {"fall", " :#", 0, 4},
                                              {"akte", " :#", 0, 4},
                                              {"dossier", " :#", 0, 4},
                                              {"serial", " .:#", 3, 2},
                                              {"sn", ":#", 3, 1},
                                              {"call", " :", 0, 6}}};
    constexpr std::array<std::string_view, 9> kOfSomebody = {
        "pat", "patient", "patienten", "case", "chart", "file", "fall", "akte", "dossier"};
    constexpr std::array<std::string_view, 6> kNumbers = {"nr",     "no",     "num",
                                                          "number", "nummer", "id"};
    constexpr std::array<std::string_view, 5> kPapers = {"passport", "reisepass", "passeport",
                                                         "imei", "kennzeichen"};
    const std::string word = lower_case(at(i));
    const auto over = [&](std::size_t j, std::string_view signs) {
      while (is_sign(j, signs)) ++j;
      return j;
    };
    const auto is_short_word = [&](std::size_t j, std::size_t letters) {
      return is_word(j) && at(j).size() <= letters &&
             std::all_of(at(j).begin(), at(j).end(), is_letter);
    };
    for (const Word& known : kWords) {
      if (word != known.word) continue;
      std::size_t next = over(i + 1, known.signs);
      if (next == i + 1) continue;
      if (is_sign(next, " ") && (known.word == "acc" || known.word == "sn")) ++next;
      if (is_short_word(next, known.letters)) ++next;
      if (is_number(next) && at(next).size() >= known.digits) return true;
    }
    if (is_one_of(word, kOfSomebody)) {
      const std::size_t number = over(i + 1, " .-");
      std::size_t next = number;
      if (is_sign(number, "#") || (is_word(number) && is_one_of(at(number), kNumbers)))
        next = over(number + 1, " .:#=-");
      if (next > number) {
        if (is_short_word(next, 3)) ++next;
        if (is_number(next) && at(next).size() >= 2) return true;
      }
    }
    if (!is_one_of(word, kPapers)) return false;
    std::size_t next = over(i + 1, " .:#");
    if (next == i + 1) return false;
    if (is_short_word(next, 3)) ++next;
    if (is_sign(next, " -")) ++next;
    if (!is_number(next)) return false;
    std::size_t signs = 0;
    for (std::size_t c = place_of(next); c < text_.size(); ++c, ++signs) {
      if (!is_letter(text_[c]) && !is_digit(text_[c]) && text_[c] != '-') break;
    }
    return signs >= 4;
  }

  // (617) 555-0142 and +44 20 7946 0958.
  [[nodiscard]] bool phone_with_prefix(std::size_t i) const {
    if (is_sign(i, "(") && is_number(i + 1) && at(i + 1).size() == 3 && is_sign(i + 2, ")")) {
      const std::size_t next = is_sign(i + 3, " ") ? i + 4 : i + 3;
      return is_number(next) && at(next).size() == 3 && is_sign(next + 1, " .-") &&
             is_number(next + 2) && at(next + 2).size() == 4;
    }
    if (is_sign(i, "(") && is_number(i + 1) && at(i + 1) == "0" && is_sign(i + 2, ")")) {
      const std::size_t next = is_sign(i + 3, " ") ? i + 4 : i + 3;
      return is_number(next) && at(next).size() >= 2 && at(next).size() <= 5 &&
             is_sign(next + 1, " /-") && is_number(next + 2) && at(next + 2).size() >= 4;
    }
    if (!is_sign(i, "+") || !is_number(i + 1)) return false;
    std::size_t digits = 0;
    for (std::size_t j = i + 1; is_number(j) || is_sign(j, " ().-"); ++j)
      digits += is_number(j) ? at(j).size() : 0;
    return digits >= 10;
  }

  // The token after the signs between two parts of a date, from token i on; i where there are none.
  // Two points are a range.
  [[nodiscard]] std::size_t after_gap(std::size_t i) const {
    std::size_t end = i;
    int points = 0;
    for (; is_sign(end, " \t_-./"); ++end) points += is_sign(end, ".") ? 1 : 0;
    return points > 1 ? i : end;
  }
  // 05 03 1970, 5. 3. 1970, 1970 - 03 - 05, 5.III.1970.
  [[nodiscard]] bool date_in_parts(std::size_t i) const {
    const std::size_t second = after_gap(i + 1);
    if (second == i + 1 || second >= tokens_.size()) return false;
    const std::size_t third = after_gap(second + 1);
    if (third == second + 1 || !is_number(third)) return false;
    const std::string_view a = at(i);
    const std::string_view b = at(second);
    const std::string_view c = at(third);
    if (is_word(second)) {
      const bool short_year = c.size() == 2 && second == i + 2 && third == second + 2 &&
                              is_sign(i + 1, "./-") && is_sign(second + 1, "./-");
      return is_day(a) && is_roman_month(b) && (is_year(c) || short_year);
    }
    if (!is_number(second)) return false;
    return (is_year(a) && is_month(b) && is_day(c)) ||
           (is_year(c) && ((is_month(a) && is_day(b)) || (is_day(a) && is_month(b))));
  }

  // 03/05, 24.12. and --03-05, and nothing else. One digit each may be a part: 3/5.
  [[nodiscard]] bool day_alone() const {
    const auto pair = [&](std::size_t i, std::size_t j) {
      return is_number(i) && is_number(j) &&
             ((is_month(at(i)) && is_day(at(j))) || (is_day(at(i)) && is_month(at(j))));
    };
    if (tokens_.size() == 3 && is_sign(1, "/"))
      return pair(0, 2) && at(0).size() == 2 && at(2).size() == 2;
    if (tokens_.size() == 4 && is_sign(1, ".") && is_sign(3, ".")) return pair(0, 2);
    if (!is_sign(0, "-") || !is_sign(1, "-") || !is_number(2)) return false;
    if (tokens_.size() == 5)
      return is_sign(3, "-") && pair(2, 4) && at(2).size() == 2 && at(4).size() == 2;
    return tokens_.size() == 3 && at(2).size() == 4 &&
           ((is_month(at(2).substr(0, 2)) && is_day(at(2).substr(2))) ||
            (is_day(at(2).substr(0, 2)) && is_month(at(2).substr(2))));
  }

  // flu 3/3, seen: 24/12.
  [[nodiscard]] bool day_behind_word(std::size_t i) const {
    if (!is_sign(i + 1, "/") || !is_number(i + 2)) return false;
    const std::string_view a = at(i);
    const std::string_view b = at(i + 2);
    if (!(is_month(a) && is_day(b)) && !(is_day(a) && is_month(b))) return false;
    if (i + 3 < tokens_.size() && !is_sign(i + 3, " \t,;:.)")) return false;
    std::size_t before = i;
    while (before > 0 && is_sign(before - 1, " \t,:(")) --before;
    return before < i && before > 0 && is_word(before - 1);
  }

  // 40.7128, -74.0060
  [[nodiscard]] bool coordinates(std::size_t i) const {
    // 40° 42' N: the sign of degrees is not of ASCII, and so a word.
    const std::size_t degree = is_sign(i + 1, " ") ? i + 2 : i + 1;
    if (is_word(degree) && at(degree) == "°") {
      std::size_t minutes = is_sign(degree + 1, " ") ? degree + 2 : degree + 1;
      if (is_number(minutes)) {
        while (is_number(minutes) || is_sign(minutes, ". ")) ++minutes;
        if (is_sign(minutes, "'") ||
            (is_word(minutes) && (at(minutes).starts_with("′") || at(minutes).starts_with("’"))))
          return true;
      }
    }
    const auto fraction = [&](std::size_t j, std::size_t most) {
      return is_number(j) && at(j).size() <= most && is_sign(j + 1, ".") && is_number(j + 2) &&
             at(j + 2).size() >= 3 && !is_sign(j + 3, ".");
    };
    if (!fraction(i, 2) || (i > 0 && is_sign(i - 1, "."))) return false;
    std::size_t next = i + 3;
    while (next < i + 6 && is_sign(next, " ,;/")) ++next;
    if (next == i + 3) return false;
    if (is_sign(next, "-")) ++next;
    return fraction(next, 3);
  }

  // 550e8400-e29b-41d4-a716-446655440000, from the first sign of the text on.
  [[nodiscard]] bool is_made_of_hexadecimal_groups() const {
    constexpr std::array<std::size_t, 5> kGroups = {8, 4, 4, 4, 12};
    std::size_t group = 0;
    std::size_t digits = 0;
    for (const char c : text_) {
      if (c == '-') {
        if (group == 4 || digits != kGroups[group]) return false;
        ++group;
        digits = 0;
      } else if (std::isxdigit(static_cast<unsigned char>(c)) != 0) {
        ++digits;
      } else {
        return false;
      }
    }
    return group == 4 && digits == kGroups[4];
  }

  // 4111 1111 1111 1111
  [[nodiscard]] bool card(std::size_t i) const {
    for (std::size_t group = 0; group < 4; ++group) {
      const std::size_t place = i + 2 * group;
      if (!is_number(place) || (group < 3 && (at(place).size() != 4 || !is_sign(place + 1, " -"))))
        return false;
    }
    return at(i + 6).size() >= 2 && at(i + 6).size() <= 4;
  }

  // 0351/678088; nine or ten digits among words, or thirteen and more.
  [[nodiscard]] bool telephone(std::size_t i) const {
    const std::string_view a = at(i);
    if (is_length_of_a_number(a.size())) {
      const bool words = std::any_of(text_.begin(), text_.end(), [](char c) {
        return c == ' ' || kind_of_sign(c) == Token::Kind::word;
      });
      const bool in_number = (i > 0 && is_sign(i - 1, ".,")) || is_sign(i + 1, ".,");
      return words && !in_number;
    }
    if (a[0] != '0' || a.size() < 3 || a.size() > 5 || !is_number(i + 2)) return false;
    const std::string_view b = at(i + 2);
    if (is_sign(i + 1, "/") && b.size() >= 4) return true;
    // 0049 30 1234567 and 07911 123456
    if (i > 0 && tokens_[i - 1].kind == Token::Kind::word) return false;
    if (a.size() == 4 && a[1] == '0' && is_sign(i + 1, " /")) {
      std::size_t digits = 0;
      for (std::size_t j = i + 2; is_number(j) || is_sign(j, " ()/-"); ++j)
        digits += is_number(j) ? at(j).size() : 0;
      if (digits >= 7) return true;
    }
    return a.size() >= 4 && is_sign(i + 1, " ") && b.size() >= 5 && b.size() <= 8 &&
           !is_word(i + 3) && !is_sign(i + 3, "_");
  }

  // Tel. 0351 678088, mrn/A12, vin 1hgcm82633a004352.
  [[nodiscard]] std::string_view number_after_its_name(std::size_t i) const {
    constexpr std::array<std::string_view, 8> kTelephones = {
        "tel", "telefon", "telephone", "phone", "fax", "mobil", "mobile", "handy"};
    std::size_t next = i + 1;
    if (is_one_of(at(i), kTelephones)) {
      while (is_sign(next, " .:/(+#-")) ++next;
      std::size_t digits = 0;
      for (; is_number(next) || is_sign(next, " /().-"); ++next)
        digits += is_number(next) ? at(next).size() : 0;
      return digits >= 4 ? "a telephone number" : std::string_view();
    }
    const std::string name = lower_case(at(i));
    if (name != "mrn" && name != "vin") return {};
    while (next < tokens_.size() && tokens_[next].kind == Token::Kind::sign) ++next;
    if (next == i + 1) return {};
    std::string code;
    for (; is_number(next) || is_word(next); ++next) code += lower_case(at(next));
    const bool plain =
        std::all_of(code.begin(), code.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
    if (!plain || code.find_first_of("0123456789") == std::string::npos) return {};
    if (name == "mrn") return code.size() >= 3 ? kRecord : std::string_view();
    return code.size() == 17 && code.find_first_of("ioq") == std::string::npos
               ? "a vehicle's number"
               : std::string_view();
  }

  // Numbers with one sign between each two, from token i on.
  [[nodiscard]] std::string_view groups(std::size_t i) const {
    const std::string_view a = at(i);
    // 3 / 5 / 70
    const bool apart = is_sign(i + 1, " ") && is_sign(i + 2, "/") && is_sign(i + 3, " ") &&
                       is_number(i + 4) && is_sign(i + 5, " ") && is_sign(i + 6, "/") &&
                       is_sign(i + 7, " ") && is_number(i + 8) && at(i + 8).size() == 2;
    if (apart && ((is_month(a) && is_day(at(i + 4))) || (is_day(a) && is_month(at(i + 4)))))
      return kDate;
    const bool two = i + 2 < tokens_.size() && is_sign(i + 1, "-./ ") && is_number(i + 2);
    if (!two) {
      const bool compact = is_compact_day(a) && a.size() < text_.size();
      return compact ? kDate : std::string_view();
    }
    const char sign = at(i + 1)[0];
    const std::string_view b = at(i + 2);
    const bool three = is_sign(i + 3, std::string_view(&sign, 1)) && is_number(i + 4);
    if (three) {
      const std::string_view c = at(i + 4);
      if (sign == '.' && is_sign(i + 5, ".") && is_number(i + 6)) {
        const std::array<std::size_t, 4> places = {i, i + 2, i + 4, i + 6};
        const bool bytes = std::all_of(places.begin(), places.end(), [&](std::size_t place) {
          return at(place).size() <= 3 && number_of(at(place)) < 256;
        });
        if (bytes) return "an IP address";
      }
      if (a.size() == 3 && b.size() == 2 && c.size() == 4 && (sign == '-' || sign == ' '))
        return "a social security number";
      if (a.size() == 3 && b.size() == 2 && c.size() == 4 && sign == '.')
        return "a number like that of social security";
      if (a.size() == 3 && b.size() == 3 && c.size() == 4 && sign != '/')
        return "a telephone number";
      const bool signed_date = sign != ' ';
      if (signed_date && is_year(a) && is_month(b) && is_day(c)) return kDate;
      if (signed_date && (c.size() == 2 || is_year(c)) &&
          ((is_month(a) && is_day(b)) || (is_day(a) && is_month(b))))
        return kDate;
    }
    if (a.size() == 5 && b.size() == 4 && sign == '-') return "a ZIP code";
    if ((sign == '-' || sign == '/') && is_year(a) && is_day_of_year(b)) return kDate;
    if ((sign == '-' || sign == '/') &&
        ((is_year(a) && is_month(b)) || (is_month(a) && is_year(b))))
      return kDate;
    return {};
  }

  // 5 March, March 5, 93 years old, aged 93, Boston MA 02138, MRN 12345.
  [[nodiscard]] std::string_view number_beside_words(std::size_t i) const {
    constexpr std::array<std::string_view, 5> kOrdinals = {"st", "nd", "rd", "th", "er"};
    constexpr std::array<std::string_view, 5> kYears = {"year", "years", "yr", "yrs", "yo"};
    constexpr std::array<std::string_view, 4> kNumbered = {"mrn", "ssn", "account", "acct"};
    const std::string_view number = at(i);
    const bool opens = i == 0 || !is_word(i - 1);
    const auto over = [&](std::size_t j, std::string_view signs) {
      while (is_sign(j, signs)) ++j;
      return j;
    };
    std::size_t after = i + 1;
    if (is_word(after) && is_one_of(at(after), kOrdinals)) ++after;
    std::size_t next = over(after, " -./_");
    if (next > after && is_word(next) && (at(next) == "of" || at(next) == "de") &&
        is_sign(next + 1, " "))
      next = over(next + 1, " ");
    if (opens && number.size() <= 4 && is_word(next) && is_month_name(at(next)) &&
        !is_number(next + 1))
      return kDate;
    const std::size_t beside = is_sign(i + 1, " -") ? i + 2 : i + 1;
    const int count = number_of(number);
    const bool old = number.size() <= 3 && count >= 90 && count < 140;
    if (opens && old && is_word(beside) && is_one_of(at(beside), kYears) && !is_number(beside + 1))
      return kAge;
    // The word before, over signs.
    std::size_t before = i;
    bool apart = false;
    bool assigned = true;  // age: 93
    while (before > 0 && is_sign(before - 1, " ,.:#=/_-")) {
      --before;
      apart = apart || is_sign(before, " ,./_-");
      assigned = assigned && is_sign(before, " :=");
    }
    if (before == 0 || !is_word(before - 1)) return {};
    const std::string_view word = at(before - 1);
    const bool spaced = before < i;
    const bool ends = !is_word(i + 1);
    if (apart && number.size() <= 4 && is_month_name(word) && ends && is_sign(before, " ,./_-"))
      return kDate;
    if (old && ends && spaced && assigned &&
        (lower_case(word) == "age" || lower_case(word) == "aged"))
      return kAge;
    const bool state =
        word.size() == 2 &&
        std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c) != 0; });
    if (state && number.size() == 5 && ends && i == before + 1 && is_sign(before, " "))
      return "a ZIP code";
    if (spaced && number.size() >= 4 && is_one_of(word, kNumbered)) return kRecord;
    return {};
  }

  // 17 capital letters and digits, both of them, without I, O and Q.
  [[nodiscard]] bool vehicle() const {
    for (std::size_t begin = 0; begin < text_.size();) {
      std::size_t end = begin;
      bool letters = false;
      bool digits = false;
      bool fits = true;
      for (; end < text_.size() && kind_of_sign(text_[end]) != Token::Kind::sign; ++end) {
        const char c = text_[end];
        const auto u = static_cast<unsigned char>(c);
        letters = letters || std::isupper(u) != 0;
        digits = digits || std::isdigit(u) != 0;
        fits = fits && (std::isupper(u) != 0 || std::isdigit(u) != 0) && c != 'I' && c != 'O' &&
               c != 'Q';
      }
      if (end - begin == 17 && fits && letters && digits) return true;
      begin = end + 1;
    }
    return false;
  }

  // Six pairs of hexadecimal digits.
  [[nodiscard]] bool hardware() const {
    constexpr std::size_t kLength = 17;
    for (std::size_t begin = 0; begin + kLength <= text_.size(); ++begin) {
      bool fits = begin == 0 || kind_of_sign(text_[begin - 1]) == Token::Kind::sign;
      for (std::size_t i = 0; fits && i < kLength; ++i) {
        const char c = text_[begin + i];
        fits = i % 3 == 2 ? c == ':' : std::isxdigit(static_cast<unsigned char>(c)) != 0;
      }
      const bool ends = begin + kLength == text_.size() ||
                        kind_of_sign(text_[begin + kLength]) == Token::Kind::sign;
      if (fits && ends) return true;
    }
    return false;
  }

  static constexpr std::string_view kDate = "a date more precise than a year";
  static constexpr std::string_view kRecord = "a number of a record or account";
  static constexpr std::string_view kAge = "an age over 89";
  std::string text_;
  std::vector<Token> tokens_;
};

}  // namespace

bool is_compact_day(std::string_view text) {
  if (text.size() != 8 || kind_of_sign(text[0]) != Token::Kind::number) return false;
  if (!std::all_of(text.begin(), text.end(),
                   [](char c) { return kind_of_sign(c) == Token::Kind::number; }))
    return false;
  const std::string_view first = text.substr(0, 2);
  const std::string_view second = text.substr(2, 2);
  const bool year_first =
      is_year(text.substr(0, 4)) && is_month(text.substr(4, 2)) && is_day(text.substr(6));
  const bool year_last = is_year(text.substr(4)) && ((is_month(first) && is_day(second)) ||
                                                     (is_day(first) && is_month(second)));
  return year_first || year_last;
}

bool is_year_and_day(std::string_view text) {
  return text.size() == 7 &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return kind_of_sign(c) == Token::Kind::number; }) &&
         is_year(text.substr(0, 4)) && is_day_of_year(text.substr(4));
}

bool may_be_day_and_month(std::string_view text) {
  const auto tokens = tokens_of(text);
  if (tokens.size() != 3 || tokens[1].text != "/" || tokens[0].kind != Token::Kind::number ||
      tokens[2].kind != Token::Kind::number)
    return false;
  const auto [a, b] = std::pair(tokens[0].text, tokens[2].text);
  return (is_month(a) && is_day(b)) || (is_day(a) && is_month(b));
}

bool may_be_day_of_week_in_short(std::string_view text) {
  constexpr std::array<std::string_view, 56> kDays = {
      "mo",  "tu",  "we",  "th",  "fr",  "sa",  "su",  "di",  "mi",  "do",  "so",  "lu",
      "ma",  "me",  "je",  "ve",  "ju",  "vi",  "wo",  "wd",  "vr",  "za",  "zo",  "lun",
      "lum", "mar", "mer", "mir", "mie", "mié", "jeu", "jue", "gio", "ven", "vie", "vri",
      "sam", "sab", "sáb", "dim", "din", "dil", "dom", "zat", "zon", "maa", "woe", "don",
      "mon", "tue", "wed", "thu", "fri", "sat", "sun", "son"};
  if (text.size() > 2 && text.ends_with('.')) text.remove_suffix(1);
  return is_one_of(text, kDays);
}

bool names_month_or_weekday(std::string_view text) {
  if (text.size() > 3 && text.ends_with('.')) text.remove_suffix(1);
  return is_month_name(text) || is_weekday_name(text);
}

bool tells_birth_by(int last_year, std::string_view text) {
  constexpr std::array<std::string_view, 15> kBirth = {
      "born", "birth", "birthyear", "yob",  "dob",    "b",      "geb",     "geboren",
      "jg",   "né",    "née",       "nato", "nacido", "nacida", "jahrgang"};
  constexpr std::array<std::string_view, 8> kBetween = {"in", "im", "jahr", "year",
                                                        "en", "el", "ca",   "about"};
  const auto tokens = tokens_of(text);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::number || !is_year(tokens[i].text) ||
        number_of(tokens[i].text) > last_year)
      continue;
    const bool star = i > 0 && (tokens[i - 1].text == "*" ||
                                (i > 1 && tokens[i - 1].text == " " && tokens[i - 2].text == "*"));
    if (star && text.find_first_not_of("0123456789*") != std::string_view::npos) return true;
    for (std::size_t j = i; j-- > 0;) {
      if (tokens[j].kind == Token::Kind::sign) continue;
      if (tokens[j].kind == Token::Kind::number) break;
      if (is_one_of(tokens[j].text, kBirth))
        return tokens[j].text.size() > 1 || tokens[j + 1].text == ".";
      if (!is_one_of(tokens[j].text, kBetween)) break;
    }
  }
  return false;
}

std::string in_plain_signs(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const auto [number, length] = decoded(text);
    const auto read = length == 1 ? std::nullopt : read_in_place(number);
    plain += read ? *read : std::string(text.substr(0, length));
    text.remove_prefix(length);
  }
  // ="02139" and '02139 are how spreadsheets keep the zero.
  const auto is_quote = [&](std::size_t i) {
    return plain[i] == '"' || plain[i] == '\'' || plain[i] == '`';
  };
  const std::size_t first = plain.starts_with('=') ? 1 : 0;
  if (plain.size() < first + 3 || !is_quote(first)) return plain;
  if (plain.back() == plain[first]) return plain.substr(first + 1, plain.size() - first - 2);
  const bool digit = plain[first + 1] >= '0' && plain[first + 1] <= '9';
  return digit ? plain.substr(first + 1) : plain;
}

bool names_somebody(std::string_view text) {
  constexpr std::array<std::string_view, 14> kTitles = {
      "Mr",   "Mrs",   "Ms",  "Miss", "Dr",       "Prof",   "Herr",
      "Frau", "Herrn", "Mme", "Mlle", "Monsieur", "Madame", "Sra"};
  const auto is_capital = [](std::string_view word) {
    return !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
  };
  const auto tokens = tokens_of(text);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (std::find(kTitles.begin(), kTitles.end(), tokens[i].text) == kTitles.end()) continue;
    std::size_t next = i + 1;
    if (next < tokens.size() && tokens[next].text == ".") ++next;
    while (next < tokens.size() && tokens[next].text == " ") ++next;
    if (next + 1 < tokens.size() && tokens[next].text.size() == 1 &&
        is_capital(tokens[next].text) && tokens[next + 1].text == ".") {
      next += 2;
      while (next < tokens.size() && tokens[next].text == " ") ++next;
    }
    if (next == i + 1 || next >= tokens.size()) continue;
    const std::string_view name = tokens[next].text;
    if (is_capital(name) && name.size() > 1 && name[1] >= 'a' && name[1] <= 'z') return true;
  }
  return false;
}

std::string_view identifier_in_text(std::string_view text) { return Reading(text).identifier(); }

}  // namespace pratique::verify
