// Bars that lie side by side: counts of categories, one bar per series in each row. Like Chart, it
// is a description with its numbers: JSON, SVG and CSV from one.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/json.h"

namespace pratique {

struct BarRow {
  std::string label;
  std::vector<double> values;  // one per series, not negative
};

struct BarChart {
  std::string title;
  std::string category_name;  // what a row is
  std::string value_name;     // what a bar counts
  std::vector<std::string> series;
  std::vector<BarRow> rows;
};

// title, category, value, series[], rows[{label, values[]}]
[[nodiscard]] Json to_json(const BarChart& chart);
// Readable in light and dark, without scripts; every bar has its number beside it.
[[nodiscard]] std::string to_svg(const BarChart& chart);
// <category name>,<series>...
[[nodiscard]] std::string to_csv(const BarChart& chart);

// 12345.678 as 12,345.68: whole numbers in full, others to two digits.
[[nodiscard]] std::string grouped_digits(double value);

}  // namespace pratique
