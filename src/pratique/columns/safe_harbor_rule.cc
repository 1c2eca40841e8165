#include "pratique/columns/safe_harbor_rule.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

#include "pratique/columns/internal/calendar_text.h"
#include "pratique/columns/internal/column_name.h"
#include "pratique/columns/internal/identifier_in_text.h"
#include "pratique/columns/internal/plain_text.h"
#include "pratique/columns/role_advice.h"
#include "pratique/columns/safe_harbor.h"
#include "pratique/columns/zip_areas.h"
#include "pratique/core/ascii.h"
#include "pratique/data/date.h"
#include "pratique/data/number.h"

namespace pratique::columns {
namespace {

using internal::ColumnName;
using Treatment = SafeHarborTreatment;

constexpr int kOldestShown = 89;
// Of so many different texts a person can read each before saying what the column holds.
constexpr std::uint64_t kFewWords = 20;

bool has_any(const ColumnName& name, std::initializer_list<std::string_view> phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return name.has(phrase); });
}

// Shapes that are found in single cells: where few have them, these cells are left empty and the
// column stays.
bool is_found_in_cells(const SafeHarborFinding& finding) {
  switch (finding.identifier) {
    case SafeHarborIdentifier::telephone_numbers:
    case SafeHarborIdentifier::email_addresses:
    case SafeHarborIdentifier::social_security_numbers:
    case SafeHarborIdentifier::vehicle_identifiers:
    case SafeHarborIdentifier::device_identifiers:
    case SafeHarborIdentifier::web_addresses:
    case SafeHarborIdentifier::ip_addresses:
      return finding.by == SafeHarborFinding::By::content && finding.share < 0.5;
    default:
      return false;
  }
}

bool is_of_many_long_numbers(const ColumnContent& content) {
  constexpr std::uint64_t kMany = 20;
  const bool whole = content.type == ColumnType::integer || content.type == ColumnType::code;
  return whole && content.share(Shape::long_number) >= 0.95 && content.distinct >= kMany &&
         10 * content.distinct >= content.rows;
}

bool is_mark_of_nothing(std::string_view value) {
  constexpr std::array<std::string_view, 10> kMarks = {"",     "*",   "NA",  "N/A", "NULL",
                                                       "null", "NaN", "nan", "?",   "."};
  return std::find(kMarks.begin(), kMarks.end(), value) != kMarks.end();
}

bool all_are(std::string_view text, char sign) {
  return text.find_first_not_of(sign) == std::string_view::npos;
}

long value_of(std::string_view digits) {
  return std::strtol(std::string(digits.substr(0, 9)).c_str(), nullptr, 10);
}

// The years that a date, a year or a range of them names; none where it cannot be read.
std::vector<int> years_in(std::string_view value) {
  if (const auto date = parse_iso_date(value)) return {date->year};
  if (const auto date = parse_foreign_date(value)) return {date->year};
  if (const auto year = internal::year_of_digits(value)) return {*year};
  std::vector<int> years;
  for (std::size_t at = 0; at < value.size();) {
    std::size_t end = at;
    while (end < value.size() && is_digit(value[end])) ++end;
    const auto run = value.substr(at, end - at);
    if (run.size() == 4 && value_of(run) >= 1800 && value_of(run) < 2200)
      years.push_back(static_cast<int>(value_of(run)));
    at = std::max(end, at + 1);
  }
  return years;
}

std::string zip_cell(std::string_view value) {
  if (is_mark_of_nothing(value)) return std::string(value);
  const std::size_t digits = std::min(value.find_first_not_of("0123456789"), value.size());
  const std::string_view rest = value.substr(digits);
  std::string zip(value.substr(0, digits));
  const bool hidden = !rest.empty() && all_are(rest, '*');
  const bool with_four =
      rest.size() == 5 && rest[0] == '-' && std::all_of(rest.begin() + 1, rest.end(), is_digit);
  if (hidden && digits < 3) return std::string(value);  // more than three digits hide less
  // 2138 is 02138 that was read as a number.
  if (digits == 4 && !hidden) zip.insert(zip.begin(), '0');
  const bool fits = (hidden && digits <= 5) || (with_four && zip.size() == 5) ||
                    (rest.empty() && (zip.size() == 3 || zip.size() == 5 || zip.size() == 9));
  if (!fits) return "";
  zip.resize(3);
  return has_over_20000_people(zip) ? zip : "000";
}

}  // namespace

std::string_view to_string(SafeHarborTreatment treatment) {
  switch (treatment) {
    case Treatment::keep:
      return "as it is";
    case Treatment::remove:
      return "left out";
    case Treatment::year:
      return "years alone";
    case Treatment::age:
      return "90 and over as one class";
    case Treatment::zip:
      break;
  }
  return "three digits";
}

SafeHarborRule::SafeHarborRule(const std::string& column, const ColumnContent& content, int as_of)
    : texts_(content.type == ColumnType::text), as_of_(as_of) {
  name_identifies_ = internal::has_identifier_in_text(column);
  if (content.present() == 0) return;
  lost_zeros_ = content.with(Shape::zip_code) + content.with(Shape::zip_without_zero) > 0;
  const ColumnName name(column);
  if (name.says_age_below_years()) {
    remove("ages in months, weeks or days tell more than years");
    return;
  }
  if (has_any(name, {"plz", "postleitzahl", "code postal", "codigo postal", "postnummer"}) &&
      content.type != ColumnType::boolean) {
    remove(
        "a postcode of another country: only of ZIP codes of the United States is it known which "
        "areas have more than 20,000 people");
    return;
  }
  if (is_of_months_or_weekdays(content) || is_of_days_and_months(content)) {
    remove("names of months or weekdays, or days of a month, tell more than the year");
    return;
  }
  const bool zip_name = has_any(name, {"zip", "zip code", "postcode", "post code", "postal code"});
  // Five digits of a county (06037) are no ZIP code.
  const bool other_place =
      !zip_name && has_any(name, {"fips", "county", "counties", "cnty", "census tract", "geoid",
                                  "geocode", "municipality", "city", "town"});
  const bool dated = content.share(Shape::precise_date) + content.share(Shape::year) >= 0.5;
  const bool lost_zero = content.with(Shape::zip_code) > 0 || zip_name;
  const bool zipped = content.share(Shape::zip_code) + content.share(Shape::zip_prefix) +
                          (lost_zero ? content.share(Shape::zip_without_zero) : 0) >=
                      0.5;
  for (const auto& finding : safe_harbor_findings(column, content)) {
    const bool place = finding.identifier == SafeHarborIdentifier::geography;
    const bool date = finding.identifier == SafeHarborIdentifier::dates;
    if (finding.identifier == SafeHarborIdentifier::ages_over_89 || is_found_in_cells(finding))
      continue;
    if (place && zipped && !other_place && finding.why.find("street") == std::string::npos) {
      treatment_ = Treatment::zip;
    } else if (date && dated) {
      treatment_ = Treatment::year;
    } else if (!(date && finding.by == SafeHarborFinding::By::content && texts_)) {
      remove(fmt::format("{} ({})", finding.why, to_string(finding.identifier)));
      return;
    }
  }
  if (treatment_ != Treatment::keep) return;
  if (zip_name && zipped) {
    treatment_ = Treatment::zip;
  } else if (dated && has_any(name, {"year", "yob", "birthyr", "birthyear", "byear", "birth",
                                     "born", "dob", "date", "jahr", "geburtsjahr", "jahrgang"})) {
    treatment_ = Treatment::year;
  } else if (name.says_age()) {
    treatment_ = Treatment::age;
  } else if (content.share(Shape::long_text) >= 0.5) {
    remove("free text may name anybody");
  } else if (texts_ && content.distinct > kFewWords && !says_what_it_holds(column)) {
    remove(fmt::format(
        "{} different texts, and the name of the column does not say what they are: they may name "
        "people or places",
        content.distinct));
  } else if (is_of_many_long_numbers(content) && !says_what_it_holds(column)) {
    remove(fmt::format(
        "{} different numbers of five digits or more, and the name of the column does not say what "
        "they are: they may be numbers of records, accounts, plans or devices",
        content.distinct));
  }
}

void SafeHarborRule::remove(std::string why) {
  treatment_ = Treatment::remove;
  why_ = std::move(why);
}

std::string SafeHarborRule::with_zeros(std::string_view value) const {
  const bool three = value.size() == 3 && std::all_of(value.begin(), value.end(), is_digit);
  const bool lost = treatment_ == Treatment::zip && lost_zeros_ && three && value.front() != '0';
  return lost ? "00" + std::string(value) : std::string(value);
}

std::string SafeHarborRule::cell(std::string_view written) const {
  const std::string read = internal::plain_text(written);
  const std::string_view value = read;
  if (treatment_ != Treatment::keep && value.size() > 2 && value.front() == '{' &&
      value.back() == '}')
    return set_cell(value);
  switch (treatment_) {
    case Treatment::zip:
      return zip_cell(value);
    case Treatment::year:
      return year_cell(value);
    case Treatment::age:
      return age_cell(written);
    default:
      break;
  }
  // Among words eight digits are a day, too; among numbers they are one.
  const bool day = texts_ && (value.size() == 8 || value.size() == 7) &&
                   (parse_foreign_date(value) || internal::year_of_digits(value));
  // A telephone has ten digits, a social security number nine, a time in milliseconds thirteen, a
  // card sixteen, and so has many a number of a record.
  const bool long_enough =
      value.size() == 9 || value.size() == 10 || (value.size() >= 13 && value.size() <= 19);
  const bool number =
      !permitted_ && long_enough && std::all_of(value.begin(), value.end(), is_digit);
  const bool identifies = day || number || (!permitted_ && internal::names_somebody(value)) ||
                          internal::has_identifier_in_text(value) ||
                          internal::tells_old_birth(value, as_of_);
  return identifies ? "" : std::string(written);
}

// A set leaves where each of its members would leave as it is.
std::string SafeHarborRule::set_cell(std::string_view value) const {
  std::string_view rest = value.substr(1, value.size() - 2);
  while (true) {
    const auto bar = rest.find('|');
    const auto member = rest.substr(0, bar);
    if (cell(member) != member) return "";
    if (bar == std::string_view::npos) return std::string(value);
    rest.remove_prefix(bar + 1);
  }
}

bool SafeHarborRule::is_later(std::string_view value) const {
  if (treatment_ != Treatment::year) return false;
  const auto years = years_in(value);
  return std::any_of(years.begin(), years.end(), [&](int year) { return year > as_of_; });
}

std::string SafeHarborRule::year_cell(std::string_view value) const {
  if (is_mark_of_nothing(value)) return std::string(value);
  const int last_hidden = as_of_ - kOldestShown - 1;
  const auto up_to = [&](int year) { return fmt::format("<={}", std::max(year, last_hidden)); };
  const auto years = years_in(value);
  if (years.empty() || years.size() > 2) {
    // A word for what is not known may stay; anything with a digit may be a date.
    const bool word = std::none_of(value.begin(), value.end(), is_digit);
    return word && !internal::has_identifier_in_text(value) ? std::string(value) : "";
  }
  const auto [low, high] = std::minmax_element(years.begin(), years.end());
  if (value.starts_with("<=")) return up_to(*high);
  if (value.starts_with("<") || value.starts_with(">") || value.ends_with("+")) return "";
  if (*low <= last_hidden) return up_to(*high);
  return *low == *high ? fmt::format("{:04}", *low) : fmt::format("{:04}..{:04}", *low, *high);
}

std::string SafeHarborRule::age_cell(std::string_view value) {
  static const RE2 plain(R"(\d{1,3}(?:\.\d+)?)");
  static const RE2 open(R"((<=?|>=?)?(\d{1,3}(?:\.\d+)?)(\+?))");
  static const RE2 range(
      R"(([\[\](]?)(\d{1,3}(?:\.\d+)?)( ?(?:\.\.|-|–|to|,) ?)(\d{1,3}(?:\.\d+)?)([\])\[]?))");
  constexpr double kNinety = kOldestShown + 1;
  const re2::StringPiece text(value.data(), value.size());
  std::string oldest = fmt::format("{}+", kOldestShown + 1);
  std::string as_it_is(value);
  if (value == "*") return as_it_is;
  if (RE2::FullMatch(text, plain)) return to_double(value) >= kNinety ? oldest : as_it_is;
  std::string before;
  std::string low;
  std::string between;
  std::string high;
  std::string after;
  if (RE2::FullMatch(text, open, &before, &low, &after)) {
    if (before.empty() == after.empty()) return "";
    const double age = to_double(low);
    if (before == "<") return age <= kNinety ? as_it_is : "";
    if (before == "<=") return age < kNinety ? as_it_is : "";
    return age >= kNinety ? oldest : as_it_is;
  }
  if (!RE2::FullMatch(text, range, &before, &low, &between, &high, &after)) return "";
  const bool in_brackets = !before.empty() && !after.empty();
  const bool comma = between.find(',') != std::string::npos;
  if (before.empty() != after.empty() || (comma && !in_brackets)) return "";
  if (to_double(low) > to_double(high)) return "";
  if (to_double(low) >= kNinety) return oldest;
  const bool without_end = after == ")" || after == "[";
  const bool reaches_over =
      to_double(high) > kNinety || (!without_end && to_double(high) == kNinety);
  return reaches_over ? low + "+" : as_it_is;
}

}  // namespace pratique::columns
