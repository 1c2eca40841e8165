#include "pratique/trails/attack/internal/error_model.h"

#include <algorithm>
#include <cmath>

namespace pratique::trails {
namespace {

constexpr double kSmallestError = 1e-6;

}  // namespace

ErrorModel::ErrorModel(const World& world, Reserved reserved, std::span<const double> error)
    : copy_is_identified_(reserved == Reserved::identified) {
  const Side& copies = copy_is_identified_ ? world.identified : world.deidentified;
  const Side& originals = copy_is_identified_ ? world.deidentified : world.identified;
  const auto copied = copies.sizes(world.locations);
  const auto original = originals.sizes(world.locations);
  const auto people = static_cast<double>(std::max(copies.seen(), originals.seen()));
  for (Location c = 0; c < world.locations; ++c) {
    const double spurious = std::clamp(error[c], kSmallestError, 0.5);
    const auto there = static_cast<double>(original[c]);
    double seen = 1 - spurious;
    if (reserved != Reserved::none) {
      // Half a person more keeps an estimate off 0 and 1.
      const double from_them = static_cast<double>(copied[c]) - spurious * (people - there);
      seen = std::clamp((from_them + 0.5) / (there + 1), kSmallestError, 1 - spurious);
    }
    const double nothing = std::log(1 - spurious);
    log_nothing_ += nothing;
    missed_.push_back(std::log(1 - seen) - nothing);
    spurious_.push_back(std::log(spurious) - nothing);
    both_.push_back(std::log(seen) - nothing);
    const double share = people > 0 ? there / people : 0;
    const double unlisted = share * seen + (1 - share) * spurious;
    unlisted_nothing_ += std::log(1 - unlisted);
    unlisted_seen_.push_back(std::log(unlisted) - std::log(1 - unlisted));
  }
}

double ErrorModel::log_likelihood(std::span<const Location> copy,
                                  std::span<const Location> original) const {
  double sum = log_nothing_;
  auto a = copy.begin();
  auto b = original.begin();
  while (a != copy.end() || b != original.end()) {
    if (b == original.end() || (a != copy.end() && *a < *b)) {
      sum += spurious_[*a++];
    } else if (a == copy.end() || *b < *a) {
      sum += missed_[*b++];
    } else {
      sum += both_[*a++];
      ++b;
    }
  }
  return sum;
}

double ErrorModel::log_likelihood_of_unlisted(std::span<const Location> copy) const {
  double sum = unlisted_nothing_;
  for (const Location at : copy) sum += unlisted_seen_[at];
  return sum;
}

}  // namespace pratique::trails
