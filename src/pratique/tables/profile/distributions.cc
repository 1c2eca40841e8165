#include "pratique/tables/profile/distributions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/data/number.h"

namespace pratique::tables {
namespace {

struct Value {
  std::string_view text;
  std::uint64_t rows;
};

// The ends of 37 and of 20..29.
std::optional<std::pair<double, double>> ends_of(std::string_view text) {
  if (is_number(text)) return std::pair(to_double(text), to_double(text));
  const auto dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto low = text.substr(0, dots);
  const auto high = text.substr(dots + 2);
  if (!is_number(low) || !is_number(high)) return std::nullopt;
  return std::pair(to_double(low), to_double(high));
}

// 1, 2 or 5 times a power of ten, so that edges are round numbers: the least with at most so many
// bins, which start at a multiple of it.
double round_width(double least, double largest, std::size_t most) {
  const double rough = (largest - least) / static_cast<double>(most);
  double power = std::pow(10, std::floor(std::log10(rough)));
  while (true) {
    for (const double step : {1.0, 2.0, 5.0}) {
      const double width = step * power;
      const double bins = std::ceil(largest / width) - std::floor(least / width);
      if (bins <= static_cast<double>(most)) return width;
    }
    power *= 10;
  }
}

// As in cells, a..b holds both its ends. Where there is something between whole numbers, words say
// that the upper end is not in the bin.
std::string label_of(double low, double high, bool whole, bool with_high) {
  if (!whole) return fmt::format("{:.6g} to {}{:.6g}", low, with_high ? "" : "under ", high);
  const double last = with_high ? high : high - 1;
  return last == low ? fmt::format("{:.15g}", low) : fmt::format("{:.15g}..{:.15g}", low, last);
}

std::vector<Bin> equal_widths(const std::vector<Value>& values, std::size_t most) {
  double least = to_double(values.front().text);
  double largest = least;
  for (const auto& value : values) {
    least = std::min(least, to_double(value.text));
    largest = std::max(largest, to_double(value.text));
  }
  const double width = round_width(least, largest, most);
  const double first = std::floor(least / width);
  const bool whole = std::floor(width) == width &&
                     std::all_of(values.begin(), values.end(), [](const Value& value) {
                       return std::floor(to_double(value.text)) == to_double(value.text);
                     });
  const auto bins = static_cast<std::size_t>(std::max(1.0, std::ceil(largest / width) - first));
  std::vector<Bin> histogram(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    histogram[i].low = width * (first + static_cast<double>(i));
    histogram[i].high = width * (first + static_cast<double>(i + 1));
    histogram[i].label = label_of(*histogram[i].low, *histogram[i].high, whole,
                                  largest >= *histogram[i].high && i + 1 == bins);
  }
  for (const auto& value : values) {
    const double number = to_double(value.text);
    auto bin = std::min(bins - 1,
                        static_cast<std::size_t>(std::max(0.0, (number - width * first) / width)));
    // Rounding may put a value one bin too far.
    while (bin > 0 && number < *histogram[bin].low) --bin;
    while (bin + 1 < bins && number >= *histogram[bin].high) ++bin;
    histogram[bin].count += value.rows;
  }
  return histogram;
}

std::vector<Bin> most_frequent(std::vector<Value> values, std::size_t top) {
  std::sort(values.begin(), values.end(), [](const Value& a, const Value& b) {
    return a.rows != b.rows ? a.rows > b.rows : a.text < b.text;
  });
  std::vector<Bin> bins;
  Bin rest{.label = "other", .other = true};
  bool ordered = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i >= top) {
      rest.count += values[i].rows;
      continue;
    }
    Bin bin{.label = std::string(values[i].text), .count = values[i].rows};
    if (const auto ends = ends_of(values[i].text)) {
      bin.low = ends->first;
      bin.high = ends->second;
    }
    ordered = ordered && bin.low.has_value();
    bins.push_back(std::move(bin));
  }
  if (ordered) {
    std::sort(bins.begin(), bins.end(), [](const Bin& a, const Bin& b) {
      return std::pair(*a.low, *a.high) < std::pair(*b.low, *b.high);
    });
  }
  if (values.size() > top) bins.push_back(std::move(rest));
  return bins;
}

}  // namespace

Distribution distribution_of(const ValueCounts& column, std::size_t top) {
  Distribution distribution;
  distribution.name = column.name;
  std::vector<Value> values;
  distribution.numbers = true;
  for (std::size_t code = 0; code < column.values.size(); ++code) {
    const std::string_view text = column.values.value(static_cast<Code>(code));
    distribution.rows += column.counts[code];
    if (text.empty()) {
      distribution.missing = column.counts[code];
      continue;
    }
    distribution.numbers =
        distribution.numbers && is_number(text) && std::isfinite(to_double(text));
    values.push_back({text, column.counts[code]});
  }
  distribution.distinct = values.size();
  distribution.numbers = distribution.numbers && !values.empty();
  if (values.empty() || top == 0) return distribution;
  distribution.bins = distribution.numbers && values.size() > top
                          ? equal_widths(values, top)
                          : most_frequent(std::move(values), top);
  return distribution;
}

Json to_json(const Distribution& distribution) {
  Json bins = Json::array();
  for (const auto& bin : distribution.bins) {
    Json entry = {{"label", bin.label}};
    if (bin.low) entry["low"] = *bin.low;
    if (bin.high) entry["high"] = *bin.high;
    entry["count"] = bin.count;
    if (bin.other) entry["other"] = true;
    bins.push_back(std::move(entry));
  }
  return {{"name", distribution.name},
          {"kind", distribution.numbers ? "number" : "category"},
          {"missing", distribution.missing},
          {"distinct", distribution.distinct},
          {"bins", std::move(bins)}};
}

}  // namespace pratique::tables
