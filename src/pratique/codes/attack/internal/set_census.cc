#include "pratique/codes/attack/internal/set_census.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <unordered_map>

#include "pratique/core/parallel.h"

namespace pratique::codes {
namespace {

// What follows a code in a set.
struct Rest {
  std::uint32_t set;
  std::span<const Code> codes;
};

class Counter {
 public:
  Counter(const CodeSets& sets, std::uint64_t k, std::size_t exact)
      : sets_(sets),
        k_(k),
        exact_(exact),
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
      census_.sets_counted += rest.codes.size();
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
    if (size + 1 < exact_) go_on(rests, size);
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
  std::size_t exact_;
  SetCensus census_;
  std::array<std::vector<std::uint32_t>, kMostExactSizes - 1> counts_;
  std::array<std::vector<Code>, kMostExactSizes - 1> seen_;
};

std::uint64_t triples_in(const CodeSets& sets) {
  std::uint64_t triples = 0;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const std::uint64_t n = sets.set(s).size();
    if (n > 2) triples += n * (n - 1) / 2 * (n - 2) / 3;
  }
  return triples;
}

// A bit for each code of the record that is looked at.
using Shared = std::vector<std::uint64_t>;

bool has_bit(const Shared& shared, std::size_t at) {
  return (shared[at / 64] >> (at % 64) & 1U) != 0;
}

std::size_t bits_in(const Shared& shared) {
  std::size_t bits = 0;
  for (const auto word : shared) bits += static_cast<std::size_t>(std::popcount(word));
  return bits;
}

// Chooses codes such that no other record shares them all.
class HittingSearch {
 public:
  HittingSearch(std::size_t codes, std::vector<Shared> others)
      : codes_(codes), others_(std::move(others)), forbidden_(codes, false) {
    // Whoever shares most is the hardest to tell apart, and comes first.
    std::sort(others_.begin(), others_.end(), [](const Shared& a, const Shared& b) {
      const auto in_a = bits_in(a);
      const auto in_b = bits_in(b);
      return in_a != in_b ? in_a > in_b : a < b;
    });
    others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
  }

  // Whether `size` codes do; nothing where it was not found out.
  std::optional<bool> possible(std::size_t size) {
    std::vector<const Shared*> all;
    for (const auto& other : others_) {
      if (bits_in(other) >= size) all.push_back(&other);
    }
    std::fill(forbidden_.begin(), forbidden_.end(), false);
    const bool hit = choose(all, size);
    if (!hit && left_ <= 0) return std::nullopt;
    return hit;
  }

 private:
  // Those of `remaining` share all codes chosen so far.
  bool choose(const std::vector<const Shared*>& remaining, std::size_t more) {
    if (remaining.empty()) return true;
    if (more == 0 || left_ <= 0) return false;
    const Shared& nearest = *remaining.front();
    std::vector<std::size_t> tried;
    bool hit = false;
    for (std::size_t code = 0; code < codes_ && !hit; ++code) {
      if (has_bit(nearest, code) || forbidden_[code]) continue;
      std::vector<const Shared*> inside;
      for (const auto* other : remaining) {
        if (has_bit(*other, code)) inside.push_back(other);
      }
      left_ -= static_cast<std::int64_t>(remaining.size());
      hit = choose(inside, more - 1);
      // Every set with this code was tried.
      forbidden_[code] = true;
      tried.push_back(code);
    }
    for (const auto code : tried) forbidden_[code] = false;
    return hit;
  }

  std::size_t codes_;
  std::vector<Shared> others_;
  std::vector<bool> forbidden_;
  std::int64_t left_ = 50'000'000;  // records to look at
};

}  // namespace

SetCensus take_census(const CodeSets& sets, std::uint64_t k, Progress& progress,
                      std::uint64_t most_triples) {
  const auto supports = sets.supports();
  std::vector<std::vector<Rest>> rests(sets.codes.size());
  for (std::uint32_t s = 0; s < sets.size(); ++s) {
    const auto set = sets.set(s);
    for (std::size_t i = 0; i < set.size(); ++i) {
      rests[set[i]].push_back({s, set.subspan(i + 1)});
    }
  }
  SetCensus total;
  if (triples_in(sets) > most_triples) total.exact = 2;
  total.singled_out_by.assign(sets.size(), 0);
  std::mutex mutex;
  progress.begin("counting sets of codes", rests.size());
  parallel_blocks(rests.size(), std::max<std::size_t>(8, rests.size() / 64),
                  [&](std::size_t begin, std::size_t end) {
                    Counter counter(sets, k, total.exact);
                    for (std::size_t code = begin; code < end; ++code) {
                      counter.census().rare[0] += supports[code] > 0 && supports[code] < k ? 1 : 0;
                      if (supports[code] == 1) counter.mark(rests[code].front().set, 1);
                      counter.count(rests[code]);
                      progress.advance(1);
                    }
                    const std::lock_guard lock(mutex);
                    total.sets_counted += counter.census().sets_counted;
                    for (std::size_t i = 0; i < total.exact; ++i)
                      total.rare[i] += counter.census().rare[i];
                    for (std::size_t s = 0; s < sets.size(); ++s) {
                      const auto size = counter.census().singled_out_by[s];
                      auto& smallest = total.singled_out_by[s];
                      if (size != 0 && (smallest == 0 || size < smallest)) smallest = size;
                    }
                  });
  return total;
}

std::optional<std::size_t> fewest_that_single_out(
    const CodeSets& sets, const std::vector<std::vector<std::uint32_t>>& with, std::uint32_t set,
    std::size_t least, std::size_t most) {
  const auto own = sets.set(set);
  if (own.size() < least || sets.counts[set] > 1) return 0;
  std::unordered_map<std::uint32_t, Shared> shared;
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (const auto other : with[own[i]]) {
      if (other == set) continue;
      auto& bits = shared[other];
      bits.resize((own.size() + 63) / 64, 0);
      bits[i / 64] |= std::uint64_t{1} << (i % 64);
    }
  }
  std::vector<Shared> others;
  others.reserve(shared.size());
  for (auto& [other, bits] : shared) others.push_back(std::move(bits));
  HittingSearch search(own.size(), std::move(others));
  for (std::size_t size = least; size <= std::min(most, own.size()); ++size) {
    const auto possible = search.possible(size);
    if (!possible) return std::nullopt;
    if (*possible) return size;
  }
  return 0;
}

}  // namespace pratique::codes
