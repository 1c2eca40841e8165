#include "pratique/codes/attack/internal/set_census.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"

namespace pratique::codes {
namespace {

// What follows a code in a set.
struct Rest {
  std::uint32_t set;
  std::span<const Code> codes;
};

class Counter {
 public:
  Counter(const CodeSets& sets, std::uint64_t k)
      : sets_(sets),
        k_(k),
        counts_{std::vector<std::uint32_t>(sets.codes.size()),
                std::vector<std::uint32_t>(sets.codes.size())} {
    census_.singled_out_by.assign(sets.size(), 0);
  }

  // Sets that begin with the code whose rests these are.
  void count(const std::vector<Rest>& rests) { count(rests, 1); }
  SetCensus& census() { return census_; }
  void mark(std::uint32_t set, std::size_t size) {
    auto& smallest = census_.singled_out_by[set];
    if (smallest == 0 || size < smallest) smallest = static_cast<std::uint8_t>(size);
  }

 private:
  // `size` codes are given; counts sets of one more.
  void count(const std::vector<Rest>& rests, std::size_t size) {
    auto& counts = counts_[size - 1];
    auto& seen = seen_[size - 1];
    seen.clear();
    for (const Rest& rest : rests) {
      for (const Code code : rest.codes) {
        if (counts[code] == 0) seen.push_back(code);
        counts[code] += sets_.counts[rest.set];
      }
    }
    bool unique = false;
    for (const Code code : seen) {
      census_.rare[size] += counts[code] < k_ ? 1 : 0;
      unique = unique || counts[code] == 1;
    }
    if (unique) {
      for (const Rest& rest : rests) {
        for (const Code code : rest.codes) {
          if (counts[code] == 1) mark(rest.set, size + 1);
        }
      }
    }
    for (const Code code : seen) counts[code] = 0;
    if (size + 1 < kExactSizes) go_on(rests, size);
  }

  void go_on(const std::vector<Rest>& rests, std::size_t size) {
    std::vector<std::pair<Code, Rest>> next;
    for (const Rest& rest : rests) {
      for (std::size_t i = 0; i < rest.codes.size(); ++i) {
        next.push_back({rest.codes[i], {rest.set, rest.codes.subspan(i + 1)}});
      }
    }
    std::sort(next.begin(), next.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Rest> inside;
    for (std::size_t i = 0; i < next.size();) {
      inside.clear();
      const Code code = next[i].first;
      for (; i < next.size() && next[i].first == code; ++i) inside.push_back(next[i].second);
      count(inside, size + 1);
    }
  }

  const CodeSets& sets_;
  std::uint64_t k_;
  SetCensus census_;
  std::array<std::vector<std::uint32_t>, kExactSizes - 1> counts_;
  std::array<std::vector<Code>, kExactSizes - 1> seen_;
};

std::uint64_t choose_four(std::uint64_t n) {
  return n < 4 ? 0 : n * (n - 1) / 2 * (n - 2) / 3 * (n - 3) / 4;
}

}  // namespace

SetCensus take_census(const CodeSets& sets, std::uint64_t k, Progress& progress) {
  const auto supports = sets.supports();
  std::vector<std::vector<Rest>> rests(sets.codes.size());
  for (std::uint32_t s = 0; s < sets.size(); ++s) {
    const auto set = sets.set(s);
    for (std::size_t i = 0; i < set.size(); ++i) {
      rests[set[i]].push_back({s, set.subspan(i + 1)});
    }
  }
  SetCensus total;
  total.singled_out_by.assign(sets.size(), 0);
  std::mutex mutex;
  progress.begin("counting sets of codes", rests.size());
  parallel_blocks(rests.size(), std::max<std::size_t>(8, rests.size() / 64),
                  [&](std::size_t begin, std::size_t end) {
                    Counter counter(sets, k);
                    for (std::size_t code = begin; code < end; ++code) {
                      counter.census().rare[0] += supports[code] > 0 && supports[code] < k ? 1 : 0;
                      if (supports[code] == 1) counter.mark(rests[code].front().set, 1);
                      counter.count(rests[code]);
                      progress.advance(1);
                    }
                    const std::lock_guard lock(mutex);
                    for (std::size_t i = 0; i < kExactSizes; ++i)
                      total.rare[i] += counter.census().rare[i];
                    for (std::size_t s = 0; s < sets.size(); ++s) {
                      const auto size = counter.census().singled_out_by[s];
                      auto& smallest = total.singled_out_by[s];
                      if (size != 0 && (smallest == 0 || size < smallest)) smallest = size;
                    }
                  });
  return total;
}

bool four_codes_single_out(const CodeSets& sets,
                           const std::vector<std::vector<std::uint32_t>>& with, std::uint32_t set,
                           std::uint64_t seed) {
  constexpr std::size_t kLargest = 60;
  constexpr int kTries = 4000;
  const auto own = sets.set(set);
  if (own.size() < 4 || sets.counts[set] > 1) return false;
  // What every other set shares with this one: positions in it.
  std::unordered_map<std::uint32_t, std::vector<std::uint8_t>> shared;
  if (own.size() <= kLargest) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      for (const auto other : with[own[i]]) {
        if (other != set) shared[other].push_back(static_cast<std::uint8_t>(i));
      }
    }
    std::unordered_set<std::uint32_t> taken;
    for (const auto& [other, places] : shared) {
      const std::size_t n = places.size();
      for (std::size_t a = 0; a + 3 < n; ++a) {
        for (std::size_t b = a + 1; b + 2 < n; ++b) {
          for (std::size_t c = b + 1; c + 1 < n; ++c) {
            for (std::size_t d = c + 1; d < n; ++d) {
              taken.insert((places[a] << 24U) | (places[b] << 16U) | (places[c] << 8U) | places[d]);
            }
          }
        }
      }
      if (taken.size() == choose_four(own.size())) return false;
    }
    return true;
  }
  SeededRandom random(seed, set);
  for (int i = 0; i < kTries; ++i) {
    std::vector<Code> four;
    while (four.size() < 4) {
      const Code code = own[random.below(own.size())];
      if (std::find(four.begin(), four.end(), code) == four.end()) four.push_back(code);
    }
    std::sort(four.begin(), four.end());
    const auto rarest = *std::min_element(
        four.begin(), four.end(), [&](Code a, Code b) { return with[a].size() < with[b].size(); });
    const bool alone =
        std::none_of(with[rarest].begin(), with[rarest].end(), [&](std::uint32_t other) {
          const auto codes = sets.set(other);
          return other != set &&
                 std::includes(codes.begin(), codes.end(), four.begin(), four.end());
        });
    if (alone) return true;
  }
  return false;
}

}  // namespace pratique::codes
