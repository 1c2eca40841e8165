#include "pratique/synthetic/internal/hospitals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace pratique::synthetic {
namespace {

constexpr double kUsualKilometres = 20;
constexpr double kAnyDistance = 0.02;
constexpr double kReferralKilometres = 70;
constexpr std::size_t kHospitalsPerReferralCentre = 7;
constexpr int kScalings = 60;

double nearness(double kilometres) {
  return kAnyDistance + std::exp(-kilometres / kUsualKilometres);
}

// The first ZIP of each town, towns in order of size.
std::vector<std::uint32_t> town_centres(const Region& region) {
  std::vector<std::uint32_t> centres;
  for (std::uint32_t zip = 0; zip < region.zips().size(); ++zip) {
    if (zip == 0 || region.zips()[zip].town != region.zips()[zip - 1].town) centres.push_back(zip);
  }
  return centres;
}

std::vector<Hospital> place_hospitals(std::size_t count, const Region& region) {
  const auto centres = town_centres(region);
  std::map<std::string_view, std::size_t> in_town;
  std::vector<Hospital> hospitals(count);
  for (std::size_t rank = 0; rank < count; ++rank) {
    Hospital& hospital = hospitals[rank];
    hospital.id = fmt::format("H{:0{}}", rank + 1, count < 100 ? 2 : 3);
    hospital.zip = centres[rank % centres.size()];
    const std::string_view town = region.zips()[hospital.zip].town;
    hospital.name = hospital_name(town, in_town[town]++);
  }
  return hospitals;
}

// weights[zip][hospital], scaled per hospital as the header says.
std::vector<std::vector<double>> choice_weights(const Region& region,
                                                const std::vector<Hospital>& hospitals) {
  const auto& zips = region.zips();
  std::vector<std::vector<double>> weights(zips.size(), std::vector<double>(hospitals.size()));
  std::vector<double> target(hospitals.size());
  double people = 0;
  double harmonic = 0;
  for (std::size_t h = 0; h < hospitals.size(); ++h) {
    target[h] = 1 / static_cast<double>(h + 1);
    harmonic += target[h];
  }
  for (std::size_t zip = 0; zip < zips.size(); ++zip) {
    people += zips[zip].weight;
    for (std::size_t h = 0; h < hospitals.size(); ++h) {
      weights[zip][h] = target[h] * nearness(region.kilometres(zip, hospitals[h].zip));
    }
  }
  for (int scaling = 0; scaling < kScalings; ++scaling) {
    std::vector<double> share(hospitals.size());
    for (std::size_t zip = 0; zip < zips.size(); ++zip) {
      double total = 0;
      for (const double weight : weights[zip]) total += weight;
      for (std::size_t h = 0; h < hospitals.size(); ++h) {
        share[h] += zips[zip].weight / people * weights[zip][h] / total;
      }
    }
    for (auto& row : weights) {
      for (std::size_t h = 0; h < hospitals.size(); ++h) {
        row[h] *= target[h] / harmonic / share[h];
      }
    }
  }
  return weights;
}

}  // namespace

Hospitals::Hospitals(std::size_t count, const Region& region)
    : hospitals_(place_hospitals(count, region)) {
  for (const auto& weights : choice_weights(region, hospitals_)) choice_.emplace_back(weights);
  const std::size_t centres = std::max<std::size_t>(1, count / kHospitalsPerReferralCentre);
  for (std::size_t zip = 0; zip < region.zips().size(); ++zip) {
    std::vector<double> weights(centres);
    for (std::size_t h = 0; h < centres; ++h) {
      const double distance = region.kilometres(zip, hospitals_[h].zip);
      weights[h] = std::exp(-distance / kReferralKilometres) / static_cast<double>(h + 1);
    }
    referral_.emplace_back(weights);
  }
}

}  // namespace pratique::synthetic
