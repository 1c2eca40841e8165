#include "pratique/trails/simulation.h"

#include <algorithm>
#include <cmath>

#include "pratique/core/parallel.h"

namespace pratique::trails {
namespace {

struct SimulatedRun {
  double share = 0;
  double entropy = 0;
};

double entropy_of(const World& world) {
  const auto subjects = static_cast<double>(world.identified.elements());
  double bits = 0;
  for (const auto visitors : world.identified.sizes(world.locations)) {
    const double f = static_cast<double>(visitors) / subjects;
    if (f > 0 && f < 1) bits -= f * std::log2(f) + (1 - f) * std::log2(1 - f);
  }
  return bits;
}

SimulatedRun simulate_once(const WorldShape& shape, Algorithm algorithm, std::uint64_t seed,
                           std::uint64_t stream) {
  SeededRandom random(seed, stream);
  const World world = random_world(shape, random);
  const auto reserved = shape.withholds() ? Reserved::deidentified : Reserved::none;
  const auto disclosure = algorithm == Algorithm::multiple
                              ? find_disclosure_of_many(world, Reserved::deidentified)
                              : find_disclosure(world, reserved);
  const auto linkage = attack(world, disclosure, {algorithm});
  return {static_cast<double>(linkage.reidentified()) / static_cast<double>(shape.subjects),
          entropy_of(world)};
}

Simulation summary(const SimulatedRun* runs, std::size_t count) {
  std::vector<double> shares;
  Simulation result;
  for (std::size_t r = 0; r < count; ++r) {
    shares.push_back(runs[r].share);
    result.entropy_bits += runs[r].entropy / static_cast<double>(count);
  }
  result.share = spread_of(shares);
  return result;
}

}  // namespace

double Access::chance(std::size_t location) const {
  return kind == AccessKind::uniform
             ? parameter
             : scale * std::pow(static_cast<double>(location + 1), -parameter);
}

bool WorldShape::withholds() const {
  return std::ranges::any_of(rates, [](const LocationRate& rate) { return rate.missing > 0; }) ||
         (rates.empty() && missing > 0);
}

std::vector<LocationRate> empirical_rates(const World& world, std::size_t times) {
  const auto people = static_cast<double>(world.identified.seen());
  const auto listed = world.identified.sizes(world.locations);
  const auto sampled = world.deidentified.sizes(world.locations);
  std::vector<LocationRate> rates;
  for (std::size_t time = 0; time < times; ++time) {
    for (std::size_t c = 0; c < world.locations; ++c) {
      const auto visitors = static_cast<double>(listed[c]);
      const auto samples = static_cast<double>(sampled[c]);
      rates.push_back({visitors / people, samples < visitors ? 1 - samples / visitors : 0});
    }
  }
  return rates;
}

World random_world(const WorldShape& shape, SeededRandom& random) {
  std::vector<LocationRate> rates;
  for (std::size_t c = 0; c < shape.locations; ++c) rates.push_back(shape.rate(c));
  std::vector<Element> people;
  std::vector<Location> seen;
  std::vector<Element> samples;
  std::vector<Location> sampled;
  for (Element subject = 0; subject < shape.subjects; ++subject) {
    for (Location c = 0; c < shape.locations; ++c) {
      if (!random.chance(rates[c].visited)) continue;
      people.push_back(subject);
      seen.push_back(c);
      if (rates[c].missing > 0 && random.chance(rates[c].missing)) continue;
      samples.push_back(subject);
      sampled.push_back(c);
    }
  }
  return {shape.locations, Side(shape.subjects, people, seen),
          Side(shape.subjects, samples, sampled)};
}

Simulation simulate(const SimulationOptions& options, Progress& progress) {
  std::vector<SimulatedRun> runs(options.runs);
  progress.begin("simulating", options.runs);
  parallel_blocks(options.runs, 1, [&](std::size_t run, std::size_t) {
    runs[run] = simulate_once(options.world, options.algorithm, options.seed, run);
    progress.advance(1);
  });
  return summary(runs.data(), runs.size());
}

Grid simulate_grid(const GridOptions& options, Progress& progress) {
  constexpr std::size_t kParameters = 10;
  Grid grid;
  for (const auto kind : {AccessKind::uniform, AccessKind::zipf}) {
    for (std::size_t c = options.first_locations; c <= options.last_locations; ++c) {
      for (std::size_t p = 1; p <= kParameters; ++p) {
        grid.points.push_back({kind, c, static_cast<double>(p) / kParameters, {}});
      }
    }
  }
  std::vector<SimulatedRun> runs(grid.points.size() * options.runs);
  progress.begin("simulating", runs.size());
  parallel_blocks(runs.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      const GridPoint& point = grid.points[r / options.runs];
      const WorldShape shape{options.subjects,
                             point.locations,
                             {.kind = point.kind, .parameter = point.parameter},
                             options.missing};
      runs[r] = simulate_once(shape, options.algorithm, options.seed, r);
    }
    progress.advance(end - begin);
  });
  for (std::size_t p = 0; p < grid.points.size(); ++p) {
    grid.points[p].result = summary(&runs[p * options.runs], options.runs);
  }
  for (std::size_t p = 0; p < grid.points.size(); p += kParameters) {
    const auto first = grid.points.begin() + static_cast<std::ptrdiff_t>(p);
    grid.curves.push_back(curve_of({first, first + kParameters}));
  }
  return grid;
}

GridCurve curve_of(const std::vector<GridPoint>& points) {
  GridCurve curve;
  curve.kind = points.front().kind;
  curve.locations = points.front().locations;
  curve.maximum = -1;
  double entropy = -1;
  double entropy_at = 0;
  for (const auto& point : points) {
    if (point.result.share.mean > curve.maximum) {
      curve.maximum = point.result.share.mean;
      curve.maximum_at = point.parameter;
    }
    if (point.result.entropy_bits > entropy) {
      entropy = point.result.entropy_bits;
      entropy_at = point.parameter;
    }
  }
  curve.shift = std::abs(curve.maximum_at - entropy_at);
  const double scale = entropy > 0 ? curve.maximum / entropy : 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& here = points[i].result;
    curve.shape += std::abs(here.entropy_bits * scale - here.share.mean);
    if (i == 0) continue;
    curve.area += (points[i].parameter - points[i - 1].parameter) *
                  (here.share.mean + points[i - 1].result.share.mean) / 2;
  }
  return curve;
}

}  // namespace pratique::trails
