#include "pratique/dp/accounting/privacy_loss.h"

#include <algorithm>
#include <cmath>

#include "pratique/core/error.h"

namespace pratique::dp {

Delta Delta::from(double value) {
  if (!(value >= 0 && value < 1)) {
    throw Error::input("delta must be at least 0 and below 1")
        .hint("Choose it well below 1 / the number of people, such as 1e-6.");
  }
  return {static_cast<std::uint64_t>(std::llround(value * static_cast<double>(kPerUnit)))};
}

PrivacyLoss sequential(std::span<const PrivacyLoss> losses) {
  PrivacyLoss total;
  for (const auto& loss : losses) {
    total = {total.epsilon + loss.epsilon, total.delta + loss.delta};
  }
  return total;
}

PrivacyLoss parallel(std::span<const PrivacyLoss> losses) {
  PrivacyLoss dearest;
  for (const auto& loss : losses) {
    dearest = {std::max(dearest.epsilon, loss.epsilon), std::max(dearest.delta, loss.delta)};
  }
  return dearest;
}

bool PrivacyFilter::admit(const PrivacyLoss& loss) {
  if (!loss.within(left())) return false;
  spent_ = {spent_.epsilon + loss.epsilon, spent_.delta + loss.delta};
  return true;
}

PrivacyLoss PrivacyFilter::left() const {
  return {limit_.epsilon - spent_.epsilon, limit_.delta - spent_.delta};
}

Epsilon choose_epsilon(double prior, double factor, std::uint64_t queries) {
  if (!(prior > 0 && prior < 1)) throw Error::input("the prior must be above 0 and below 1");
  if (!(factor > 1)) throw Error::input("the posterior factor must be above 1");
  if (queries == 0) throw Error::input("there must be at least one query");
  const double bound = std::min(std::log(factor), -std::log(prior)) / static_cast<double>(queries);
  const double steps = std::ceil(bound * static_cast<double>(Epsilon::kPerUnit)) - 1;
  if (!(steps >= 1)) {
    throw Error::input("no epsilon is small enough for that many queries")
        .hint("Allow a larger posterior factor, or fewer queries.");
  }
  return {static_cast<std::uint64_t>(steps)};
}

}  // namespace pratique::dp
