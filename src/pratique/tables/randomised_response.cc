#include "pratique/tables/randomised_response.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/core/random.h"

namespace pratique::tables {
namespace {

// Secure bits, fetched many at a time.
class SecureBits {
 public:
  std::uint64_t operator()() {
    if (next_ == buffer_.size()) {
      secure_bytes(std::as_writable_bytes(std::span(buffer_)));
      next_ = 0;
    }
    return buffer_[next_++];
  }

 private:
  std::array<std::uint64_t, 1024> buffer_ = {};
  std::size_t next_ = buffer_.size();
};

// Uniform below `bound`, exactly: draws that would favour small numbers are drawn again.
std::uint64_t uniform_below(std::uint64_t bound, const std::function<std::uint64_t()>& bits) {
  const std::uint64_t uneven = (std::numeric_limits<std::uint64_t>::max() % bound + 1) % bound;
  std::uint64_t draw = bits();
  while (draw < uneven) draw = bits();
  return draw % bound;
}

}  // namespace

double amplification_bound(double rho1, double rho2) {
  if (!(0 < rho1 && rho1 < rho2 && rho2 < 1)) {
    throw Error::input(fmt::format("{:g} to {:g} is no bound on a belief", rho1, rho2))
        .hint("Name two probabilities, the smaller first, as in 0.1 and 0.5.");
  }
  return rho2 * (1 - rho1) / (rho1 * (1 - rho2));
}

double amplification_bound_of_growth(double delta) {
  if (!(0 < delta && delta < 1)) {
    throw Error::input(fmt::format("{:g} is no bound on the growth of a belief", delta))
        .hint("Name a number between 0 and 1, as in 0.3.");
  }
  const double root = (1 + delta) / (1 - delta);
  return root * root;
}

double largest_posterior(double gamma, double prior) {
  return gamma * prior / (gamma * prior + 1 - prior);
}

double largest_growth(double gamma) {
  const double root = std::sqrt(gamma);
  return (root - 1) / (root + 1);
}

RandomisedResponse::RandomisedResponse(std::size_t values, double gamma) : values_(values) {
  if (values < 2) {
    throw Error::input("an attribute of one value cannot be randomised")
        .hint("There is nothing to hide in it: release it as it is, or leave it out.");
  }
  if (!(gamma >= 1) || !std::isfinite(gamma)) {
    throw Error::input(fmt::format("{:g} is no amplification", gamma))
        .hint("It is 1 (nothing is left of the values) or more.");
  }
  const double weights = gamma + static_cast<double>(values - 1);
  intact_ = gamma / weights;
  other_ = 1 / weights;
}

std::vector<Code> RandomisedResponse::perturb(std::span<const Code> codes) const {
  SecureBits bits;
  return perturb(codes, [&bits] { return bits(); });
}

std::vector<Code> RandomisedResponse::perturb(std::span<const Code> codes,
                                              const std::function<std::uint64_t()>& bits) const {
  // Kept with this probability, else drawn from all values, its own among them.
  const double kept = intact_ - other_;
  std::vector<Code> perturbed;
  perturbed.reserve(codes.size());
  for (const Code code : codes) {
    const double draw = static_cast<double>(bits() >> 11U) * 0x1.0p-53;
    perturbed.push_back(draw < kept ? code : static_cast<Code>(uniform_below(values_, bits)));
  }
  return perturbed;
}

std::vector<double> RandomisedResponse::unbiased(std::span<const std::uint64_t> released) const {
  const auto total =
      static_cast<double>(std::accumulate(released.begin(), released.end(), std::uint64_t{0}));
  std::vector<double> shares(values_, 1 / static_cast<double>(values_));
  const double kept = intact_ - other_;
  if (total == 0 || kept == 0) return shares;
  for (std::size_t i = 0; i < values_; ++i) {
    shares[i] = (static_cast<double>(released[i]) / total - other_) / kept;
  }
  return shares;
}

// Maximises the sum of N_i log(kept x_i + other) over distributions x. Where x_i > 0 the optimum
// has kept x_i + other = N_i / mu with one mu for all; where N_i / mu is under `other`, x_i is 0.
// Those are the rarest values, so they are dropped one by one until none is left to drop.
std::vector<double> RandomisedResponse::reconstruct(std::span<const std::uint64_t> released) const {
  auto sum =
      static_cast<double>(std::accumulate(released.begin(), released.end(), std::uint64_t{0}));
  const double kept = intact_ - other_;
  if (sum == 0 || kept == 0) return unbiased(released);
  std::vector<std::size_t> order(values_);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return released[a] > released[b]; });
  std::size_t active = values_;
  double mu = sum / (kept + static_cast<double>(active) * other_);
  while (active > 1 && static_cast<double>(released[order[active - 1]]) / mu < other_) {
    sum -= static_cast<double>(released[order[--active]]);
    mu = sum / (kept + static_cast<double>(active) * other_);
  }
  std::vector<double> shares(values_, 0);
  for (std::size_t i = 0; i < active; ++i) {
    shares[order[i]] = (static_cast<double>(released[order[i]]) / mu - other_) / kept;
  }
  return shares;
}

}  // namespace pratique::tables
