// Safe Harbor (45 CFR 164.514(b)(2)(i)) of a table, from the file: no column is called by what must
// not leave, no name or cell holds an identifier that its shape gives away, dates are years, ages
// and years that tell an age over 89 are one class, and ZIP codes are three digits of areas in
// which more than 20,000 people live. What no shape gives away (a name in a text) it cannot see.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/column_words.h"
#include "pratique/verify/internal/identifying_text.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/spelling.h"

namespace pratique::verify {
namespace {

// First digits of ZIP codes with more than 20,000 people, from and to: ZIP code tabulation areas of
// the 2020 census of the United States, added up.
constexpr std::pair<int, int> kLargeAreas[] = {
    {6, 7},     {9, 35},    {37, 54},   {56, 58},   {60, 89},   {100, 101}, {103, 191}, {193, 201},
    {206, 212}, {214, 268}, {270, 310}, {312, 331}, {333, 339}, {341, 342}, {344, 344}, {346, 347},
    {349, 352}, {354, 368}, {370, 374}, {376, 398}, {400, 418}, {420, 427}, {430, 458}, {460, 508},
    {510, 516}, {520, 528}, {530, 532}, {534, 535}, {537, 551}, {553, 554}, {557, 567}, {570, 577},
    {580, 588}, {590, 620}, {622, 631}, {633, 641}, {644, 648}, {650, 658}, {660, 662}, {664, 681},
    {683, 691}, {693, 693}, {700, 701}, {703, 708}, {710, 714}, {716, 731}, {734, 741}, {743, 752},
    {754, 770}, {773, 816}, {820, 820}, {822, 822}, {824, 838}, {840, 841}, {843, 847}, {850, 853},
    {855, 857}, {859, 860}, {863, 865}, {870, 871}, {873, 875}, {877, 877}, {880, 883}, {890, 891},
    {894, 895}, {897, 898}, {900, 900}, {902, 908}, {910, 928}, {930, 937}, {939, 941}, {943, 961},
    {967, 968}, {970, 986}, {988, 999}};

bool is_large_area(int area) {
  return std::any_of(std::begin(kLargeAreas), std::end(kLargeAreas), [&](const auto& range) {
    return range.first <= area && area <= range.second;
  });
}

bool has_digit(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos;
}
bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Of a person, an account or a device: mostly digits, and four of them or more.
bool may_be_number(std::string_view cell) {
  const auto digits =
      std::count_if(cell.begin(), cell.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  const auto points = std::count(cell.begin(), cell.end(), '.');
  return digits >= 4 && points != 1 && 2 * static_cast<std::size_t>(digits) >= cell.size() &&
         cell.find(' ') == std::string_view::npos;
}

// Long runs count as huge, which is all that is asked of them.
double quantity(std::string_view digits) {
  double number = 0;
  for (const char c : digits) number = number * 10 + (c - '0');
  return number;
}

bool says_age(const std::set<std::string>& words) {
  return any_among(words, {"age",         "ages",        "alter",      "ageyears", "ageinyears",
                           "yearsold",    "lebensalter", "edad",       "idade",    "leeftijd",
                           "alder",       "wiek",        "agegroup",   "agegrp",   "agecat",
                           "agecategory", "ageband",     "agebracket", "ageclass", "agerange",
                           "altersgruppe"}) ||
         (words.count("old") > 0 && any_among(words, {"year", "years", "yr", "yrs"}));
}

// age_mo, days_since_birth.
bool says_age_below_years(const std::set<std::string>& words) {
  const bool birth = words.count("birth") > 0 && any_among(words, {"months", "weeks", "days"});
  const bool unit =
      any_among(words, {"month", "months",  "mo",    "mos",     "week",   "weeks",   "wk",
                        "wks",   "day",     "days",  "hours",   "monate", "monaten", "wochen",
                        "tage",  "tagen",   "meses", "semanas", "dias",   "mois",    "semaines",
                        "jours", "maanden", "weken", "dagen"});
  return birth || (unit && (words.count("old") > 0 || says_age(words))) ||
         any_among(words, {"agemonths", "agemos", "agemo", "ageweeks", "agedays", "ageinmonths",
                           "ageinweeks", "ageindays", "monthsold", "weeksold", "daysold"});
}

// A cell as it reads: an exact value that looks like a generalised one has a backslash before it.
std::string_view unescaped(std::string_view cell) {
  if (cell.size() > 1 && cell.front() == '\\') cell.remove_prefix(1);
  return cell;
}

// Calls check with every member of a set, or with the cell itself; false at the first that fails.
template <class Check>
bool each_member(std::string_view cell, const Check& check) {
  cell = unescaped(cell);
  if (cell.size() < 3 || cell.front() != '{' || cell.back() != '}') return check(cell);
  std::string_view rest = cell.substr(1, cell.size() - 2);
  for (auto bar = rest.find('|'); bar != std::string_view::npos; bar = rest.find('|')) {
    if (!check(rest.substr(0, bar))) return false;
    rest.remove_prefix(bar + 1);
  }
  return check(rest);
}

// Nothing, a word, a year after the last hidden one, a range of such years, or "up to" a year that
// is no less.
bool is_year_cell(std::string_view cell, int as_of) {
  const double last_hidden = as_of - 90;
  if (!has_digit(cell)) return identifier_in_text(cell).empty();
  const auto shown = [&](std::string_view year) {
    return year.size() == 4 && is_digits(year) && quantity(year) > last_hidden &&
           quantity(year) <= as_of;
  };
  if (cell.starts_with("<=")) {
    cell.remove_prefix(2);
    return cell.size() == 4 && is_digits(cell) && quantity(cell) >= last_hidden &&
           quantity(cell) <= as_of + 9;  // a decade is labelled to its end
  }
  const auto dots = cell.find("..");
  if (dots == std::string_view::npos) return shown(cell);
  const auto high = cell.substr(dots + 2);
  return shown(cell.substr(0, dots)) && high.size() == 4 && is_digits(high);
}

// Takes an age from the front: up to three digits, and a fraction, of which it matters only whether
// there is one.
std::optional<double> take_age(std::string_view& rest) {
  const auto digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (digits == 0 || digits > 3) return std::nullopt;
  double age = quantity(rest.substr(0, digits));
  rest.remove_prefix(digits);
  if (rest.size() > 1 && rest[0] == '.' && is_digits(rest.substr(1, 1))) {
    const auto end = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    if (rest.substr(1, end - 1).find_first_not_of('0') != std::string_view::npos) age += 0.5;
    rest.remove_prefix(end);
  }
  return age;
}

bool take(std::string_view& rest, std::string_view text) {
  if (!rest.starts_with(text)) return false;
  rest.remove_prefix(text.size());
  return true;
}

// 80..89, 80-89, 80 to 89, and in brackets 80,90: ends at 89 or before 90.
bool is_age_range(std::string_view cell) {
  const bool opens = take(cell, "[") || take(cell, "(") || take(cell, "]");
  const auto low = take_age(cell);
  if (!low) return false;
  (void)take(cell, " ");
  const bool apart = take(cell, "..") || take(cell, "-") || take(cell, "\u2013") ||
                     take(cell, "to") || (opens && take(cell, ","));
  (void)take(cell, " ");
  const auto high = take_age(cell);
  if (!apart || !high || *low > *high) return false;
  if (!opens) return cell.empty() && *high < 90;
  return *high < 90 ? cell == ")" || cell == "[" || cell == "]"
                    : *high == 90 && (cell == ")" || cell == "[");
}

// A number below 90, "90 and over" or over less, a range that ends by 89, or nothing: words and
// numbers in other signs may tell any age.
bool is_age_cell(std::string_view cell) {
  if (cell.empty() || cell == "*" || is_age_range(cell)) return true;
  const bool at_most = take(cell, "<=");
  const bool below = !at_most && take(cell, "<");
  const bool at_least = take(cell, ">=");
  const bool above = !at_least && take(cell, ">");
  const auto age = take_age(cell);
  if (!age || ((at_most || below) && (at_least || above))) return false;
  if (below || at_least) return cell.empty() && *age <= 90;
  if (at_most || above) return cell.empty() && *age < 90;
  return cell == "+" ? *age <= 90 : cell.empty() && *age < 90;
}

bool is_zip_cell(std::string_view cell) {
  if (!has_digit(cell)) return true;
  const auto digits = std::min(cell.find_first_not_of("0123456789"), cell.size());
  const auto rest = cell.substr(digits);
  if (rest.find_first_not_of('*') != std::string_view::npos) return false;
  if (digits < 3) return !rest.empty();
  if (digits > 3) return false;
  const auto area = static_cast<int>(quantity(cell.substr(0, 3)));
  return area == 0 || is_large_area(area);
}

class Inspection {
 public:
  explicit Inspection(const Json& claim)
      : as_of_(whole_in(claim, "as_of")),
        person_(person_in(claim)),
        dates_(list(claim, "dates")),
        ages_(list(claim, "ages")),
        zips_(list(claim, "zips")),
        allowed_(list(claim, "allowed")) {}

  // The names of the columns, of which each is told by its place alone.
  void look_at(const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (const auto what = identifier_in_text(names[i]); !what.empty())
        fault(fmt::format("the name of column {} has {}", i + 1, what), 1);
    }
  }

  void look_at(const ValueCounts& written) {
    const ValueCounts values = as_read(written);
    const Column column{values};
    if (column.present == 0) return;
    if (values.name == person_) {
      cells(column, "more than a number of this release", [&](std::string_view cell) {
        return !is_digits(cell) || quantity(cell) > static_cast<double>(column.distinct);
      });
      return;
    }
    const auto words = words_of(values.name);
    const bool allowed = allowed_.count(values.name) > 0;
    if (const auto word = forbidden_name(words); word && !allowed && column.distinct > 2)
      report(values.name, fmt::format("is called '{}'", *word), 1);
    const auto is_text = [](std::string_view cell) {
      return !cell.empty() && cell != "*" && !has_digit(cell);
    };
    if (words.size() == 1 && !allowed && column.distinct > 2 && column.share(is_text) >= 0.5 &&
        any_among(words, {"contact", "surgeon", "physician", "doctor", "clinician", "nurse",
                          "guardian", "arzt", "chirurg", "medecin", "medico", "cirujano"}))
      report(values.name, "is called by who somebody is", 1);
    // Here whether there is somebody may be said in any language.
    if (words.size() == 1 && !allowed && said_in(column) > 2 && column.share(is_text) >= 0.5 &&
        any_among(words, {"hausarzt", "prescripteur", "notfallkontakt", "betreuer", "pflegekraft",
                          "carer", "nok", "alias", "versicherter"}))
      report(values.name, "is called by who somebody is", 1);
    const auto has_decimals = [](std::string_view cell) {
      return has_digit(cell) && cell.find('.') != std::string_view::npos;
    };
    if (any_among(words, {"lat", "lon", "lng"}) && !allowed && column.distinct > 2 &&
        column.share(has_decimals) >= 0.5)
      report(values.name, "is called a coordinate", 1);
    const bool insurance =
        any_among(words, {"versichertennummer", "versicherungsnummer", "kvnr", "egk"}) ||
        (words.count("e") > 0 && words.count("gk") > 0);
    // A number that a hundred records share is of an insurer.
    if (insurance && !allowed && column.distinct > 2 && 100 * column.distinct >= column.present)
      report(values.name, "is called an insurance number", 1);
    // As above; fewer than one in twenty may be of groups.
    if (is_called_by_a_number(words) && !allowed && said_in(column) > 2 &&
        dates_.count(values.name) == 0 && 20 * column.distinct >= column.present &&
        column.share(may_be_number) >= 0.9)
      report(values.name, "is called by a number of somebody or something", 1);
    if (says_age_below_years(words)) {
      if (!allowed) report(values.name, "is an age in months, weeks or days", column.present);
      in_texts(column, allowed);
    } else if (dates_.count(values.name) > 0 || says_years(words, column)) {
      cells(column, "a date that tells more than a year, or an age over 89",
            [&](std::string_view cell) {
              return !each_member(cell, [&](auto text) { return is_year_cell(text, as_of_); });
            });
    } else if (ages_.count(values.name) > 0 || says_age(words)) {
      cells(column, "an age over 89 or not in figures",
            [&](std::string_view cell) { return !each_member(cell, is_age_cell); });
    } else if (zips_.count(values.name) > 0 || says_zip(words, column)) {
      cells(column, "more than three digits of a ZIP code, or those of a small area",
            [&](std::string_view cell) { return !each_member(cell, is_zip_cell); });
    } else {
      in_texts(column, allowed);
      if (!allowed) {
        unique_numbers(column);
        parts_of_dates(column);
        zips_without_zeros(column);
      }
    }
  }

  [[nodiscard]] ClaimResult result() const {
    ClaimResult result;
    result.achieved = breaches_;
    result.holds = breaches_ == 0;
    result.explanation =
        result.holds ? fmt::format(
                           "no column name or cell has a shape that is known for one of the 18 "
                           "identifiers; names of people and free text are not examined; ages are "
                           "of {}{}",
                           as_of_, allowed_.empty() ? "" : allowance())
                     : fmt::format("{}{}", fmt::join(faults_, "; "),
                                   more_ == 0 ? "" : fmt::format("; and {} more columns", more_));
    return result;
  }

 private:
  struct Column {
    explicit Column(const ValueCounts& counted) : values(counted) {
      for (Code code = 0; code < values.values.size(); ++code) {
        const auto cell = values.values.value(code);
        if (values.counts[code] == 0 || cell.empty() || cell == "*") continue;
        present += values.counts[code];
        ++distinct;
        if (values.counts[code] == 1) ++single;
      }
    }
    // Of the records that have a value, how many have one that fits.
    template <class Fits>
    [[nodiscard]] double share(const Fits& fits) const {
      std::uint64_t count = 0;
      for (Code code = 0; code < values.values.size(); ++code) {
        if (fits(values.values.value(code))) count += values.counts[code];
      }
      return static_cast<double>(count) / static_cast<double>(present);
    }
    const ValueCounts& values;
    std::uint64_t present = 0;
    std::uint64_t distinct = 0;
    std::uint64_t single = 0;  // values of one record
  };

  // Digits of any script are digits.
  static ValueCounts as_read(const ValueCounts& written) {
    ValueCounts read;
    read.name = written.name;
    for (Code code = 0; code < written.values.size(); ++code) {
      const Code same = read.values.intern(in_plain_signs(written.values.value(code)));
      read.counts.resize(read.values.size(), 0);
      read.counts[same] += written.counts[code];
    }
    return read;
  }

  static std::set<std::string> list(const Json& claim, const char* key) {
    if (!claim.contains(key)) return {};
    const auto names = texts_of(claim[key], key);
    return {names.begin(), names.end()};
  }

  static bool says_years(const std::set<std::string>& words, const Column& column) {
    const auto year = [](std::string_view cell) {
      return cell.size() == 4 && is_digits(cell) && quantity(cell) >= 1800 && quantity(cell) < 2200;
    };
    return any_among(words, {"birth", "born", "dob", "yob", "birthyr", "birthyear", "byear", "year",
                             "date", "jahr", "geburtsjahr", "jahrgang"}) &&
           column.share(year) >= 0.5;
  }

  static bool says_zip(const std::set<std::string>& words, const Column& column) {
    const auto digits = [](std::string_view cell) {
      return is_digits(cell) && (cell.size() == 3 || cell.size() == 5);
    };
    // 2138 is 02138 that was read as a number.
    const auto may_be_zip = [](std::string_view cell) {
      return is_digits(cell) && cell.size() >= 3 && cell.size() <= 5;
    };
    const auto with_zero = [](std::string_view cell) {
      return is_digits(cell) && cell.size() == 5 && cell.front() == '0';
    };
    if (any_among(words, {"zip", "zipcode", "postcode"})) return column.share(may_be_zip) >= 0.5;
    return column.share(digits) == 1 && column.share(with_zero) > 0;
  }

  void in_texts(const Column& column, bool allowed) {
    std::map<std::string_view, std::uint64_t> records_with;
    std::uint64_t compact = 0;
    for (Code code = 0; code < column.values.values.size(); ++code) {
      if (column.values.counts[code] == 0) continue;
      const auto cell = column.values.values.value(code);
      if (is_compact_day(cell) || is_year_and_day(cell)) compact += column.values.counts[code];
      if (tells_birth_by(as_of_ - 90, cell))
        records_with["an age over 89"] += column.values.counts[code];
      if (!allowed && is_length_of_a_number(cell.size()) && is_digits(cell))
        records_with
            ["nine or ten digits, or over twelve, as a telephone, a record or a card has"] +=
            column.values.counts[code];
      if (!allowed && names_somebody(cell))
        records_with["a title and a name"] += column.values.counts[code];
      if (const auto what = identifier_in_text(cell); !what.empty())
        records_with[what] += column.values.counts[code];
    }
    // Among other numbers a few look like days.
    if (20 * compact >= column.present && compact > 0)
      records_with["a date more precise than a year"] += compact;
    for (const auto& [what, count] : records_with)
      report(column.values.name, fmt::format("has {}", what), count);
  }

  // Values that are no word for none.
  static std::size_t said_in(const Column& column) {
    std::size_t said = 0;
    for (Code code = 0; code < column.values.values.size(); ++code) {
      const auto cell = column.values.values.value(code);
      said +=
          column.values.counts[code] > 0 && cell != "*" && !without_spelling(cell).empty() ? 1 : 0;
    }
    return said;
  }

  // Whatever the column is called.
  void parts_of_dates(const Column& column) {
    const std::size_t said = said_in(column);
    if (said >= 3 && column.share(names_month_or_weekday) >= 0.05)
      cells(column, "the name of a month or a weekday", names_month_or_weekday);
    constexpr std::size_t kWorkingDays = 5;
    constexpr std::size_t kWeek = 7;
    if (said >= kWorkingDays && said <= kWeek && column.share(may_be_day_of_week_in_short) >= 0.95)
      cells(column, "two or three letters of a weekday", may_be_day_of_week_in_short);
    // A pain of 3/10 has fewer values.
    if (said > 12 && column.share(may_be_day_and_month) >= 0.5)
      cells(column, "a day and a month", may_be_day_and_month);
  }

  // Numbers of four and five digits that many records share and that are seldom round.
  void zips_without_zeros(const Column& column) {
    const auto digits = [](std::size_t count) {
      return [count](std::string_view cell) {
        return is_digits(cell) && cell.size() == count && cell.front() != '0';
      };
    };
    const auto is_round = [](std::string_view cell) { return cell.ends_with('0'); };
    const double four = column.share(digits(4));
    const double five = column.share(digits(5));
    if (four > 0 && five > 0 && four + five > 1 - 1e-9 && column.present >= 20 &&
        3 * column.distinct <= column.present && column.share(is_round) < 0.2)
      report(column.values.name, "has ZIP codes, some without their zero", column.present);
  }

  void unique_numbers(const Column& column) {
    const auto number = [](std::string_view cell) {
      return has_digit(cell) && cell.find_first_of(" .") == std::string_view::npos;
    };
    if (column.present >= 20 && 100 * column.single >= 99 * column.present &&
        column.share(number) >= 0.5)
      report(column.values.name, "has a number of its own", column.single);
  }

  template <class Breaks>
  void cells(const Column& column, std::string_view what, const Breaks& breaks) {
    std::uint64_t count = 0;
    for (Code code = 0; code < column.values.values.size(); ++code) {
      const auto cell = column.values.values.value(code);
      if (column.values.counts[code] == 0 || cell.empty() || cell == "*") continue;
      if (breaks(cell)) count += column.values.counts[code];
    }
    if (count > 0) report(column.values.name, fmt::format("has {}", what), count);
  }

  void report(const std::string& column, const std::string& what, std::uint64_t count) {
    if (!identifier_in_text(column).empty()) {  // which is told without the name
      breaches_ += static_cast<double>(count);
      return;
    }
    fault(fmt::format("'{}' {}{}", column, what,
                      what.starts_with("is") ? ""
                      : count == 1           ? " in one record"
                                             : fmt::format(" in {} records", count)),
          count);
  }

  void fault(std::string text, std::uint64_t count) {
    constexpr std::size_t kMost = 5;
    breaches_ += static_cast<double>(count);
    if (faults_.size() == kMost) {
      ++more_;
      return;
    }
    faults_.push_back(std::move(text));
  }

  [[nodiscard]] std::string allowance() const {
    return fmt::format("; {} left by permission, whatever {} called", fmt::join(allowed_, ", "),
                       allowed_.size() == 1 ? "it is" : "they are");
  }

  int as_of_;
  std::string person_;
  std::set<std::string> dates_;
  std::set<std::string> ages_;
  std::set<std::string> zips_;
  std::set<std::string> allowed_;
  double breaches_ = 0;
  std::vector<std::string> faults_;
  std::size_t more_ = 0;
};

}  // namespace

ClaimResult check_safe_harbor(const ClaimContext& context) {
  Inspection inspection(context.claim);
  inspection.look_at(context.release.columns);
  context.engine.count_values(context.release, context.release.columns, context.progress,
                              [&](const ValueCounts& values) { inspection.look_at(values); });
  return inspection.result();
}

}  // namespace pratique::verify
