#include "pratique/consortium/guarded_list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "pratique/core/error.h"
#include "pratique/crypto/hash.h"
#include "pratique/crypto/random.h"

namespace pratique::consortium {
namespace {

constexpr std::uint32_t kCommon = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kDummy = kCommon - 1;

Point random_point() { return Scalar::random() * Point::generator(); }

}  // namespace

std::vector<std::uint32_t> secret_order(std::size_t size) {
  std::vector<std::uint32_t> order(size);
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  for (std::size_t i = size; i > 1; --i)  // the bias of % is below 2^-40
    std::swap(order[i - 1], order[secure_u64() % i]);
  return order;
}

Points multiplied(const Scalar& number, const Points& points) {
  Points result;
  result.reserve(points.size());
  for (const Point& point : points) result.push_back(number * point);
  return result;
}

GuardedList::GuardedList(const Points& records, const Point& common, std::size_t dummies) {
  Points all = records;
  all.push_back(common);
  for (std::size_t i = 0; i < dummies; ++i) all.push_back(random_point());
  for (const std::uint32_t place : secret_order(all.size())) {
    plain_.push_back(all[place]);
    of_.push_back(place < records.size() ? place : place == records.size() ? kCommon : kDummy);
  }
}

Points GuardedList::blinded(const Scalar& key) const { return multiplied(key * blind_, plain_); }

bool GuardedList::take_encrypted(const Points& points) {
  if (points.size() != plain_.size()) return false;
  encrypted_ = multiplied(blind_.inverse(), points);
  return true;
}

Points GuardedList::question() {
  order_ = secret_order(encrypted_.size());
  check_ = Scalar::random();
  Points asked;
  asked.reserve(order_.size());
  for (const std::uint32_t place : order_) asked.push_back(check_ * encrypted_[place]);
  return asked;
}

bool GuardedList::is_answered(const Points& lowered, const Scalar& key) const {
  if (lowered.size() != order_.size()) return false;
  const Scalar left = key * check_;  // of what is on it now
  for (std::size_t i = 0; i < order_.size(); ++i)
    if (lowered[i] != left * plain_[order_[i]]) return false;
  return true;
}

Points GuardedList::submission() const {
  Points points;
  for (std::size_t i = 0; i < of_.size(); ++i)
    if (of_[i] == kCommon) points.push_back(encrypted_[i]);
  for (std::size_t i = 0; i < of_.size(); ++i)
    if (of_[i] < kDummy) points.push_back(encrypted_[i]);
  return points;
}

std::vector<std::uint32_t> GuardedList::submitted() const {
  std::vector<std::uint32_t> places;
  for (const std::uint32_t place : of_)
    if (place < kDummy) places.push_back(place);
  return places;
}

LockSet::LockSet(std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) plain_.push_back(random_point());
}

Points LockSet::blinded() const { return multiplied(blind_, plain_); }

bool LockSet::take_encrypted(const Points& points) {
  if (points.size() != plain_.size()) return false;
  encrypted_ = multiplied(blind_.inverse(), points);
  return true;
}

LockSet::Locked LockSet::lock(const Points& returned) const {
  const Scalar number = Scalar::random();
  Points all = returned;
  all.insert(all.end(), encrypted_.begin(), encrypted_.end());
  Locked locked{{}, multiplied(number, plain_), number.inverse()};
  for (const std::uint32_t place : secret_order(all.size()))
    locked.mixed.push_back(number * all[place]);
  return locked;
}

std::optional<Points> honestly_decrypted(const Points& decrypted, const Points& dummies) {
  std::set<Point> missing(dummies.begin(), dummies.end());
  Points records;
  for (const Point& point : decrypted)
    if (missing.erase(point) == 0) records.push_back(point);
  if (!missing.empty()) return std::nullopt;
  return records;
}

GuardPlan cost_of_guards(std::uint64_t sites, std::uint64_t records, std::uint64_t returned,
                         std::uint64_t rounds, std::uint64_t dummies, std::uint64_t lock) {
  const std::uint64_t sent = records + dummies + 1;
  const std::uint64_t back = returned + lock;
  GuardPlan plan{records, rounds, dummies, lock};
  plan.bandwidth = 2 * sent * (sites - 1) + 2 * back * (sites - 1) + sent + back + lock +
                   2 * rounds * sent * (sites - 1);
  plan.key_switch_found = 1 - std::pow(static_cast<double>(sent), -static_cast<double>(rounds));
  plan.grab_found =
      returned == 0 ? 1 : static_cast<double>(lock) / static_cast<double>(returned + lock);
  return plan;
}

GuardPlan plan_guards(std::uint64_t sites, std::uint64_t records, std::uint64_t returned,
                      double confidence) {
  const double missed = 1 - confidence;
  // |return| / (|return| + lock) <= missed.
  auto lock = static_cast<std::uint64_t>(
      std::max(0.0, std::ceil(static_cast<double>(returned) * confidence / missed - 1e-6)));
  if (returned == 0) lock = 0;
  std::optional<GuardPlan> best;
  for (std::uint64_t rounds = 1; rounds <= 64; ++rounds) {
    // The smallest list with size^-rounds <= missed.
    const double least = std::pow(missed, -1.0 / static_cast<double>(rounds));
    const auto size = static_cast<std::uint64_t>(std::ceil(least - 1e-9));
    const std::uint64_t dummies = size > records + 1 ? size - records - 1 : 0;
    const auto plan = cost_of_guards(sites, records, returned, rounds, dummies, lock);
    if (plan.key_switch_found + 1e-12 < confidence) continue;
    if (!best || plan.bandwidth < best->bandwidth) best = plan;
    if (dummies == 0) break;  // more rounds cost more
  }
  if (!best) throw Error::input("no number of check rounds makes anybody so sure");
  return *best;
}

}  // namespace pratique::consortium
