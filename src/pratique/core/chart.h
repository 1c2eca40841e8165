// A picture of figures: a small description that the report and the workbench draw, and that
// studies write as SVG. No picture without the numbers behind it: the same chart also gives its
// CSV.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/json.h"

namespace pratique {

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::string label = {};  // shown when pointed at; a column of the CSV
  bool marked = false;     // drawn larger, with a ring
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;
  bool line = false;   // points joined in their order
  bool named = false;  // labels stand in the picture; drawn larger
};

struct Chart {
  std::string title;
  std::string x_name;
  std::string y_name;
  bool log_x = false;  // only for positive x
  bool log_y = false;
  std::vector<ChartSeries> series;
};

// title, x{name, log}, y{name, log}, series[{name, line, points[[x, y, label, marked]]}]
[[nodiscard]] Json to_json(const Chart& chart);
// The other way round; `place` names the document in errors.
[[nodiscard]] Chart chart_from_json(const Json& json, const std::string& place);
// Readable in light and dark, without scripts; every point carries its label as a tooltip.
[[nodiscard]] std::string to_svg(const Chart& chart);
// series,label,<x name>,<y name>,marked
[[nodiscard]] std::string to_csv(const Chart& chart);

}  // namespace pratique
