#include "pratique/core/jaro_winkler.h"

#include <algorithm>
#include <vector>

namespace pratique {
namespace {

constexpr double kPrefixScale = 0.1;
constexpr std::size_t kLongestPrefix = 4;

}  // namespace

double jaro(std::string_view a, std::string_view b) {
  if (a == b) return 1;
  if (a.empty() || b.empty()) return 0;
  const std::size_t longest = std::max(a.size(), b.size());
  const std::size_t window = longest < 4 ? 0 : longest / 2 - 1;
  // Kept between calls: millions of short comparisons should not allocate.
  thread_local std::vector<char> b_taken;
  thread_local std::vector<char> shared;  // of a, in order
  b_taken.assign(b.size(), 0);
  shared.clear();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t end = std::min(b.size(), i + window + 1);
    for (std::size_t j = i > window ? i - window : 0; j < end; ++j) {
      if (b_taken[j] != 0 || a[i] != b[j]) continue;
      b_taken[j] = 1;
      shared.push_back(a[i]);
      break;
    }
  }
  if (shared.empty()) return 0;
  std::size_t out_of_order = 0;
  std::size_t next = 0;
  for (std::size_t j = 0; j < b.size(); ++j) {
    if (b_taken[j] != 0 && shared[next++] != b[j]) ++out_of_order;
  }
  const auto common = static_cast<double>(shared.size());
  const auto transposed = static_cast<double>(out_of_order / 2);
  return (common / static_cast<double>(a.size()) + common / static_cast<double>(b.size()) +
          (common - transposed) / common) /
         3;
}

double jaro_winkler(std::string_view a, std::string_view b) {
  const double plain = jaro(a, b);
  const std::size_t most = std::min({a.size(), b.size(), kLongestPrefix});
  std::size_t prefix = 0;
  while (prefix < most && a[prefix] == b[prefix]) ++prefix;
  return plain + static_cast<double>(prefix) * kPrefixScale * (1 - plain);
}

}  // namespace pratique
