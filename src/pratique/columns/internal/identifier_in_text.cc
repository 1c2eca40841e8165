#include "pratique/columns/internal/identifier_in_text.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pratique/columns/internal/ascii_expression.h"
#include "pratique/columns/internal/calendar_text.h"
#include "pratique/columns/internal/plain_text.h"
#include "pratique/core/ascii.h"

namespace pratique::columns::internal {
namespace {

// In the expressions below: months in English, German, French and Spanish, by Roman numbers, and
// what stands between the parts of a date. Two points are a range.
constexpr std::pair<std::string_view, std::string_view> kParts[] = {
    {"MONTH",
     "(jan(uary|uar|vier|v)?|j(ä|ae)nner|enero|ene|feb(ruary|ruar|rero)?|f[eé]vr(ier)?|mar(ch|s|zo)"
     "?|"
     "m(ä|ae)rz|mrz|apr(il)?|avril|abr(il)?|may|mai|mayo|june?|juni|juin|junio|july?|juli|juil(let)"
     "?|"
     "julio|aug(ust)?|ao[uû]t|agosto|sept?(ember|embre|iembre)?|setiembre|o[ck]t(ober|obre|ubre)?|"
     "nov(ember|embre|iembre)?|de[cz](ember)?|d[eé]c(embre)?|diciembre)"},
    {"SEASON",
     "(spring|summer|autumn|fall|winter|fr(ü|ue)hling|fr(ü|ue)hjahr|sommer|herbst|printemps|[eé]t["
     "eé]|"
     "automne|hiver|primavera|verano|oto[nñ]o|invierno|estate|christmas|weihnachten|no[eë]l|"
     "navidad|easter|ostern|p[aâ]ques|thanksgiving)"},
    {"ROMAN", "(i{1,3}|iv|vi{0,3}|ix|xi{0,2})"},
    {"APART",
     R"((?:[\s_/\x{a0}\x{2010}-\x{2015}-]+|[\s_/\x{a0}\x{2010}-\x{2015}-]*\.[\s_/\x{a0}\x{2010}-\x{2015}-]*))"},
    {"YEAR", R"((?:(?:1[89]|2[01])\d\d))"},
};

constexpr const char* kIdentifiers[] = {
    R"((?i)[a-z0-9._%+-]@[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,})",
    R"((?i)[a-z]://\S|\bwww\.[a-z0-9-])",
    R"(\b\d{3}[-. ]\d{2}[-. ]\d{4}\b|(?i)(^|[^a-z0-9*])[x*]{3}[- ]?[x*]{2}[- ]?\d{4}\b)",
    R"(\(\d{3}\) ?\d{3}[ .-]?\d{4}\b|\b\d{3}[ .-]\d{3}[ .-]\d{4}\b|\+\d[\d ().-]{6,}\d|^\d{3}-\d{4}$)",
    R"(\b(\d{1,3}\.){3}\d{1,3}\b)",
    R"((?i)\b([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\b|\b[0-9a-f]{1,4}(:[0-9a-f]{1,4})*::)",
    R"((?i)(^|[^a-z0-9])([0-9a-f]{2}[:-]){5}[0-9a-f]{2}($|[^a-z0-9]))",
    R"((^|[^A-Za-z0-9])[A-HJ-NPR-Z0-9]{17}($|[^A-Za-z0-9]))",
    R"((?i)\b[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\b)",
    R"(\b\d{4}([ -])\d{4}[ -]\d{4}[ -]\d{2,4}\b)",
    // Dates: by numbers, weeks and quarters, and by the names of months.
    R"(\b(1[89]|2[01])\d\d-(0?[1-9]|1[0-2])(-\d{1,2})?(\b|T))",
    R"(\b(1[89]|2[01])\d\d/\d{1,2}(/\d{1,2})?\b|\b(1[89]|2[01])\d\d\.\d{1,2}\.\d{1,2}\b)",
    R"(\b\d{1,2}(/\d{1,2}/|\.\d{1,2}\.|-\d{1,2}-)(\d{4}|\d{2})\b)",
    R"(\b(0?[1-9]|1[0-2])[/-](1[89]|2[01])\d\d\b)",
    R"(\bYEAR[-/](00[1-9]|0[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6])\b)",
    R"((?i)\b(1[89]|2[01])\d\d[-/ ]?(W\d\d|Q[1-4])|\bQ[1-4][-/ ]?(1[89]|2[01])\d\d\b)",
    R"(\bYEARAPART(0?[1-9]|1[0-2])APART\d{1,2}\b|\b\d{1,2}APART\d{1,2}APARTYEAR\b)",
    R"((?i)\b\d{1,2}APARTROMANAPARTYEAR\b|\b\d{1,2}[./-] *ROMAN[./-] *\d\d\b|\bROMAN[./-]YEAR\b|\bYEAR[./-]ROMAN\b)",
    R"(\b\d{1,2} / \d{1,2} / \d\d\b)",
    R"((?i)\bMONTH[\s,_./\x{a0}\x{2010}-\x{2015}-][\s,_./:#=\x{a0}\x{2010}-\x{2015}-]*(the |del? )?\d{1,4}(st|nd|rd|th)?\b)",
    R"(\b\d{1,2}[-/. ]\d{1,2}[-/. ]['’]\d\d\b|\d{1,2}月)",
    R"((?i)\b(week|wk|kw|woche|semaine|semana)[ .:-]*\d{1,2}[ ,/.-]*(of )?YEAR\b|\bYEAR[ ,/.-]*(week|wk|kw|woche|semaine|semana)[ .:-]*\d)",
    R"((?i)(^|[^\pL])SEASON[ ,/.-]*(of |de |del )?YEAR\b|\bYEAR[ ,/.-]*SEASON($|[^\pL]))",
    R"((?i)\b\d{1,4} ?(st|nd|rd|th|er)?[\s_./\x{a0}\x{2010}-\x{2015}-]*((of|de)\s+)?MONTH\b)",
    R"((?i)\b(9\d|1[0-3]\d)[ -]?(years?|yrs?|yo|y/o|y\.o|y)\b|\bage[ds]?( of)?[ :=]*(9\d|1[0-3]\d)\b)",
    R"(\b\d{5}-\d{4}\b|\b[A-Z]{2},? +\d{5}\b)",
    R"((?i)\bzip( ?code)?[ :#]*\d{5}\b)",
    R"((?i)\b\d{1,5}[a-z]? (\p{L}[\p{L}'’.-]* ){1,4}(street|avenue|road|lane|drive|boulevard)\b)",
    R"((?i)\b(mrn|ssn|medical record|account|acct|policy|member|licen[cs]e|passport|serial)( ?(number|num|no|nr|id))?[ ,.:#=/()_-]*[a-z]{0,3}\d{4,})",
    R"((?i)mrn[^a-z0-9]+([a-z]+\d[a-z0-9]+|[a-z]{2,}\d|\d[a-z0-9]{2,}))",
    R"((?i)vin[^a-z0-9]*[a-hj-npr-z0-9]{17})",
    // Telephones by a word before, and with a German area code.
    R"((?i)(tel|telefon|telephone|phone|fax|mobil|mobile|handy)[ .:/()+#\x{a0}\x{2010}-\x{2015}-]*\d[\d /().-]{2,}\d)",
    R"((?i)\bcall[ :]+\d[\d /().-]{4,}\d|\b(ext|extension|durchwahl)[ .:]+\d{3,})",
    R"(\b0\d{2,4} ?/ ?\d[\d -]{2,}\d\b|\b00\d\d[ /]\d[\d ()/-]{5,}\d|\b0\d{3,4} \d{5,8}\b|\(0\) ?\d{2,5}[ /-]\d{4,})",
    // Numbers of people, records and things that are announced.
    R"((?i)\bmrn[^a-z0-9]+\d\d|\b(acct|account|konto)[ .:#=/()_-]+\d{3,}|\bacc[.:#][.:# ]*\d{3,})",
    R"((?i)\b(pat|patient|patienten|case|chart|file|fall|akten?|dossier)[ .-]*(nr|no|num|number|nummer|id|#)[ .:#=-]*[a-z]{0,3}\d\d)",
    R"((?i)\b(fall|akte|dossier)[ :#]+\d{4,}|\b(passport|reisepass|passeport|imei|kennzeichen)[ .:#]+[a-z]{0,3}[ -]?\d[a-z0-9-]{3,})",
    R"((?i)\bserial[ .:#]+[a-z]{0,3}\d{2,}|\bsn[:#] ?[a-z]{0,3}\d)",
    // Accounts and addresses on the web.
    R"((?i)(^|[\s(])@[a-z_][a-z0-9_.]{2,}|[a-z]{3,}#\d{3,})",
    R"((?i)\b[a-z0-9-]{2,}\.(com|org|net|edu|gov|info)\b|[a-z0-9] ?[\[(] ?at ?[\])] ?[a-z0-9])",
    // A day of a year that is not named, behind a word: flu 3/3.
    R"(\p{L}[\s,:(]+(0?[1-9]|1[0-2])/(0?[1-9]|[12]\d|3[01])([\s,;:.)]|$))",
    R"(\p{L}[\s,:(]+(0?[1-9]|[12]\d|3[01])/(0?[1-9]|1[0-2])([\s,;:.)]|$))",
    // Coordinates: 40.7128, -74.0060 and 40° 42' N.
    R"((^|[^\d.])-?\d{1,2}\.\d{3,} ?[,;/ ] ?-?\d{1,3}\.\d{3,}($|[^\d.]))",
    R"((?i)\b(gps|lat|lon|lng|latitude|longitude)[ :=(]+-?\d{1,3}[.,]\d)",
    // A day of a year that is not named, with points: geb. 3.5.
    R"(\p{L}[\s,:(.]+(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.([\s,;:)]|$))",
    // Postcodes of other countries.
    R"(\b[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}\b|\b(D|A|CH|F|NL|B)-\d{4,5}\b)",
    R"(\d{1,3} ?° ?\d{1,2}(\.\d+)? ?['′’])",
};

// A day without signs between: only where it is not the whole value, which may be any number.
constexpr const char* kCompactDay =
    R"(\b(1[89]|2[01])\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(\b|T))"
    R"(|\b((0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])|(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2]))(1[89]|2[01])\d\d\b)";

// Nine or ten digits, as a social security number or a telephone has, or thirteen and more, as a
// card or a time in milliseconds (a drug's number has eleven): among words alone, not in a number.
constexpr const char* kTenDigits = R"((^|[^\d.,])(\d{9,10}|\d{13,19})($|[^\d.,]|[.,]($|\D)))";

class Expressions {
 public:
  // For texts of ASCII alone, or for all.
  explicit Expressions(bool ascii)
      : set_(quiet(), RE2::UNANCHORED),
        compact_day_(kCompactDay, quiet()),
        ten_digits_(kTenDigits, quiet()) {
    for (std::string expression : kIdentifiers) {
      for (const auto& [name, part] : kParts) {
        for (auto at = expression.find(name); at != std::string::npos; at = expression.find(name))
          expression.replace(at, name.size(), part);
      }
      set_.Add(ascii ? ascii_expression(expression) : expression, nullptr);
    }
    set_.Compile();
  }
  [[nodiscard]] static const Expressions& of(std::string_view text) {
    static const Expressions ascii(true);
    if (is_ascii(text)) return ascii;
    static const Expressions all(false);
    return all;
  }
  [[nodiscard]] bool match(std::string_view text) const {
    const re2::StringPiece piece(text.data(), text.size());
    RE2::Set::ErrorInfo ignored{};
    std::vector<int> matched;
    if (set_.Match(piece, &matched, &ignored)) return true;
    const bool words = std::any_of(text.begin(), text.end(), [](unsigned char c) {
      return c == ' ' || c >= 0x80 || std::isalpha(c) != 0;
    });
    return (!std::all_of(text.begin(), text.end(), is_digit) &&
            RE2::PartialMatch(piece, compact_day_)) ||
           (words && RE2::PartialMatch(piece, ten_digits_));
  }

 private:
  static RE2::Options quiet() {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(std::int64_t{64} << 20U);
    return options;
  }
  RE2::Set set_;
  RE2 compact_day_;
  RE2 ten_digits_;
};

// A blank wherever letters and digits meet, and for an underscore: dob1970-03-05, scan_2019-03-05.
std::string spaced(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
  };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool meet = i > 0 && ((is_letter(text[i - 1]) && is_digit(text[i])) ||
                                (is_digit(text[i - 1]) && is_letter(text[i])));
    if (meet) result += ' ';
    result += text[i] == '_' ? ' ' : text[i];
  }
  return result;
}

}  // namespace

bool names_somebody(std::string_view text) {
  static const RE2 title_and_name(
      R"(\b(Mr|Mrs|Ms|Miss|Dr|Prof|Herrn?|Frau|Mme|Mlle|Monsieur|Madame|Sra|Signora?)\b)"
      R"(\.? *(\p{Lu}\. *)?\p{Lu}\p{Ll})");
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), title_and_name);
}

bool has_identifier_in_text(std::string_view text) {
  const auto match = [](std::string_view part) { return Expressions::of(part).match(part); };
  const std::string plain = plain_text(text);
  if (match(text) || (plain != text && match(plain)) || is_surely_day_and_month(plain)) return true;
  const std::string apart = spaced(plain);
  return apart != plain && match(apart);
}

}  // namespace pratique::columns::internal
