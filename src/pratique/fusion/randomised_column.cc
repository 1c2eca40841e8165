#include "pratique/fusion/randomised_column.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace pratique::fusion {

std::optional<RandomisedColumn> randomised_column(const Manifest& manifest,
                                                  const std::string& column) {
  if (manifest.kind == "dp" && manifest.verb == "synthesize") {
    // The values of its column, as it declares them.
    for (const auto& declared : manifest.parameters->value("columns", Json::array())) {
      if (declared.value("column", "") != column) continue;
      return RandomisedColumn{kNobodys, declared.at("labels").size(), true};
    }
  }
  for (const auto& claim : *manifest.claims) {
    if (!claim.contains("gamma") || claim.value("sensitive", "") != column) continue;
    return RandomisedColumn{claim["gamma"].get<double>(), claim.at("values").size()};
  }
  for (const auto& change : manifest.results->value("randomised", Json::array())) {
    if (change.value("column", "") == column) return RandomisedColumn{};
  }
  return std::nullopt;
}

std::vector<double> originals_of(std::span<const double> shown, const RandomisedColumn& column) {
  const double rows = std::accumulate(shown.begin(), shown.end(), 0.0);
  const double x = column.other();
  std::vector<double> originals;
  double sum = 0;
  for (const double count : shown) {
    originals.push_back(std::max(0.0, count - x * rows));
    sum += originals.back();
  }
  for (auto& count : originals)
    count = sum > 0 ? rows * count / sum : rows / static_cast<double>(originals.size());
  return originals;
}

std::vector<double> parts_of(std::span<const double> shown, std::span<const double> g,
                             const RandomisedColumn& column) {
  constexpr double kNever = 1e-9;  // what nobody seems to have is not impossible
  const double x = column.other();
  const double kept = (column.gamma - 1) * x;
  double by_chance = 0;
  for (std::size_t w = 0; w < shown.size(); ++w) by_chance += shown[w] * x / (x + kept * g[w]);
  std::vector<double> parts;
  for (std::size_t v = 0; v < shown.size(); ++v)
    parts.push_back(std::max(g[v], kNever) * (by_chance + shown[v] * kept / (x + kept * g[v])));
  return parts;
}

std::vector<double> parts_of(std::span<const double> shown, std::span<const double> g,
                             double strength, const RandomisedColumn& column) {
  constexpr int kRounds = 50;
  const double rows = std::accumulate(shown.begin(), shown.end(), 0.0);
  std::vector<double> of_class(g.begin(), g.end());
  std::vector<double> parts = parts_of(shown, of_class, column);
  if (rows <= 0) return parts;
  for (int round = 0; round < kRounds; ++round) {
    double change = 0;
    for (std::size_t v = 0; v < g.size(); ++v) {
      const double share = (strength * g[v] + parts[v]) / (strength + rows);
      change = std::max(change, std::abs(share - of_class[v]));
      of_class[v] = share;
    }
    parts = parts_of(shown, of_class, column);
    if (change < 1e-6) break;
  }
  return parts;
}

std::vector<double> shown_by(std::span<const double> g, const RandomisedColumn& column) {
  const double x = column.other();
  std::vector<double> shown;
  for (const double share : g) shown.push_back(x + (column.gamma - 1) * x * share);
  const double sum = std::accumulate(shown.begin(), shown.end(), 0.0);
  for (auto& share : shown) share /= sum;  // values that no row shows are not among these
  return shown;
}

double strength_behind(double fitted, std::span<const double> g, std::span<const double> shown,
                       const RandomisedColumn& column) {
  const auto spread = [](std::span<const double> shares) {
    double sum = 0;
    for (const double share : shares) sum += share * (1 - share);
    return sum;
  };
  const double kept = (column.gamma - 1) * column.other();
  if (spread(shown) <= 0) return fitted;
  return std::max(0.001, (fitted + 1) * kept * kept * spread(g) / spread(shown) - 1);
}

}  // namespace pratique::fusion
