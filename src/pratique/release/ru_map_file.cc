// Maps of risk and utility as explore writes them.
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/release/report.h"

namespace pratique::release {

ExploredMap read_ru_map(const std::string& path) {
  const Json json = parse_json(read_file(path), path);
  if (!json.is_object() || !json.contains("chart")) {
    throw Error::input("this is not a map of risk and utility")
        .at(path)
        .hint("Give the ru-map.json that tables explore or codes explore wrote.");
  }
  Chart chart = chart_from_json(json["chart"], path);
  for (auto* words : {&chart.title, &chart.x_name, &chart.y_name}) *words = cleaned(*words);
  for (auto& series : chart.series) {
    series.name = cleaned(series.name);
    for (auto& point : series.points) point.label = cleaned(point.label);
  }
  RuMap map{std::move(chart)};
  for (const auto& [key, text] : {std::pair{"private", &map.private_name}, {"input", &map.input}}) {
    if (json.contains(key) && json[key].is_string()) *text = json[key].get<std::string>();
  }
  return {std::move(map), json.value("settings", Json::object())};
}

}  // namespace pratique::release
