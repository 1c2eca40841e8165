#include "pratique/columns/column_content.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <cctype>
#include <mutex>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/columns/internal/ascii_expression.h"
#include "pratique/columns/internal/calendar_text.h"
#include "pratique/columns/internal/known_name.h"
#include "pratique/columns/internal/people_names.h"
#include "pratique/columns/internal/plain_text.h"
#include "pratique/core/ascii.h"
#include "pratique/core/parallel.h"
#include "pratique/data/date.h"
#include "pratique/data/number.h"

namespace pratique::columns {
namespace {

constexpr std::size_t kLongestLookedAt = 4096;  // bytes of a value

bool is_missing(std::string_view value) {
  constexpr std::array<std::string_view, 10> kMarks = {"",     "*",   "NA",  "N/A", "NULL",
                                                       "null", "NaN", "nan", "?",   "."};
  return std::find(kMarks.begin(), kMarks.end(), value) != kMarks.end();
}

bool all_of(std::string_view text, int (*kind)(int)) {
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return kind(static_cast<unsigned char>(c)) != 0; });
}
bool any_of(std::string_view text, int (*kind)(int)) {
  return std::any_of(text.begin(), text.end(),
                     [&](char c) { return kind(static_cast<unsigned char>(c)) != 0; });
}

// One pass over a value finds all shapes that are regular expressions.
class ShapeExpressions {
 public:
  // For texts of ASCII alone, or for all.
  explicit ShapeExpressions(bool ascii) : set_(options(), RE2::UNANCHORED), ascii_(ascii) {
    add(Shape::email, R"((?i)\b[a-z0-9._%+-]+@[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}\b)");
    add(Shape::web_address, R"((?i)\b(https?|ftp)://\S|\bwww\.[a-z0-9-]+\.[a-z])");
    add(Shape::social_security, R"(\b\d{3}-\d{2}-\d{4}\b)");
    add(Shape::phone,
        R"(\(\d{3}\) ?\d{3}[ .-]\d{4}\b|\b\d{3}[ .-]\d{3}[ .-]\d{4}\b|^\+\d[\d ().-]{7,}\d$|^\d{3}-\d{4}$|(?:^|[^\d])\+\d{1,3}[ (]?[\d ()/.-]{6,}\d|(?i)\b(tel|telephone|telefon|phone|fon|mobile|handy|cell|call|ring)\b\D{0,8}\d[\d ()/.-]{5,}\d)");
    add(Shape::ip_address,
        R"(^((25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(25[0-5]|2[0-4]\d|1?\d?\d)(/\d{1,2})?$)");
    add(Shape::ip_address,
        R"((?i)^(([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|[0-9a-f:]*::[0-9a-f:]*)(/\d{1,3})?$)");
    add(Shape::mac_address, R"((?i)^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$)");
    add(Shape::zip_code, R"(^\d{5}(-\d{4})?$)");
    add(Shape::zip_prefix, R"(^\d{3}(\*\*)?$)");
    add(Shape::year, R"(^(<=)?(18|19|20|21)\d\d$)");
    add(Shape::precise_date,
        R"((?i)^\d{1,2}[. -]+(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[., -]+\d{2,4}$)");
    add(Shape::precise_date,
        R"((?i)^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[. ]+(\d{1,2}[, ]+)?\d{4}$)");
    add(Shape::precise_date,
        R"(^(1[89]|2[01])\d\d[-/.](00[1-9]|0[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6])$)");
    add(Shape::capitalised_words, R"(^\p{Lu}[\p{L}'’.-]*(,? \p{Lu}[\p{L}'’.-]*){1,3}$)");
    add(Shape::letters, R"(\p{L})");
    add(Shape::person_name,
        R"(^((Dr|Prof|Mr|Mrs|Ms|Miss|Frau|Herr|Mme|Mlle|M|med)\.? )*\p{Lu}[\p{L}\p{M}'’-]*\.?(,? ((von|van|der|den|de|du|di|da|del|la|le|zu|ten|ter) )*\p{Lu}[\p{L}\p{M}'’-]*\.?){1,2}$)");
    add(Shape::titled_name,
        R"(^((Dr|Prof|Mr|Mrs|Ms|Miss|Frau|Herr|Mme|Mlle|med)\.? )+\p{Lu}[\p{L}\p{M}'’-]*\.?( ((von|van|der|den|de|du|di|da|del|la|le|zu|ten|ter) )*\p{Lu}[\p{L}\p{M}'’-]*\.?){0,2}$)");
    add(Shape::street_address,
        R"((?i)^\d{1,5}[a-z]?,? (\p{L}[\p{L}'’.-]* ){1,4}(street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|way|place|pl|terrace|square|row|close|crescent|hill|path)\b)");
    add(Shape::street_address,
        R"((?i)\p{L}(straße|strasse|str\.|weg|gasse|platz|allee|damm|ufer|straat|laan) ?\d{1,4}[a-z]?\b)");
    add(Shape::street_address,
        R"((?i)^\d{1,4}( ?(bis|ter))?,? (rue|avenue|boulevard|bd|impasse|chemin|allée|place|quai) (\p{L}|d'))");
    add(Shape::street_address,
        R"((?i)^(via|viale|piazza|corso|calle|avenida|rua|travessa|plaza|ul\.|ulica) [\p{L}'’. -]+,? ?(n[.º°]? ?)?\d{1,4}\b)");
    add(Shape::licence_plate,
        R"(^(\p{Lu}{1,3}-[A-Z]{1,2} ?\d{1,4}[EH]?|[A-Z]{2}-\d{3}-[A-Z]{2}|[A-Z]{2}\d{2} ?[A-Z]{3}|\d[A-Z]{3}\d{3})$)");
    add(Shape::record_number,
        R"((?i)^(mrn|pid|pat|patient|case|fall|member|acct?|account|policy)[ ._#:-]*\d{3,}$)");
    set_.Compile();
  }

  // The other letters' expressions are compiled by the first value that has one.
  [[nodiscard]] static const ShapeExpressions& of(std::string_view value) {
    static const ShapeExpressions ascii(true);
    if (internal::is_ascii(value)) return ascii;
    static const ShapeExpressions all(false);
    return all;
  }

  void find(std::string_view value, std::array<bool, kShapes>& shapes) const {
    thread_local std::vector<int> matched;
    matched.clear();
    RE2::Set::ErrorInfo ignored{};
    set_.Match(re2::StringPiece(value.data(), value.size()), &matched, &ignored);
    for (const int index : matched) {
      shapes[static_cast<std::size_t>(shapes_[static_cast<std::size_t>(index)])] = true;
    }
  }

 private:
  static RE2::Options options() {
    RE2::Options options;
    options.set_log_errors(false);
    return options;
  }
  void add(Shape shape, const char* expression) {
    set_.Add(ascii_ ? internal::ascii_expression(expression) : expression, nullptr);
    shapes_.push_back(shape);
  }

  RE2::Set set_;
  bool ascii_;
  std::vector<Shape> shapes_;
};

// ISO 13616: two letters, two check digits, and up to 30 letters and digits; with the first four
// put last, and letters as 10 to 35, the number leaves 1 when divided by 97.
bool is_bank_account(std::string_view value) {
  std::string account;
  for (const char c : value) {
    if (c != ' ') account += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  if (account.size() < 15 || account.size() > 34 || !all_of(account, isalnum) ||
      !all_of(std::string_view(account).substr(0, 2), isalpha) ||
      !all_of(std::string_view(account).substr(2, 2), isdigit))
    return false;
  std::rotate(account.begin(), account.begin() + 4, account.end());
  unsigned left = 0;
  for (const char c : account)
    left = is_digit(c) ? (left * 10 + static_cast<unsigned>(c - '0')) % 97
                       : (left * 100 + static_cast<unsigned>(c - 'A') + 10) % 97;
  return left == 1;
}

// 03/05/1970 12:30 without what is behind the day.
std::string_view without_time(std::string_view value) {
  const auto end = value.find_first_of(" T");
  if (end == std::string_view::npos) return value;
  const auto time = value.substr(end + 1);
  const bool is_time = time.size() > 3 && is_digit(time[0]) && time.find(':') < 3;
  return is_time ? value.substr(0, end) : value;
}

bool is_precise_date(std::string_view value) {
  if (const auto date = parse_iso_date(value)) return date->month != 0;
  const auto foreign = parse_foreign_date(without_time(value));
  return foreign && foreign->year >= 1800 && foreign->year < 2200;
}

struct Look {
  std::array<bool, kShapes> shapes{};
  ColumnType type = ColumnType::text;
  bool truth = false;    // could be yes or no
  bool compact = false;  // a date of digits alone, which may be a number
};

ColumnType type_of(std::string_view value, bool precise_date) {
  if (precise_date) return ColumnType::date;
  if (is_number(value)) {
    if (value.find('.') != std::string_view::npos) return ColumnType::decimal;
    const std::string_view digits = value.substr(value.find_first_of("0123456789"));
    return digits.size() > 1 && digits.front() == '0' ? ColumnType::code : ColumnType::integer;
  }
  const bool short_word = value.size() <= 24 && value.find(' ') == std::string_view::npos;
  return short_word && any_of(value, isdigit) ? ColumnType::code : ColumnType::text;
}

bool is_truth(std::string_view value) {
  std::string lower(value.substr(0, 6));
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::array<std::string_view, 10> kTruths = {"0",    "1",     "t", "f",   "y",
                                                        "true", "false", "n", "yes", "no"};
  return std::find(kTruths.begin(), kTruths.end(), lower) != kTruths.end();
}

Look look_at(std::string_view written) {
  written = written.substr(0, kLongestLookedAt);
  std::string read;
  if (!internal::is_plain(written)) read = internal::plain_text(written);
  const std::string_view value = read.empty() ? written : read;
  Look look;
  const auto mark = [&](Shape shape) { look.shapes[static_cast<std::size_t>(shape)] = true; };
  ShapeExpressions::of(value).find(value, look.shapes);
  if (is_precise_date(value)) mark(Shape::precise_date);
  if (value.size() == 17 && all_of(value, isalnum) && any_of(value, isdigit) &&
      any_of(value, isalpha) && value.find_first_of("IOQioq") == std::string_view::npos) {
    mark(Shape::vehicle_number);
  }
  const auto blanks = std::count(value.begin(), value.end(), ' ');
  if (blanks > 8) {
    mark(Shape::long_text);
  } else if (blanks > 2) {
    mark(Shape::phrase);
  }
  look.type = type_of(value, look.shapes[static_cast<std::size_t>(Shape::precise_date)]);
  if (look.type == ColumnType::integer && value.size() <= 3) {
    const double number = to_double(value);
    if (number >= 90 && number <= 130) mark(Shape::over_89);
  }
  // Digits that may be a date do not make the column one of dates.
  if (internal::year_of_digits(value)) mark(Shape::precise_date);
  if (all_of(value, isdigit)) {
    if (value.size() == 4) mark(Shape::zip_without_zero);
    if (value.back() == '0') mark(Shape::round_number);
    if (value.size() >= 5) mark(Shape::long_number);
  }
  const auto digits = std::count_if(value.begin(), value.end(), is_digit);
  if (digits >= 4 && blanks == 0 && 2 * static_cast<std::size_t>(digits) >= value.size())
    mark(Shape::numbered);
  if (internal::is_day_and_month(value)) mark(Shape::day_and_month);
  if (blanks > 0 && internal::holds_known_name(value)) mark(Shape::known_name);
  if (blanks == 0 && internal::is_known_name(value)) {
    mark(Shape::one_name);
    if (!internal::is_another_word(value)) mark(Shape::one_name_only);
  }
  if (is_bank_account(value)) mark(Shape::bank_account);
  if (internal::is_month_or_weekday(value)) mark(Shape::month_or_weekday);
  if (internal::may_be_short_weekday(value)) mark(Shape::short_weekday);
  look.truth = is_truth(value);
  look.compact = look.type == ColumnType::date && all_of(value, isdigit);
  return look;
}

struct Tally {
  std::array<std::uint64_t, kShapes> shaped{};
  std::array<std::uint64_t, 7> types{};
  std::uint64_t missing = 0;
  std::uint64_t distinct = 0;
  std::uint64_t unique = 0;
  std::uint64_t truths = 0;   // distinct values
  std::uint64_t compact = 0;  // distinct values

  void add(const Tally& other) {
    for (std::size_t i = 0; i < shaped.size(); ++i) shaped[i] += other.shaped[i];
    for (std::size_t i = 0; i < types.size(); ++i) types[i] += other.types[i];
    missing += other.missing;
    distinct += other.distinct;
    unique += other.unique;
    truths += other.truths;
    compact += other.compact;
  }
  [[nodiscard]] std::uint64_t of(ColumnType type) const {
    return types[static_cast<std::size_t>(type)];
  }
};

ColumnType narrowest(const Tally& tally) {
  const std::uint64_t integers = tally.of(ColumnType::integer);
  const std::uint64_t numbers = integers + tally.of(ColumnType::decimal);
  const std::uint64_t codes = numbers + tally.of(ColumnType::code);
  if (tally.distinct == 0) return ColumnType::empty;
  if (tally.distinct == 2 && tally.truths == 2) return ColumnType::boolean;
  // Among whole numbers of eight digits a few could be dates.
  if (integers + tally.compact == tally.distinct && integers > tally.compact)
    return ColumnType::integer;
  if (integers == tally.distinct) return ColumnType::integer;
  if (numbers == tally.distinct) return ColumnType::decimal;
  if (tally.of(ColumnType::date) == tally.distinct) return ColumnType::date;
  return codes == tally.distinct ? ColumnType::code : ColumnType::text;
}

bool names_recombine(const Dictionary& values, const std::vector<char>& is_name) {
  internal::PeopleNames names;
  for (std::size_t code = 0; code < is_name.size() && names.size() < internal::PeopleNames::kEnough;
       ++code) {
    if (is_name[code] != 0) names.add(internal::plain_text(values.value(static_cast<Code>(code))));
  }
  return names.recombine();
}

}  // namespace

std::string_view to_string(ColumnType type) {
  switch (type) {
    case ColumnType::empty:
      return "empty";
    case ColumnType::boolean:
      return "boolean";
    case ColumnType::integer:
      return "integer";
    case ColumnType::decimal:
      return "decimal";
    case ColumnType::date:
      return "date";
    case ColumnType::code:
      return "code";
    case ColumnType::text:
      break;
  }
  return "text";
}

ColumnContent read_content(const Column& column) {
  return read_content(column.dictionary, column.counts());
}

ColumnContent read_content(const Dictionary& values, std::span<const std::uint64_t> counts) {
  Tally total;
  std::vector<char> is_name(counts.size(), 0);
  std::mutex mutex;
  parallel_blocks(counts.size(), 4096, [&](std::size_t begin, std::size_t end) {
    Tally tally;
    for (std::size_t code = begin; code < end; ++code) {
      if (counts[code] == 0) continue;
      const std::string_view value = values.value(static_cast<Code>(code));
      if (is_missing(value)) {
        tally.missing += counts[code];
        continue;
      }
      const Look look = look_at(value);
      ++tally.distinct;
      if (counts[code] == 1) ++tally.unique;
      if (look.truth) ++tally.truths;
      if (look.compact) ++tally.compact;
      is_name[code] = look.shapes[static_cast<std::size_t>(Shape::person_name)] ? 1 : 0;
      ++tally.types[static_cast<std::size_t>(look.type)];
      for (std::size_t i = 0; i < kShapes; ++i) {
        if (look.shapes[i]) tally.shaped[i] += counts[code];
      }
    }
    const std::lock_guard lock(mutex);
    total.add(tally);
  });

  ColumnContent content;
  content.type = narrowest(total);
  content.rows = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  content.missing = total.missing;
  content.distinct = total.distinct;
  content.unique = total.unique;
  content.shaped = total.shaped;
  content.names_recombine = names_recombine(values, is_name);
  return content;
}

}  // namespace pratique::columns
