#include "pratique/core/bar_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/core/csv_field.h"
#include "pratique/core/markup.h"

namespace pratique {
namespace {

constexpr double kBarsWidth = 440;
constexpr double kLabels = 160;  // room for the rows' labels
constexpr double kNumbers = 60;  // room for the number behind the longest bar
constexpr double kBar = 15;
constexpr double kGap = 9;
constexpr double kBarsTop = 62;
constexpr std::size_t kLongestLabel = 21;  // characters that fit into kLabels
constexpr double kTitleSize = 16;
constexpr double kLongestTitle = 40;  // characters of that size that fit
// The first two of chart.cc: at least 3 : 1 against white and against near-black.
constexpr std::array<const char*, 3> kSeriesColours = {"#0072b2", "#d55e00", "#009e73"};

std::string shortened(const std::string& text) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U;
    if (starts && ++characters > kLongestLabel) return text.substr(0, i) + "…";
  }
  return text;
}

}  // namespace

std::string grouped_digits(double value) {
  if (!std::isfinite(value)) return "–";
  std::string text = std::abs(value - std::round(value)) < 1e-9 ? fmt::format("{:.0f}", value)
                                                                : fmt::format("{:.2f}", value);
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  std::size_t at = std::min(text.find('.'), text.size());
  while (at > first + 3) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

Json to_json(const BarChart& chart) {
  Json rows = Json::array();
  for (const auto& row : chart.rows) {
    rows.push_back({{"label", row.label}, {"values", row.values}});
  }
  return {{"title", chart.title},
          {"category", chart.category_name},
          {"value", chart.value_name},
          {"series", chart.series},
          {"rows", std::move(rows)}};
}

std::string to_svg(const BarChart& chart) {
  double largest = 0;
  for (const auto& row : chart.rows) {
    for (const double value : row.values) {
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
  }
  const double row_height =
      kBar * static_cast<double>(std::max<std::size_t>(1, chart.series.size())) + kGap;
  const double height = kBarsTop + row_height * static_cast<double>(chart.rows.size()) + 30;
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' "
      "role='img' font-family='system-ui, sans-serif' font-size='13'>\n"
      "<style>svg{{color:#1a1a1a;background:#fff}}@media(prefers-color-scheme:dark)"
      "{{svg{{color:#eee;background:#1a1a1a}}}}text{{fill:currentColor}}</style>\n"
      "<title>{2}</title>\n<text x='0' y='18' font-size='{3:.3g}' font-weight='600'>{2}</text>\n",
      kBarsWidth, height, escape_markup(chart.title),
      kTitleSize * std::min(1.0, kLongestTitle / static_cast<double>(std::max<std::size_t>(
                                                     1, chart.title.size()))));
  double legend = kLabels;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    out += fmt::format(
        "<rect x='{:.0f}' y='34' width='12' height='12' fill='{}'/><text x='{:.0f}' "
        "y='44'>{}</text>\n",
        legend, kSeriesColours[s % kSeriesColours.size()], legend + 18,
        escape_markup(chart.series[s]));
    legend += 40 + 7.0 * static_cast<double>(chart.series[s].size());
  }
  const double room = kBarsWidth - kLabels - kNumbers;
  for (std::size_t r = 0; r < chart.rows.size(); ++r) {
    const BarRow& row = chart.rows[r];
    const double y = kBarsTop + row_height * static_cast<double>(r);
    const double middle = y + (row_height - kGap) / 2 + 4;
    out += fmt::format("<text x='{}' y='{:.1f}' text-anchor='end'>{}</text>\n", kLabels - 10,
                       middle, escape_markup(shortened(row.label)));
    for (std::size_t s = 0; s < row.values.size(); ++s) {
      const double value = row.values[s];
      if (!std::isfinite(value)) continue;
      const double length = largest > 0 ? std::max(0.0, value) / largest * room : 0;
      const double top = y + kBar * static_cast<double>(s);
      out += fmt::format(
          "<rect x='{}' y='{:.1f}' width='{:.1f}' height='{}' fill='{}'><title>{}: "
          "{}</title></rect>"
          "<text x='{:.1f}' y='{:.1f}' font-size='12'>{}</text>\n",
          kLabels, top, std::max(1.0, length), kBar - 1, kSeriesColours[s % kSeriesColours.size()],
          escape_markup(row.label), grouped_digits(value), kLabels + std::max(1.0, length) + 5,
          top + kBar - 4, grouped_digits(value));
    }
  }
  out += fmt::format("<text x='{}' y='{:.0f}'>{}</text>\n</svg>\n", kLabels, height - 10,
                     escape_markup(chart.value_name));
  return out;
}

std::string to_csv(const BarChart& chart) {
  std::string out = csv_field(chart.category_name);
  for (const auto& name : chart.series) out += "," + csv_field(name);
  out += "\n";
  for (const auto& row : chart.rows) {
    out += csv_field(row.label);
    for (const double value : row.values) out += fmt::format(",{}", value);
    out += "\n";
  }
  return out;
}

}  // namespace pratique
