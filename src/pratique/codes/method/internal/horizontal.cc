#include "pratique/codes/method/internal/horizontal.h"

#include <queue>
#include <utility>

namespace pratique::codes {
namespace {

using Records = std::vector<std::uint32_t>;

class Clusterer {
 public:
  Clusterer(const RankedRecords& records, std::size_t codes, std::uint64_t k, std::uint64_t most,
            Progress& progress)
      : records_(records),
        k_(k),
        most_(most),
        progress_(progress),
        used_(codes, false),
        local_(codes, 0),
        gone_(records.size(), false) {}

  std::vector<Records> clusters;

  void split(const Records& inside) {
    if (inside.size() < most_) return emit(inside);
    // Records with each code that has not been used yet.
    std::vector<Code> codes;
    for (const auto r : inside) {
      for (const Code code : records_[r]) {
        if (!used_[code] && local_[code]++ == 0) codes.push_back(code);
      }
    }
    std::vector<Records> with(codes.size());
    for (std::uint32_t i = 0; i < codes.size(); ++i) {
      with[i].reserve(local_[codes[i]]);
      local_[codes[i]] = i;
    }
    for (const auto r : inside) {
      for (const Code code : records_[r]) {
        if (!used_[code]) with[local_[code]].push_back(r);
      }
    }
    for (const Code code : codes) local_[code] = 0;

    // The most frequent first; among equals the first in order. Counts only fall.
    std::priority_queue<std::pair<std::size_t, std::pair<Code, std::uint32_t>>> queue;
    for (std::uint32_t i = 0; i < codes.size(); ++i) {
      queue.push({with[i].size(), {~codes[i], i}});
    }
    std::size_t alive = inside.size();
    while (alive >= most_ && !queue.empty()) {
      const auto [count, which] = queue.top();
      queue.pop();
      Records& having = with[which.second];
      std::erase_if(having, [&](std::uint32_t r) { return gone_[r]; });
      if (having.size() < count) {
        queue.push({having.size(), which});
        continue;
      }
      if (count < k_) break;
      const Code code = codes[which.second];
      // A rest that is too small to stand alone stays with these.
      if (alive - count < k_) having = rest_of(inside);
      alive -= having.size();
      used_[code] = true;
      split(having);
      used_[code] = false;
      for (const auto r : having) gone_[r] = true;
    }
    const Records rest = rest_of(inside);
    for (const auto r : inside) gone_[r] = false;
    const std::size_t blocks = rest.size() / most_ + 1;
    for (std::size_t b = 0; b < blocks && !rest.empty(); ++b) {
      emit({rest.begin() + static_cast<std::ptrdiff_t>(b * rest.size() / blocks),
            rest.begin() + static_cast<std::ptrdiff_t>((b + 1) * rest.size() / blocks)});
    }
  }

 private:
  Records rest_of(const Records& inside) const {
    Records rest;
    for (const auto r : inside) {
      if (!gone_[r]) rest.push_back(r);
    }
    return rest;
  }

  void emit(Records cluster) {
    progress_.advance(cluster.size());
    clusters.push_back(std::move(cluster));
  }

  const RankedRecords& records_;
  std::uint64_t k_;
  std::uint64_t most_;
  Progress& progress_;
  std::vector<bool> used_;            // codes that all records here have
  std::vector<std::uint32_t> local_;  // by code; 0 between uses
  std::vector<bool> gone_;            // records that went to a cluster, while their part is split
};

}  // namespace

std::vector<std::vector<std::uint32_t>> cluster_records(const RankedRecords& records,
                                                        std::size_t codes, std::uint64_t k,
                                                        std::uint64_t most, Progress& progress) {
  progress.begin("clustering records", records.size());
  Clusterer clusterer(records, codes, k, most, progress);
  Records all(records.size());
  for (std::uint32_t r = 0; r < all.size(); ++r) all[r] = r;
  clusterer.split(all);
  return std::move(clusterer.clusters);
}

}  // namespace pratique::codes
