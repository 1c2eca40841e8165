#include "pratique/dp/flow/found_attributes.h"

#include <fmt/format.h>

#include "pratique/core/error.h"
#include "pratique/data/date.h"
#include "pratique/data/number.h"
#include "pratique/dp/bounds/found_bounds.h"

namespace pratique::dp::flow {
namespace {

constexpr double kMostParts = 256;
constexpr int kFirstYear = 1850;
constexpr int kLastYear = 2100;

Error bad_cuts() {
  return Error::input("--find-cuts takes a column and into how many parts to cut it, from 2 to 256")
      .hint(
          "Write COLUMN=PARTS, such as income=16, or COLUMN=PARTS:date, such as born=16:date; "
          "born=16:date:dmy where the day comes first, as in 31/12/1999.");
}

std::vector<WeightedNumber> numbers_in(const Column& column,
                                       const std::vector<std::uint64_t>& counts,
                                       const WantedCuts& wanted) {
  std::vector<WeightedNumber> numbers;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const std::string_view text = column.text(row);
    if (wanted.dates) {
      if (const auto date = written_date(text, wanted.order)) {
        numbers.push_back({static_cast<double>(date->first_day()), counts[row]});
      }
    } else if (is_number(text)) {
      numbers.push_back({to_double(text), counts[row]});
    }
  }
  return numbers;
}

}  // namespace

WantedCuts WantedCuts::parse(const std::string& text) {
  const auto equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) throw bad_cuts();
  WantedCuts wanted{.column = text.substr(0, equals)};
  std::string parts = text.substr(equals + 1);
  const std::string of_dates = ":date";
  wanted.order = take_order(parts);
  if (parts.ends_with(of_dates)) {
    wanted.dates = true;
    parts.resize(parts.size() - of_dates.size());
  }
  if (wanted.order != DateOrder::unsaid && !wanted.dates) throw bad_cuts();
  const double number = is_number(parts) ? to_double(parts) : 0;
  if (!(number >= 2 && number <= kMostParts) || number != static_cast<int>(number)) {
    throw bad_cuts();
  }
  wanted.parts = static_cast<std::size_t>(number);
  return wanted;
}

Attribute WantedCuts::placeholder() const {
  return Attribute::parse(fmt::format("{}=1..{}", column, parts));
}

Attribute find_attribute(const WantedCuts& wanted, const Column& column,
                         const std::vector<std::uint64_t>& counts, std::uint64_t max_rows,
                         Epsilon epsilon, Noise& noise) {
  const auto numbers = numbers_in(column, counts, wanted);
  RandomBits of_cuts = noise.phase(fmt::format("cuts of {}", wanted.column));
  if (wanted.dates) {
    const NumberRange all{static_cast<double>(days_from_civil(kFirstYear, 1, 1)),
                          static_cast<double>(days_from_civil(kLastYear, 1, 1))};
    return Attribute::of_date_cuts(
        wanted.column, find_cuts(numbers, all, wanted.parts, max_rows, epsilon, of_cuts), all.high,
        wanted.order);
  }
  RandomBits of_magnitudes = noise.phase(fmt::format("magnitudes of {}", wanted.column));
  RandomBits of_steps = noise.phase(fmt::format("steps of {}", wanted.column));
  const auto [of_bounds, rest] = epsilon.split(0.5);
  const NumberRange range =
      find_bounds(numbers, max_rows, of_bounds, of_magnitudes, of_steps).range;
  return Attribute::of_number_cuts(
      wanted.column, find_cuts(numbers, range, wanted.parts, max_rows, rest, of_cuts), range.high);
}

}  // namespace pratique::dp::flow
