// How much trails re-identify in worlds made by chance (Malin 2006, section 5.6).
//
// Every subject visits each location independently: with probability p (uniform), or s r^-theta for
// the location of rank r (Zipf; s is 1 in the thesis). People's lists are complete; with `missing`,
// a location withholds each sample with that probability. Or at the rates of real lists (section
// 5.4): a location is visited with the share of all people that its list names, and withholds the
// share of samples that its list is shorter by; several copies of the locations make a longer
// trail. Run r of a seed is the same on any number
// of threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/chart.h"
#include "pratique/core/progress.h"
#include "pratique/crypto/random.h"
#include "pratique/trails/attack/attack.h"
#include "pratique/trails/method/protection.h"

namespace pratique::trails {

enum class AccessKind { uniform, zipf };

struct Access {
  AccessKind kind = AccessKind::uniform;
  double parameter = 0.5;
  double scale = 1;  // of Zipf: the share that visits the most visited location

  // That a subject visits the location, counted from 0.
  [[nodiscard]] double chance(std::size_t location) const;
};

struct LocationRate {
  double visited = 0;  // by a subject
  double missing = 0;  // a sample of whoever visits
};
// Of each location of the world, that many times over. Lists of samples are taken for the
// incomplete ones; where one is longer than the list of people, nothing is missing.
[[nodiscard]] std::vector<LocationRate> empirical_rates(const World& world, std::size_t times);

struct WorldShape {
  std::size_t subjects = 1000;
  std::size_t locations = 10;
  Access access;
  double missing = 0;
  std::vector<LocationRate> rates = {};  // of each location, in place of access and missing

  [[nodiscard]] LocationRate rate(std::size_t location) const {
    return rates.empty() ? LocationRate{access.chance(location), missing} : rates[location];
  }
  [[nodiscard]] bool withholds() const;
};

// Sample i is person i's.
[[nodiscard]] World random_world(const WorldShape& shape, SeededRandom& random);

struct SimulationOptions {
  WorldShape world;
  Algorithm algorithm = Algorithm::complete;
  std::size_t runs = 100;
  std::uint64_t seed = 0;
};

struct Simulation {
  Spread share;             // of all subjects, re-identified
  double entropy_bits = 0;  // mean; of each location's share of all subjects (section 5.6.1)
};

[[nodiscard]] Simulation simulate(const SimulationOptions& options, Progress& progress);

// The surfaces of section 5.6: both kinds of access, 10 parameters from 0.1 to 1, and every number
// of locations in a range.
struct GridOptions {
  std::size_t subjects = 1000;
  std::size_t first_locations = 3;
  std::size_t last_locations = 40;
  double missing = 0;
  Algorithm algorithm = Algorithm::complete;
  std::size_t runs = 100;
  std::uint64_t seed = 0;
};

struct GridPoint {
  AccessKind kind = AccessKind::uniform;
  std::size_t locations = 0;
  double parameter = 0;
  Simulation result;
};

// One number of locations: the curves over the ten parameters of the share R and the entropy E.
struct GridCurve {
  AccessKind kind = AccessKind::uniform;
  std::size_t locations = 0;
  double maximum = 0;     // of R
  double maximum_at = 0;  // parameter
  double area = 0;        // under R, by trapezes
  double shape = 0;       // sum of |E max(R) / max(E) - R|, equation 5.3
  double shift = 0;       // between the parameters of the maxima, equation 5.2
};

struct Grid {
  std::vector<GridPoint> points;  // by kind, then locations, then parameter
  std::vector<GridCurve> curves;
};

[[nodiscard]] Grid simulate_grid(const GridOptions& options, Progress& progress);

// Ten points of one kind and number of locations, parameters ascending.
[[nodiscard]] GridCurve curve_of(const std::vector<GridPoint>& points);

[[nodiscard]] std::string_view to_text(AccessKind kind);
// access,locations,parameter,mean_share,sd_share,entropy_bits
[[nodiscard]] std::string points_csv(const Grid& grid);
// access,locations,maximum,maximum_at,area,shape,shift
[[nodiscard]] std::string curves_csv(const Grid& grid);
// One figure of the curves against the number of locations, a line per kind of access.
[[nodiscard]] Chart curves_chart(const Grid& grid, const std::string& title,
                                 double (*figure)(const GridCurve&));
// The share against the parameter for some numbers of locations.
[[nodiscard]] Chart share_chart(const Grid& grid, AccessKind kind);

}  // namespace pratique::trails
