#include "pratique/kind/internal/number_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pratique/data/date.h"
#include "pratique/data/generalised.h"
#include "pratique/data/number.h"

namespace pratique::release {
namespace {

constexpr std::size_t kFewValues = 12;
constexpr double kWantedRanges = 9;

// Years as a scale: whole where a year begins.
double year_of(std::int32_t day) {
  const int year = civil_from_days(day).year;
  const auto begins = days_from_civil(year, 1, 1);
  return year + static_cast<double>(day - begins) / (is_leap_year(year) ? 366 : 365);
}

bool leading_zero(std::string_view text) {
  return text.size() > 1 && text[0] == '0' && text[1] != '.';
}

double round_step(double rough) {
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * 0.999) return factor * power;
  }
  return 10 * power;
}

}  // namespace

std::optional<NumberRanges> NumberRanges::over(const ValueCounts& values) {
  NumberRanges number_ranges;
  std::size_t filled = 0;
  std::size_t numbers = 0;
  std::size_t dates = 0;
  bool ranges = false;
  std::vector<std::pair<double, std::uint64_t>> middles;
  for (const bool as_dates : {false, true}) {
    number_ranges.dates_ = as_dates;
    for (const auto& [value, count] : values) {
      if (value.empty() || value == "*") continue;
      filled += as_dates ? 0 : 1;
      if (!as_dates && leading_zero(value)) continue;
      const auto cell = GeneralisedValue::parse_foreign(value);
      std::optional<Extent> bounds;
      if (cell.kind() == GeneralisedValue::Kind::text) bounds = number_ranges.extent(value);
      if (cell.kind() == GeneralisedValue::Kind::range) {
        ranges = true;
        bounds = number_ranges.extent(cell.parts()[0], cell.parts()[1]);
      }
      if (!bounds || !std::isfinite(bounds->low) || !std::isfinite(bounds->high)) continue;
      (as_dates ? dates : numbers) += 1;
      middles.emplace_back((bounds->low + bounds->high) / 2, count);
      if (!as_dates && value.find('.') != std::string::npos &&
          cell.kind() == GeneralisedValue::Kind::text) {
        number_ranges.whole_ = false;
      }
    }
    if (filled <= kFewValues && !ranges) return std::nullopt;
    if ((as_dates ? dates : numbers) == filled) break;
    middles.clear();
    if (as_dates) return std::nullopt;
  }
  if (number_ranges.dates_) number_ranges.whole_ = false;
  std::sort(middles.begin(), middles.end());
  double total = 0;
  for (const auto& [middle, count] : middles) total += static_cast<double>(count);
  const auto quantile = [&](double share) {
    double seen = 0;
    for (const auto& [middle, count] : middles) {
      seen += static_cast<double>(count);
      if (seen >= share * total) return middle;
    }
    return middles.back().first;
  };
  const double low = quantile(0.02);
  const double high = quantile(0.98);
  if (!(high > low)) return std::nullopt;
  double step = round_step((high - low) / kWantedRanges);
  if (number_ranges.whole_ || number_ranges.dates_) step = std::max(1.0, std::round(step));
  for (double cut = (std::floor(low / step) + 1) * step; cut <= high; cut += step) {
    number_ranges.cuts_.push_back(cut);
  }
  if (number_ranges.cuts_.empty()) return std::nullopt;
  return number_ranges;
}

std::string NumberRanges::label(std::size_t first, std::size_t last) const {
  const std::size_t unread = cuts_.size() + 1;
  if (first == unread) return "missing or any value";
  const bool with_unread = last == unread;
  const std::size_t end = std::min(last, cuts_.size());
  const bool discrete = whole_ || dates_;
  const auto upper = [&] { return discrete ? cuts_[end] - 1 : cuts_[end]; };
  std::string text;
  if (first == 0 && end == cuts_.size()) {
    text = "all";
  } else if (first == 0) {
    text = fmt::format("{} {}", discrete ? "up to" : "under", upper());
  } else if (end == cuts_.size()) {
    text = fmt::format("{} or more", cuts_[first - 1]);
    if (dates_) text = fmt::format("{} or later", cuts_[first - 1]);
  } else if (discrete && upper() == cuts_[first - 1]) {
    text = fmt::format("{}", upper());
  } else {
    text = fmt::format("{} to {}{}", cuts_[first - 1], discrete ? "" : "under ", upper());
  }
  return with_unread ? text + ", or unknown" : text;
}

void NumberRanges::share_out(std::string_view cell, const Take& take) const {
  const std::size_t unread = cuts_.size() + 1;
  const auto meant = GeneralisedValue::parse_foreign(cell);
  const auto share = [&](const std::optional<Extent>& bounds, double part) {
    if (bounds) {
      share_extent(*bounds, part, take);
    } else {
      take(unread, part);
    }
  };
  switch (meant.kind()) {
    case GeneralisedValue::Kind::range:
      return share(extent(meant.parts()[0], meant.parts()[1]), 1);
    case GeneralisedValue::Kind::set:
      for (const auto& member : meant.parts()) {
        // Of values that are ranges themselves: {[60-70)|[70-80)}.
        const auto one = GeneralisedValue::parse_foreign(member);
        const bool range = one.kind() == GeneralisedValue::Kind::range;
        share(range ? extent(one.parts()[0], one.parts()[1]) : extent(member),
              1 / static_cast<double>(meant.parts().size()));
      }
      return;
    case GeneralisedValue::Kind::pattern: {
      std::string low(cell);
      std::string high(cell);
      std::replace(low.begin(), low.end(), '*', '0');
      std::replace(high.begin(), high.end(), '*', '9');
      return share(extent(low, high), 1);
    }
    default:
      return share(extent(cell), 1);
  }
}

std::optional<NumberRanges::Extent> NumberRanges::extent(std::string_view value) const {
  if (dates_) {
    const auto date = parse_iso_date(value);
    if (!date) return std::nullopt;
    return Extent{year_of(date->first_day()), year_of(date->last_day() + 1)};
  }
  if (!is_number(value)) return std::nullopt;
  const double number = to_double(value);
  return Extent{number, number};
}

std::optional<NumberRanges::Extent> NumberRanges::extent(std::string_view low,
                                                         std::string_view high) const {
  const auto first = extent(low);
  const auto last = extent(high);
  if (!first || !last) return std::nullopt;
  return Extent{first->low, whole_ && !dates_ ? last->high + 1 : last->high};
}

std::size_t NumberRanges::range_of(double place) const {
  return static_cast<std::size_t>(std::upper_bound(cuts_.begin(), cuts_.end(), place) -
                                  cuts_.begin());
}

void NumberRanges::share_extent(const Extent& extent, double share, const Take& take) const {
  const std::size_t first = range_of(extent.low);
  const double length = extent.high - extent.low;
  if (!(length > 0) || !std::isfinite(length) ||
      extent.high <= (first < cuts_.size() ? cuts_[first] : INFINITY)) {
    return take(first, share);
  }
  double from = extent.low;
  for (std::size_t range = first; from < extent.high; ++range) {
    const double to = range < cuts_.size() ? std::min(cuts_[range], extent.high) : extent.high;
    take(range, share * (to - from) / length);
    from = to;
  }
}

}  // namespace pratique::release
