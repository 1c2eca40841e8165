#include "pratique/trails/method/overlooked.h"

#include <algorithm>

namespace pratique::trails {
namespace {

std::size_t count_in_both(const std::vector<Id>& a, const std::vector<Id>& b) {
  std::size_t count = 0;
  for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
    if (*left == *right) ++count;
    const bool advance_left = *left <= *right;
    const bool advance_right = *right <= *left;
    if (advance_left) ++left;
    if (advance_right) ++right;
  }
  return count;
}

std::size_t less(std::size_t a, std::size_t b) { return a > b ? a - b : 0; }

}  // namespace

std::size_t overlooked_people(const Holdings& holdings, std::size_t i, std::size_t j) {
  const auto& people_i = holdings.people_at[i];
  const auto& people_j = holdings.people_at[j];
  const auto& samples_i = holdings.samples_at[i];
  const auto& samples_j = holdings.samples_at[j];
  const std::size_t people = count_in_both(people_i, people_j);
  const std::size_t samples = count_in_both(samples_i, samples_j);
  const std::size_t only_i = samples_i.size() - samples;
  const std::size_t only_j = samples_j.size() - samples;
  const std::size_t of_i = less(only_i, people_i.size() - people);  // region 2, at least
  const std::size_t most = std::min(only_j, less(people, of_i + samples));
  return less(most, less(only_j, people_j.size() - people));
}

Overlooked overlooked_people(const Holdings& holdings) {
  Overlooked result;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < holdings.locations(); ++i) {
    for (std::size_t j = 0; j < holdings.locations(); ++j) {
      if (i == j || holdings.samples_at[i].empty() ||
          count_in_both(holdings.people_at[i], holdings.people_at[j]) == 0) {
        continue;
      }
      const std::size_t people = overlooked_people(holdings, i, j);
      ++result.pairs;
      sum += people;
      result.most = std::max(result.most, people);
    }
  }
  if (result.pairs > 0) result.mean = static_cast<double>(sum) / static_cast<double>(result.pairs);
  return result;
}

}  // namespace pratique::trails
