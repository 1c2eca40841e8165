#include <fmt/format.h>

#include "pratique/trails/simulation.h"

namespace pratique::trails {

std::string_view to_text(AccessKind kind) {
  return kind == AccessKind::uniform ? "uniform" : "zipf";
}

std::string points_csv(const Grid& grid) {
  std::string text = "access,locations,parameter,mean_share,sd_share,entropy_bits\n";
  for (const auto& point : grid.points) {
    text += fmt::format("{},{},{},{:.6f},{:.6f},{:.4f}\n", to_text(point.kind), point.locations,
                        point.parameter, point.result.share.mean, point.result.share.deviation,
                        point.result.entropy_bits);
  }
  return text;
}

std::string curves_csv(const Grid& grid) {
  std::string text = "access,locations,maximum,maximum_at,area,shape,shift\n";
  for (const auto& curve : grid.curves) {
    text +=
        fmt::format("{},{},{:.6f},{},{:.6f},{:.6f},{:.1f}\n", to_text(curve.kind), curve.locations,
                    curve.maximum, curve.maximum_at, curve.area, curve.shape, curve.shift);
  }
  return text;
}

Chart curves_chart(const Grid& grid, const std::string& title, double (*figure)(const GridCurve&)) {
  Chart chart{.title = title, .x_name = "locations", .y_name = title, .series = {}};
  for (const auto kind : {AccessKind::uniform, AccessKind::zipf}) {
    auto& series = chart.series.emplace_back();
    series.name = to_text(kind);
    series.line = true;
    for (const auto& curve : grid.curves) {
      if (curve.kind != kind) continue;
      series.points.push_back({static_cast<double>(curve.locations), figure(curve)});
    }
  }
  return chart;
}

Chart share_chart(const Grid& grid, AccessKind kind) {
  Chart chart{.title = fmt::format("Re-identified, {} access", to_text(kind)),
              .x_name = "parameter",
              .y_name = "share",
              .series = {}};
  for (const std::size_t locations : {3, 5, 10, 15, 20, 30, 40}) {
    ChartSeries series{fmt::format("{} locations", locations), {}, true};
    for (const auto& point : grid.points) {
      if (point.kind != kind || point.locations != locations) continue;
      series.points.push_back({point.parameter, point.result.share.mean});
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace pratique::trails
