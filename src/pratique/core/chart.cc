#include "pratique/core/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/core/bar_chart.h"
#include "pratique/core/csv_field.h"
#include "pratique/core/error.h"
#include "pratique/core/markup.h"

namespace pratique {
namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 440;
constexpr double kLeft = 70;
constexpr double kRight = 170;
constexpr double kTop = 44;
constexpr double kBottom = 54;
// Told apart also by people who do not see all colours (Okabe and Ito), and by shape.
constexpr std::array<const char*, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#e69f00", "#56b4e9", "#7f7f7f"};

// One direction of the chart: from values to places, and where its ticks stand.
class Axis {
 public:
  Axis(std::vector<double> values, bool log, double from, double to)
      : log_(log), from_(from), to_(to) {
    for (double& value : values) value = scaled(value);
    const auto finite = std::remove_if(values.begin(), values.end(),
                                       [](double value) { return !std::isfinite(value); });
    values.erase(finite, values.end());
    if (values.empty()) values = {0, 1};
    low_ = *std::min_element(values.begin(), values.end());
    high_ = *std::max_element(values.begin(), values.end());
    if (low_ == high_) {
      low_ -= 0.5;
      high_ += 0.5;
    }
    if (!log_ && low_ > 0 && low_ < 0.4 * high_)
      low_ = 0;  // show how large, not only how different
    const double margin = 0.04 * (high_ - low_);
    if (log_ || low_ != 0) low_ -= margin;
    high_ += margin;
  }

  [[nodiscard]] double place(double value) const {
    return from_ + (scaled(value) - low_) / (high_ - low_) * (to_ - from_);
  }

  [[nodiscard]] std::vector<double> ticks() const {
    std::vector<double> ticks;
    if (log_ && high_ - low_ < 2) {
      // Powers of ten alone would leave such an axis with one tick or two.
      for (double power = std::floor(low_); power <= high_; ++power) {
        for (const double factor : {1.0, 2.0, 5.0}) {
          const double at = power + std::log10(factor);
          if (at >= low_ && at <= high_) ticks.push_back(factor * std::pow(10, power));
        }
      }
      return ticks;
    }
    const double rough = (high_ - low_) / 5;
    double step = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
      if (factor * step >= rough) {
        step *= factor;
        break;
      }
    }
    if (log_) step = std::max(1.0, std::round(step));
    for (double at = std::ceil(low_ / step) * step; at <= high_ + step * 1e-9; at += step) {
      ticks.push_back(log_ ? std::pow(10, at) : std::abs(at) < step * 1e-9 ? 0 : at);
    }
    return ticks;
  }

 private:
  [[nodiscard]] double scaled(double value) const { return log_ ? std::log10(value) : value; }

  bool log_;
  double from_;
  double to_;
  double low_ = 0;
  double high_ = 1;
};

// 27,000 rather than 2.7e+04.
std::string tick_label(double tick) {
  const bool large = std::abs(tick) >= 1'000 && std::abs(tick) < 1e6;
  return large ? grouped_digits(tick) : fmt::format("{:.4g}", tick);
}

std::string marker(std::size_t series, double x, double y, const ChartPoint& point) {
  const char* colour = kColours[series % kColours.size()];
  const double r = point.marked ? 6 : 4;
  std::string shape;
  switch (series % 3) {
    case 0:
      shape = fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{}'", x, y, r);
      break;
    case 1:
      shape = fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{}' height='{}'", x - r, y - r, 2 * r,
                          2 * r);
      break;
    default:
      shape = fmt::format("<path d='M{:.1f} {:.1f}l{} {}h{}z'", x, y - r, r, 2 * r, -2 * r);
  }
  const char* ring = point.marked ? " stroke='currentColor' stroke-width='2'" : "";
  return fmt::format("{} fill='{}'{}><title>{}</title></{}>\n", shape, colour, ring,
                     escape_markup(point.label),
                     series % 3 == 0   ? "circle"
                     : series % 3 == 1 ? "rect"
                                       : "path");
}

}  // namespace

Json to_json(const Chart& chart) {
  Json series = Json::array();
  for (const auto& curve : chart.series) {
    Json points = Json::array();
    for (const auto& point : curve.points) {
      points.push_back(Json::array({point.x, point.y, point.label, point.marked}));
    }
    series.push_back({{"name", curve.name}, {"line", curve.line}, {"points", std::move(points)}});
  }
  return {{"title", chart.title},
          {"x", {{"name", chart.x_name}, {"log", chart.log_x}}},
          {"y", {{"name", chart.y_name}, {"log", chart.log_y}}},
          {"series", std::move(series)}};
}

Chart chart_from_json(const Json& json, const std::string& place) {
  try {
    Chart chart;
    json.at("title").get_to(chart.title);
    json.at("x").at("name").get_to(chart.x_name);
    json.at("x").at("log").get_to(chart.log_x);
    json.at("y").at("name").get_to(chart.y_name);
    json.at("y").at("log").get_to(chart.log_y);
    for (const auto& curve : json.at("series")) {
      ChartSeries series{curve.at("name").get<std::string>(), {}, curve.at("line").get<bool>()};
      for (const auto& point : curve.at("points")) {
        series.points.push_back({point.at(0).get<double>(), point.at(1).get<double>(),
                                 point.at(2).get<std::string>(), point.at(3).get<bool>()});
      }
      chart.series.push_back(std::move(series));
    }
    return chart;
  } catch (const Json::exception&) {
    throw Error::input("this is not a chart")
        .at(place)
        .hint("A chart is what tables explore writes as ru-map.json.");
  }
}

std::string to_svg(const Chart& chart) {
  std::vector<double> xs;
  std::vector<double> ys;
  for (const auto& series : chart.series) {
    for (const auto& point : series.points) {
      xs.push_back(point.x);
      ys.push_back(point.y);
    }
  }
  const Axis x(std::move(xs), chart.log_x, kLeft, kWidth - kRight);
  const Axis y(std::move(ys), chart.log_y, kHeight - kBottom, kTop);
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' "
      "role='img' font-family='system-ui, sans-serif' font-size='12'>\n"
      "<style>svg{{color:#1a1a1a;background:#fff}}@media(prefers-color-scheme:dark)"
      "{{svg{{color:#eee;background:#1a1a1a}}}}text{{fill:currentColor}}</style>\n"
      "<title>{2}</title>\n<text x='{3}' y='24' font-size='15' font-weight='600'>{2}</text>\n",
      kWidth, kHeight, escape_markup(chart.title), kLeft);
  for (const double tick : x.ticks()) {
    out += fmt::format(
        "<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' stroke='currentColor' opacity='.15'/>"
        "<text x='{0:.1f}' y='{3}' text-anchor='middle'>{4}</text>\n",
        x.place(tick), kTop, kHeight - kBottom, kHeight - kBottom + 18, tick_label(tick));
  }
  for (const double tick : y.ticks()) {
    out += fmt::format(
        "<line x1='{1}' x2='{2}' y1='{0:.1f}' y2='{0:.1f}' stroke='currentColor' opacity='.15'/>"
        "<text x='{3}' y='{4:.1f}' text-anchor='end'>{5}</text>\n",
        y.place(tick), kLeft, kWidth - kRight, kLeft - 8, y.place(tick) + 4, tick_label(tick));
  }
  out += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n",
                     (kLeft + kWidth - kRight) / 2, kHeight - 14, escape_markup(chart.x_name));
  out +=
      fmt::format("<text transform='translate(18 {}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                  (kTop + kHeight - kBottom) / 2, escape_markup(chart.y_name));
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const ChartSeries& series = chart.series[s];
    if (series.line && series.points.size() > 1) {
      std::string path;
      for (const auto& point : series.points) {
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.place(point.x),
                            y.place(point.y));
      }
      out += fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='2'/>\n", path,
                         kColours[s % kColours.size()]);
    }
    for (const auto& point : series.points) {
      if (series.named) {
        // Away from the names of the series, which stand at the right.
        const bool left = x.place(point.x) > kLeft + 0.7 * (kWidth - kRight - kLeft);
        out += fmt::format(
            "<circle cx='{0:.1f}' cy='{1:.1f}' r='13' fill='none' stroke='{2}' stroke-width='3'/>"
            "<text x='{3:.1f}' y='{4:.1f}' text-anchor='{5}' font-weight='600'>{6}</text>\n",
            x.place(point.x), y.place(point.y), kColours[s % kColours.size()],
            x.place(point.x) + (left ? -18 : 18), y.place(point.y) + (left ? 4 : 16),
            left ? "end" : "start", escape_markup(point.label));
        continue;
      }
      out += marker(s, x.place(point.x), y.place(point.y), point);
    }
    const double row = kTop + 10 + 20 * static_cast<double>(s);
    out += marker(s, kWidth - kRight + 20, row, {0, 0, series.name, false});
    out += fmt::format("<text x='{}' y='{}'>{}</text>\n", kWidth - kRight + 32, row + 4,
                       escape_markup(series.name));
  }
  return out + "</svg>\n";
}

std::string to_csv(const Chart& chart) {
  std::string out =
      fmt::format("series,label,{},{},marked\n", csv_field(chart.x_name), csv_field(chart.y_name));
  for (const auto& series : chart.series) {
    for (const auto& point : series.points) {
      out += fmt::format("{},{},{},{},{}\n", csv_field(series.name), csv_field(point.label),
                         point.x, point.y, point.marked ? 1 : 0);
    }
  }
  return out;
}

}  // namespace pratique
