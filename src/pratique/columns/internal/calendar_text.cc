#include "pratique/columns/internal/calendar_text.h"

#include <re2/re2.h>

#include <algorithm>
#include <string>

#include "pratique/core/ascii.h"

namespace pratique::columns::internal {
namespace {

constexpr int kOldestTold = 89;

re2::StringPiece calendar_piece(std::string_view text) { return {text.data(), text.size()}; }

bool is_day_of_month(int day, int month) {
  return day >= 1 && day <= 31 && month >= 1 && month <= 12;
}

bool is_calendar_year(int year) { return year >= 1800 && year < 2200; }

}  // namespace

std::optional<int> year_of_digits(std::string_view text) {
  if (!std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  const auto number = [&](std::size_t from, std::size_t digits) {
    int value = 0;
    for (const char c : text.substr(from, digits)) value = value * 10 + (c - '0');
    return value;
  };
  if (text.size() == 8) {
    const int first = number(0, 2);
    const int second = number(2, 2);
    const int year = number(4, 4);
    if (is_calendar_year(year) &&
        (is_day_of_month(first, second) || is_day_of_month(second, first)))
      return year;
  }
  if (text.size() == 7) {
    const int day = number(4, 3);
    if (is_calendar_year(number(0, 4)) && day >= 1 && day <= 366) return number(0, 4);
  }
  return std::nullopt;
}

bool is_day_and_month(std::string_view text) {
  static const RE2 parts(R"((\d{1,2})/(\d{1,2})|(\d{1,2})\.(\d{1,2})\.|--(\d\d)-?(\d\d))");
  std::string groups[6];
  if (!RE2::FullMatch(calendar_piece(text), parts, &groups[0], &groups[1], &groups[2], &groups[3],
                      &groups[4], &groups[5]))
    return false;
  const auto number = [](const std::string& digits) {
    return digits.empty() ? 0 : std::stoi(digits);
  };
  for (const std::size_t at : {0U, 2U, 4U}) {
    const int a = number(groups[at]);
    const int b = number(groups[at + 1]);
    if (is_day_of_month(a, b) || is_day_of_month(b, a)) return true;
  }
  return false;
}

bool is_surely_day_and_month(std::string_view text) {
  return is_day_and_month(text) && (text.size() == 5 || text.back() == '.' || text.front() == '-');
}

bool is_month_or_weekday(std::string_view text) {
  static const RE2 names(
      R"((?i)(jan(uary|uar|vier|v)?|j(ä|ae)nner|enero|ene|feb(ruary|ruar|rero)?|f[eé]vr(ier)?|)"
      R"(mar(ch|s|zo)?|m(ä|ae)rz|mrz|apr(il)?|avril|abr(il)?|may|mai|mayo|june?|juni|juin|junio|)"
      R"(july?|juli|juil(let)?|julio|aug(ust)?|ao[uû]t|agosto|sept?(ember|embre|iembre)?|)"
      R"(setiembre|o[ck]t(ober|obre|ubre)?|nov(ember|embre|iembre)?|de[cz](ember)?|)"
      R"(d[eé]c(embre)?|diciembre|)"
      R"((mon|tues?|wed(nes)?|thu(rs?)?|fri|sat(ur)?|sun)(day)?|)"
      R"((mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|)"
      R"(lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|)"
      R"(lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo)\.?)");
  return text.size() < 16 && RE2::FullMatch(calendar_piece(text), names);
}

bool may_be_short_weekday(std::string_view text) {
  static const RE2 names(
      R"((?i)(m[oaei]|t[uh]|we|fr|s[aou]|d[io]|lu|j[eu]|v[ei]|w[od]|vr|z[ao]|)"
      R"(lu[nm]|ma[r]|m[ei][r]|mi[eé]|jeu|jue|gio|ven|vie|vri|sa[mb]|s[aá]b|di[mnl]|dom|zat|zon|maa|woe|don)\.?)");
  return text.size() < 6 && RE2::FullMatch(calendar_piece(text), names);
}

bool tells_old_birth(std::string_view text, int as_of) {
  static const RE2 birth(
      R"((?i)(?:^|[^\pL])(?:born|birth|birthyear|year of birth|yob|dob|b\.|geb|geboren|jahrgang|jg|)"
      R"(né|née|nacid[oa]|nat[oa])[^\pL\d]*(?:(?:in|im|jahr|year|en|el|about|ca)[^\pL\d]+)*)"
      R"(((?:1[89]|20)\d\d)(?:\D|$)|\*\s?((?:1[89]|20)\d\d)(?:\D|$))");
  re2::StringPiece rest = calendar_piece(text);
  std::string named;
  std::string starred;
  while (RE2::FindAndConsume(&rest, birth, &named, &starred)) {
    if (std::stoi(named.empty() ? starred : named) <= as_of - kOldestTold - 1) return true;
  }
  return false;
}

}  // namespace pratique::columns::internal
