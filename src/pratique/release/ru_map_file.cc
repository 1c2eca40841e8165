// Maps of risk and utility as tables explore writes them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/release/report.h"

namespace pratique::release {
namespace {

Error no_map(const std::string& place) {
  return Error::input("this is not a map of risk and utility")
      .at(place)
      .hint("Give the ru-map.json or ru-map.csv that tables explore wrote.");
}

// Fields may be quoted; a quote inside is doubled.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

// series,label,<x name>,<y name>,marked
Chart chart_from_csv(std::string_view text, const std::string& place) {
  Chart chart;
  chart.title = "Risk and utility";
  std::size_t number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto fields = fields_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (fields.size() == 1 && fields[0].empty()) continue;
    const bool header = number == 1;
    if (fields.size() != 5 || (header && (fields[0] != "series" || fields[4] != "marked"))) {
      throw no_map(fmt::format("{}:{}", place, number));
    }
    if (header) {
      chart.x_name = fields[2];
      chart.y_name = fields[3];
      continue;
    }
    ChartPoint point{.label = fields[1], .marked = fields[4] == "1"};
    for (const auto& [field, value] :
         {std::pair{&fields[2], &point.x}, std::pair{&fields[3], &point.y}}) {
      const auto read = std::from_chars(field->data(), field->data() + field->size(), *value);
      if (read.ec != std::errc() || read.ptr != field->data() + field->size()) {
        throw no_map(fmt::format("{}:{}", place, number));
      }
    }
    auto series = std::find_if(chart.series.begin(), chart.series.end(),
                               [&](const auto& one) { return one.name == fields[0]; });
    if (series == chart.series.end()) series = chart.series.insert(series, {fields[0], {}, true});
    series->points.push_back(std::move(point));
  }
  if (chart.series.empty()) throw no_map(place);
  chart.log_x = std::all_of(chart.series.begin(), chart.series.end(), [](const auto& one) {
    return std::all_of(one.points.begin(), one.points.end(),
                       [](const auto& point) { return point.x > 0; });
  });
  return chart;
}

}  // namespace

Chart read_ru_map(const std::string& path) {
  const std::string text = read_file(path);
  const auto first = text.find_first_not_of(" \t\r\n");
  Chart chart;
  if (first != std::string::npos && text[first] == '{') {
    const Json json = parse_json(text, path);
    if (!json.contains("chart")) throw no_map(path);
    chart = chart_from_json(json["chart"], path);
  } else {
    chart = chart_from_csv(text, path);
  }
  for (auto* words : {&chart.title, &chart.x_name, &chart.y_name}) *words = cleaned(*words);
  for (auto& series : chart.series) {
    series.name = cleaned(series.name);
    for (auto& point : series.points) point.label = cleaned(point.label);
  }
  return chart;
}

}  // namespace pratique::release
