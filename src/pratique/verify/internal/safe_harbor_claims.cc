// Safe Harbor (45 CFR 164.514(b)(2)(i)) of a table, from the file: no column is called by what must
// not leave, no cell holds an identifier that its shape gives away, dates are years, ages and years
// that tell an age over 89 are one class, and ZIP codes are three digits of areas in which more
// than 20,000 people live. What no shape gives away (a name in a text) it cannot see.
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
#include "pratique/verify/internal/identifying_text.h"
#include "pratique/verify/internal/model_claims.h"

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

// Long runs count as huge, which is all that is asked of them.
double quantity(std::string_view digits) {
  double number = 0;
  for (const char c : digits) number = number * 10 + (c - '0');
  return number;
}

// The whole numbers of a cell, without what follows a point.
std::vector<double> quantities_in(std::string_view cell) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < cell.size();) {
    std::size_t end = std::min(cell.find_first_not_of("0123456789", i), cell.size());
    const bool fraction = i > 1 && cell[i - 1] == '.' && cell[i - 2] >= '0' && cell[i - 2] <= '9';
    if (end > i && !fraction) numbers.push_back(quantity(cell.substr(i, end - i)));
    i = std::max(end, i + 1);
  }
  return numbers;
}

// The words of a column's name in small letters: DateOfBirth, date_of_birth.
std::set<std::string> words_of(std::string_view name) {
  std::set<std::string> words;
  std::string word;
  bool small = false;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    const bool letter = std::isalpha(u) != 0;
    if (!letter || (std::isupper(u) != 0 && small)) {
      if (!word.empty()) words.insert(std::move(word));
      word.clear();
    }
    if (letter) word += static_cast<char>(std::tolower(u));
    small = std::islower(u) != 0;
  }
  if (!word.empty()) words.insert(word);
  return words;
}

bool any_among(const std::set<std::string>& words, std::initializer_list<const char*> wanted) {
  return std::any_of(wanted.begin(), wanted.end(),
                     [&](const char* word) { return words.count(word) > 0; });
}

// What a column must not be called, unless its cells say yes and no.
std::optional<std::string> forbidden_name(const std::set<std::string>& words) {
  if (any_among(words, {"ip", "mac"})) return std::nullopt;
  for (const char* word : {"email", "phone", "telephone", "fax", "ssn", "mrn", "surname",
                           "forename", "firstname", "lastname", "fname", "lname", "address",
                           "street", "city", "county", "latitude", "longitude"}) {
    if (words.count(word) > 0) return word;
  }
  const std::set<std::string> name = {"name"};
  if (words == name || (words.count("name") > 0 && words.size() == 2 &&
                        any_among(words, {"first", "last", "patient", "full", "family"})))
    return "name";
  return std::nullopt;
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

// No number of 90 years or more but "90 and over"; a range must not end above 89.
bool is_age_cell(std::string_view cell, double ninety) {
  const auto numbers = quantities_in(cell);
  if (numbers.empty()) return true;
  const double largest = *std::max_element(numbers.begin(), numbers.end());
  if (cell.ends_with("+") || cell.starts_with(">="))
    return numbers.size() == 1 && largest <= ninety;
  const bool without_end = cell.ends_with(")") || cell.ends_with("[") ||
                           (cell.starts_with("<") && !cell.starts_with("<="));
  return largest < ninety || (without_end && largest == ninety);
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

  void look_at(const ValueCounts& values) {
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
    if (dates_.count(values.name) > 0 || says_years(words, column)) {
      cells(column, "a date that tells more than a year, or an age over 89",
            [&](std::string_view cell) {
              return !each_member(cell, [&](auto text) { return is_year_cell(text, as_of_); });
            });
    } else if (ages_.count(values.name) > 0 || any_among(words, {"age", "ages"})) {
      const double ninety = 90 * in_a_year(words);
      cells(column, "an age over 89", [&](std::string_view cell) {
        return !each_member(cell, [&](auto text) { return is_age_cell(text, ninety); });
      });
    } else if (zips_.count(values.name) > 0 || says_zip(words, column)) {
      cells(column, "more than three digits of a ZIP code, or those of a small area",
            [&](std::string_view cell) { return !each_member(cell, is_zip_cell); });
    } else {
      in_texts(column);
      if (!allowed) unique_numbers(column);
    }
  }

  [[nodiscard]] ClaimResult result() const {
    ClaimResult result;
    result.achieved = breaches_;
    result.holds = breaches_ == 0;
    result.explanation =
        result.holds
            ? fmt::format("no column or cell has the shape of an identifier; ages are of {}{}",
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

  static std::set<std::string> list(const Json& claim, const char* key) {
    if (!claim.contains(key)) return {};
    const auto names = texts_of(claim[key], key);
    return {names.begin(), names.end()};
  }

  static double in_a_year(const std::set<std::string>& words) {
    if (any_among(words, {"month", "months"})) return 12;
    if (any_among(words, {"week", "weeks"})) return 52;
    return any_among(words, {"day", "days"}) ? 365 : 1;
  }

  static bool says_years(const std::set<std::string>& words, const Column& column) {
    const auto year = [](std::string_view cell) {
      return cell.size() == 4 && is_digits(cell) && quantity(cell) >= 1800 && quantity(cell) < 2200;
    };
    return any_among(words, {"birth", "born", "dob", "yob", "year", "date"}) &&
           column.share(year) >= 0.5;
  }

  static bool says_zip(const std::set<std::string>& words, const Column& column) {
    const auto digits = [](std::string_view cell) {
      return is_digits(cell) && (cell.size() == 3 || cell.size() == 5);
    };
    const auto with_zero = [](std::string_view cell) {
      return is_digits(cell) && cell.size() == 5 && cell.front() == '0';
    };
    if (any_among(words, {"zip", "zipcode", "postcode"})) return column.share(digits) >= 0.5;
    return column.share(digits) == 1 && column.share(with_zero) > 0;
  }

  void in_texts(const Column& column) {
    std::map<std::string_view, std::uint64_t> found;
    std::uint64_t compact = 0;
    for (Code code = 0; code < column.values.values.size(); ++code) {
      if (column.values.counts[code] == 0) continue;
      const auto cell = column.values.values.value(code);
      if (is_compact_day(cell)) compact += column.values.counts[code];
      if (const auto what = identifier_in_text(cell); !what.empty())
        found[what] += column.values.counts[code];
    }
    // Among other numbers a few look like days.
    if (20 * compact >= column.present && compact > 0)
      found["a date more precise than a year"] += compact;
    for (const auto& [what, count] : found)
      report(column.values.name, fmt::format("has {}", what), count);
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
    constexpr std::size_t kMost = 5;
    breaches_ += static_cast<double>(count);
    if (faults_.size() == kMost) {
      ++more_;
      return;
    }
    faults_.push_back(fmt::format("'{}' {}{}", column, what,
                                  what.starts_with("is") ? ""
                                  : count == 1           ? " in one record"
                                                         : fmt::format(" in {} records", count)));
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
  context.engine.count_values(context.release, context.release.columns, context.progress,
                              [&](const ValueCounts& values) { inspection.look_at(values); });
  return inspection.result();
}

}  // namespace pratique::verify
