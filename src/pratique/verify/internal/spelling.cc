#include "pratique/verify/internal/spelling.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace pratique::verify {
namespace {

// Characters from first to last, every step-th of them, are written as the one `by` further on.
struct Shift {
  char32_t first;
  char32_t last;
  char32_t step;
  int by;
};
constexpr Shift kShifts[] = {
    {U'A', U'Z', 1, 32},        {0xB5, 0xB5, 1, 0x307}, {0xC0, 0xD6, 1, 32},
    {0xD8, 0xDE, 1, 32},        {0x100, 0x12E, 2, 1},   {0x130, 0x130, 1, -199},
    {0x132, 0x136, 2, 1},       {0x139, 0x147, 2, 1},   {0x14A, 0x176, 2, 1},
    {0x178, 0x178, 1, -121},    {0x179, 0x17D, 2, 1},   {0x17F, 0x17F, 1, -268},
    {0x386, 0x386, 1, 38},      {0x388, 0x38A, 1, 37},  {0x38C, 0x38C, 1, 64},
    {0x38E, 0x38F, 1, 63},      {0x391, 0x3A1, 1, 32},  {0x3A3, 0x3AB, 1, 32},
    {0x3C2, 0x3C2, 1, 1},       {0x400, 0x40F, 1, 80},  {0x410, 0x42F, 1, 32},
    {0x460, 0x480, 2, 1},       {0x48A, 0x4BE, 2, 1},   {0x4C0, 0x4C0, 1, 15},
    {0x4C1, 0x4CD, 2, 1},       {0x4D0, 0x52E, 2, 1},   {0x1E00, 0x1E94, 2, 1},
    {0x1E9E, 0x1E9E, 1, -7615}, {0x1EA0, 0x1EFE, 2, 1},
};

char32_t small(char32_t c) {
  for (const auto& shift : kShifts) {
    if (c >= shift.first && c <= shift.last && (c - shift.first) % shift.step == 0)
      return static_cast<char32_t>(static_cast<int>(c) + shift.by);
  }
  return c;
}

// Small letters with an accent, and what they are made of.
struct Parts {
  char32_t letter;
  char plain;
  char32_t accent;
};
constexpr Parts kParts[] = {
    {0xE0, 'a', 0x300},  {0xE1, 'a', 0x301},  {0xE2, 'a', 0x302},  {0xE3, 'a', 0x303},
    {0xE4, 'a', 0x308},  {0xE5, 'a', 0x30A},  {0xE7, 'c', 0x327},  {0xE8, 'e', 0x300},
    {0xE9, 'e', 0x301},  {0xEA, 'e', 0x302},  {0xEB, 'e', 0x308},  {0xEC, 'i', 0x300},
    {0xED, 'i', 0x301},  {0xEE, 'i', 0x302},  {0xEF, 'i', 0x308},  {0xF1, 'n', 0x303},
    {0xF2, 'o', 0x300},  {0xF3, 'o', 0x301},  {0xF4, 'o', 0x302},  {0xF5, 'o', 0x303},
    {0xF6, 'o', 0x308},  {0xF9, 'u', 0x300},  {0xFA, 'u', 0x301},  {0xFB, 'u', 0x302},
    {0xFC, 'u', 0x308},  {0xFD, 'y', 0x301},  {0xFF, 'y', 0x308},  {0x101, 'a', 0x304},
    {0x103, 'a', 0x306}, {0x105, 'a', 0x328}, {0x107, 'c', 0x301}, {0x109, 'c', 0x302},
    {0x10B, 'c', 0x307}, {0x10D, 'c', 0x30C}, {0x10F, 'd', 0x30C}, {0x113, 'e', 0x304},
    {0x115, 'e', 0x306}, {0x117, 'e', 0x307}, {0x119, 'e', 0x328}, {0x11B, 'e', 0x30C},
    {0x11D, 'g', 0x302}, {0x11F, 'g', 0x306}, {0x121, 'g', 0x307}, {0x123, 'g', 0x327},
    {0x125, 'h', 0x302}, {0x129, 'i', 0x303}, {0x12B, 'i', 0x304}, {0x12D, 'i', 0x306},
    {0x12F, 'i', 0x328}, {0x135, 'j', 0x302}, {0x137, 'k', 0x327}, {0x13A, 'l', 0x301},
    {0x13C, 'l', 0x327}, {0x13E, 'l', 0x30C}, {0x144, 'n', 0x301}, {0x146, 'n', 0x327},
    {0x148, 'n', 0x30C}, {0x14D, 'o', 0x304}, {0x14F, 'o', 0x306}, {0x151, 'o', 0x30B},
    {0x155, 'r', 0x301}, {0x157, 'r', 0x327}, {0x159, 'r', 0x30C}, {0x15B, 's', 0x301},
    {0x15D, 's', 0x302}, {0x15F, 's', 0x327}, {0x161, 's', 0x30C}, {0x163, 't', 0x327},
    {0x165, 't', 0x30C}, {0x169, 'u', 0x303}, {0x16B, 'u', 0x304}, {0x16D, 'u', 0x306},
    {0x16F, 'u', 0x30A}, {0x171, 'u', 0x30B}, {0x173, 'u', 0x328}, {0x175, 'w', 0x302},
    {0x177, 'y', 0x302}, {0x17A, 'z', 0x301}, {0x17C, 'z', 0x307}, {0x17E, 'z', 0x30C},
};

constexpr std::u32string_view kBlanks =
    U"\t\n\v\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A"
    U"\u2028\u2029\u202F\u205F\u3000\x85";
constexpr std::u32string_view kUnseen =
    U"\u00AD\u034F\u061C\u180E\u200B\u200C\u200D\u200E\u200F\u202A\u202B\u202C\u202D\u202E\uFEFF";

bool is_unseen(char32_t c) {
  return c == 0 || (c >= 0x2060 && c <= 0x206F) || (c >= 0xFE00 && c <= 0xFE0F) ||
         kUnseen.find(c) != std::u32string_view::npos;
}

// A byte that is no UTF-8 becomes a number beyond Unicode's.
std::u32string characters_of(std::string_view text) {
  constexpr char32_t kBeyond = 0x200000;
  std::u32string characters;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    constexpr unsigned char kOfLead[] = {0x7F, 0x1F, 0x0F, 0x07};
    constexpr char32_t kSmallest[] = {0, 0x80, 0x800, 0x10000};
    char32_t c = lead & kOfLead[length - 1];
    bool sound = (lead < 0x80 || (lead >= 0xC0 && lead < 0xF8)) && at + length <= text.size();
    for (std::size_t i = 1; sound && i < length; ++i) {
      const auto next = static_cast<unsigned char>(text[at + i]);
      sound = (next & 0xC0U) == 0x80U;
      c = (c << 6U) | (next & 0x3FU);
    }
    sound = sound && c >= kSmallest[length - 1] && c <= 0x10FFFF && !(c >= 0xD800 && c <= 0xDFFF);
    characters.push_back(sound ? c : kBeyond + lead);
    at += sound ? length : 1;
  }
  return characters;
}

const std::set<std::u32string_view> kNoValue = {U"na",
                                                U"n/a",
                                                U"n.a.",
                                                U"#n/a",
                                                U"nan",
                                                U"null",
                                                U"unk",
                                                U"not available",
                                                U"not known",
                                                U"not recorded",
                                                U"not reported",
                                                U"unknown",
                                                U"-",
                                                U"--",
                                                U"?",
                                                U".",
                                                U"missing",
                                                U"unbekannt",
                                                U"k.a.",
                                                U"k. a.",
                                                U"keine angabe",
                                                U"fehlt",
                                                U"inconnu",
                                                U"inconnue",
                                                U"non renseigne\u0301",
                                                U"desconocido",
                                                U"desconocida",
                                                U"sconosciuto",
                                                U"onbekend"};

std::u32string without_blanks(const std::u32string& text) {
  std::u32string joined;
  for (const char32_t c : text) {
    if (kBlanks.find(c) == std::u32string_view::npos) {
      joined += c;
    } else if (!joined.empty() && joined.back() != U' ') {
      joined += U' ';
    }
  }
  if (!joined.empty() && joined.back() == U' ') joined.pop_back();
  return joined;
}

// E11.9, E11-9, E11 9: one code. With other signs than points, parts behind the first have up to
// four characters, a digit among them; so has the first.
void join_parts_of_code(std::u32string& text) {
  constexpr std::u32string_view kSigns = U".-/_ ";
  const auto is_digit = [](char32_t c) { return c >= U'0' && c <= U'9'; };
  const auto is_letter = [](char32_t c) { return c >= U'a' && c <= U'z'; };
  if (text.size() <= 2 || !is_letter(text[0]) || !is_digit(text[1])) return;
  std::vector<std::u32string> parts(1);
  std::u32string signs;
  for (const char32_t c : text) {
    if (kSigns.find(c) != std::u32string_view::npos) {
      signs += c;
      parts.emplace_back();
    } else if (is_digit(c) || is_letter(c)) {
      parts.back() += c;
    } else {
      return;
    }
  }
  const bool points = signs.find_first_not_of(U'.') == std::u32string::npos;
  const bool all_short = std::all_of(parts.begin(), parts.end(), [&](const std::u32string& part) {
    return part.size() <= 4 && std::any_of(part.begin(), part.end(), is_digit);
  });
  if (!points && !all_short) return;
  text.clear();
  for (const auto& part : parts) text += part;
}

// A sign that is a digit, a hyphen or an apostrophe to whoever reads it.
char32_t read_sign(char32_t c) {
  struct Digits {
    char32_t zero;
    char32_t count;
  };
  // Of the scripts with ten of their own; mathematical ones five times.
  constexpr Digits kDigits[] = {{0x660, 10},  {0x6F0, 10},  {0x7C0, 10},  {0x966, 10},
                                {0x9E6, 10},  {0xA66, 10},  {0xAE6, 10},  {0xB66, 10},
                                {0xBE6, 10},  {0xC66, 10},  {0xCE6, 10},  {0xD66, 10},
                                {0xE50, 10},  {0xED0, 10},  {0xF20, 10},  {0x1040, 10},
                                {0x17E0, 10}, {0x1810, 10}, {0x2080, 10}, {0x1D7CE, 50}};
  for (const auto& digits : kDigits) {
    if (c >= digits.zero && c < digits.zero + digits.count) return U'0' + (c - digits.zero) % 10;
  }
  constexpr std::u32string_view kRaised =
      U"\u2070\u00B9\u00B2\u00B3\u2074\u2075\u2076\u2077\u2078\u2079";
  if (const auto digit = kRaised.find(c); digit != std::u32string_view::npos)
    return U'0' + static_cast<char32_t>(digit);
  if (std::u32string_view(U"\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uFE63").find(c) !=
      std::u32string_view::npos)
    return U'-';
  if (std::u32string_view(U"\u2018\u2019\u201A\u201B\u02BC\u2032").find(c) !=
      std::u32string_view::npos)
    return U'\'';
  return c;
}

// Several letters that are printed as one character.
std::u32string_view letters_in(char32_t c) {
  struct Several {
    char32_t one;
    std::u32string_view letters;
  };
  constexpr Several kSeveral[] = {
      {0xDF, U"ss"},     {0xE6, U"ae"},   {0x133, U"ij"},   {0x153, U"oe"},    {0xFB00, U"ff"},
      {0xFB01, U"fi"},   {0xFB02, U"fl"}, {0xFB03, U"ffi"}, {0xFB04, U"ffl"},  {0xFB05, U"st"},
      {0xFB06, U"st"},   {0x2160, U"i"},  {0x2161, U"ii"},  {0x2162, U"iii"},  {0x2163, U"iv"},
      {0x2164, U"v"},    {0x2165, U"vi"}, {0x2166, U"vii"}, {0x2167, U"viii"}, {0x2168, U"ix"},
      {0x2169, U"x"},    {0x216A, U"xi"}, {0x216B, U"xii"}, {0x2170, U"i"},    {0x2171, U"ii"},
      {0x2172, U"iii"},  {0x2173, U"iv"}, {0x2174, U"v"},   {0x2175, U"vi"},   {0x2176, U"vii"},
      {0x2177, U"viii"}, {0x2178, U"ix"}, {0x2179, U"x"},   {0x217A, U"xi"},   {0x217B, U"xii"}};
  for (const auto& several : kSeveral) {
    if (several.one == c) return several.letters;
  }
  return {};
}

// One text for all ways to write a number: [+-] digits [(. or ,) digits]. What may be a thousand
// (1,234) stays.
void join_numbers(std::u32string& text) {
  std::size_t at = 0;
  std::u32string number;
  if (at < text.size() && (text[at] == U'+' || text[at] == U'-')) {
    if (text[at] == U'-') number = U"-";
    ++at;
  }
  const auto take_digits = [&] {
    std::u32string digits;
    while (at < text.size() && text[at] >= U'0' && text[at] <= U'9') digits += text[at++];
    return digits;
  };
  std::u32string before = take_digits();
  std::u32string after;
  if (at < text.size() && (text[at] == U'.' || text[at] == U',')) {
    const bool comma = text[at++] == U',';
    after = take_digits();
    if (comma && (after.empty() || after.size() == 3)) return;
  }
  if (at != text.size() || before.empty() + after.empty() == 2) return;
  before.erase(0, std::min(before.find_first_not_of(U'0'), before.size()));
  after.erase(after.find_last_not_of(U'0') + 1);
  if (before.empty() && after.empty()) {
    text = U"0";
    return;
  }
  number += before.empty() ? U"0" : before;
  if (!after.empty()) number += U'.' + after;
  text = std::move(number);
}

bool is_ascii_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool stands_in_word(char32_t c) {
  return is_ascii_digit(c) || (c >= U'a' && c <= U'z') || c >= 0x80;
}

std::u32string between(const std::u32string& text, std::size_t from, std::size_t to) {
  while (from < to && text[from] == U' ') ++from;
  while (to > from && text[to - 1] == U' ') --to;
  return text.substr(from, to - from);
}

std::u32string without_brackets(std::u32string text) {
  while (text.size() > 2) {
    const char32_t first = text.front();
    const char32_t last = text.back();
    const bool around =
        (first == U'(' && last == U')') || (first == last && (first == U'"' || first == U'\''));
    if (!around || text.find_first_of(U",|") != std::u32string::npos) break;
    text = between(text, 1, text.size() - 1);
  }
  return text;
}

// Year, month and day of a date as digits, where they can be read in one way; else nothing. A time
// behind it is left aside.
std::u32string day_written(const std::u32string& text) {
  const std::size_t end = std::min(text.find_first_of(U" t"), text.size());
  if (end < text.size()) {
    const auto time = text.substr(end + 1);
    if (time.empty() || !is_ascii_digit(time[0]) || time.find(U':') == std::u32string::npos)
      return {};
  }
  std::vector<std::u32string> parts(1);
  char32_t sign = 0;
  for (const char32_t c : text.substr(0, end)) {
    if (is_ascii_digit(c)) {
      parts.back() += c;
    } else if ((c == U'-' || c == U'.' || c == U'/') && (sign == 0 || sign == c)) {
      sign = c;
      parts.emplace_back();
    } else {
      return {};
    }
  }
  if (parts.size() == 1 && parts[0].size() == 8)
    parts = {parts[0].substr(0, 4), parts[0].substr(4, 2), parts[0].substr(6)};
  if (parts.size() != 3) return {};
  const auto number = [](const std::u32string& digits) {
    int value = 0;
    for (const char32_t c : digits.substr(0, 5)) value = 10 * value + static_cast<int>(c - U'0');
    return value;
  };
  const auto is_short = [](const std::u32string& part) {
    return part.size() == 1 || part.size() == 2;
  };
  const auto iso_date = [&](const std::u32string& year, int month, int day) -> std::u32string {
    const int y = number(year);
    constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
    if (month < 1 || month > 12 || day < 1 || day > kDays[month - 1] + (leap && month == 2 ? 1 : 0))
      return {};
    const auto two = [](int n) {
      return std::u32string{U'0' + static_cast<char32_t>(n / 10),
                            U'0' + static_cast<char32_t>(n % 10)};
    };
    return U'@' + year + two(month) + two(day);
  };
  const auto& [a, b, c] = std::tie(parts[0], parts[1], parts[2]);
  if (a.size() == 4 && is_short(b) && is_short(c)) return iso_date(a, number(b), number(c));
  if (c.size() != 4 || !is_short(a) || !is_short(b)) return {};
  auto day_first = iso_date(c, number(b), number(a));
  auto month_first = iso_date(c, number(a), number(b));
  if (sign == U'.' || month_first.empty()) return day_first;
  return day_first.empty() || day_first == month_first ? month_first : std::u32string();
}

// H.I.V. is hiv, type-2 is type 2, 50 % is 50%.
std::u32string plain_words(const std::u32string& text) {
  const bool words = std::any_of(
      text.begin(), text.end(), [](char32_t c) { return stands_in_word(c) && !is_ascii_digit(c); });
  std::u32string plain = text;
  if (words) {
    plain.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char32_t before = i > 0 ? text[i - 1] : U' ';
      const char32_t after = i + 1 < text.size() ? text[i + 1] : U' ';
      switch (text[i]) {
        case U'.':
          if (is_ascii_digit(before) && is_ascii_digit(after)) plain += U'.';
          break;
        case U'-':
        case U'_':
        case U'/':
          plain += stands_in_word(before) && stands_in_word(after) ? U' ' : text[i];
          break;
        default:
          plain += text[i];
      }
    }
    plain = without_blanks(plain);
    if (plain.empty()) plain = text;
  }
  if (const auto last = plain.find_last_not_of(U'%');
      last != std::u32string::npos && last + 1 < plain.size()) {
    std::u32string number = between(plain, 0, last + 1);
    join_numbers(number);
    plain = number + plain.substr(last + 1);
  }
  return plain;
}

}  // namespace

std::string without_spelling(std::string_view value) {
  std::u32string text;
  for (char32_t c : characters_of(value)) {
    if (is_unseen(c)) continue;
    constexpr char32_t kFullWidth = 0xFEE0;
    if (c > kFullWidth + U' ' && c <= kFullWidth + U'~') c -= kFullWidth;
    c = small(read_sign(c));
    if (const auto letters = letters_in(c); !letters.empty()) {
      text += letters;
      continue;
    }
    const auto* parts = std::find_if(std::begin(kParts), std::end(kParts),
                                     [&](const Parts& known) { return known.letter == c; });
    if (parts == std::end(kParts)) {
      text += c;
    } else {
      text += static_cast<char32_t>(parts->plain);
      text += parts->accent;
    }
  }
  text = without_brackets(without_blanks(text));
  if (kNoValue.count(text) > 0) return "";
  if (auto day = day_written(text); !day.empty()) {
    text = std::move(day);
  } else {
    const std::size_t signs = text.size();
    join_parts_of_code(text);
    if (text.size() == signs) text = plain_words(text);
    join_numbers(text);
  }
  std::string bytes;  // nobody reads those beyond ASCII
  for (const char32_t c : text) {
    if (c < 0x80) {
      bytes += static_cast<char>(c);
    } else {
      bytes += '\x7F';
      for (const unsigned shift : {16U, 8U, 0U}) bytes += static_cast<char>((c >> shift) & 0xFFU);
    }
  }
  return bytes;
}

}  // namespace pratique::verify
