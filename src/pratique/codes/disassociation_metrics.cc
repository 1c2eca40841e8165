#include <algorithm>
#include <mutex>
#include <optional>
#include <span>

#include "pratique/codes/disassociation.h"
#include "pratique/codes/metrics.h"
#include "pratique/core/parallel.h"

namespace pratique::codes {
namespace {

// Which parts of a chunk have each code.
class PartIndex {
 public:
  explicit PartIndex(const CodeChunk& chunk) {
    for (std::uint32_t p = 0; p < chunk.parts.size(); ++p) {
      for (const Code code : chunk.parts[p]) with_.emplace_back(code, p);
    }
    std::sort(with_.begin(), with_.end());
  }

  [[nodiscard]] std::vector<std::uint32_t> with(Code code) const {
    std::vector<std::uint32_t> parts;
    for (auto i = std::lower_bound(with_.begin(), with_.end(), std::pair(code, 0U));
         i != with_.end() && i->first == code; ++i) {
      parts.push_back(i->second);
    }
    return parts;
  }

  // Parts with all of the codes that this chunk has at all; nothing when it has none of them.
  [[nodiscard]] std::optional<std::uint64_t> with_all(std::span<const Code> codes) const {
    std::optional<std::vector<std::uint32_t>> all;
    for (const Code code : codes) {
      auto parts = with(code);
      if (parts.empty()) continue;
      if (all) {
        std::vector<std::uint32_t> both;
        std::ranges::set_intersection(*all, parts, std::back_inserter(both));
        parts = std::move(both);
      }
      all = std::move(parts);
    }
    return all ? std::optional<std::uint64_t>(all->size()) : std::nullopt;
  }

  [[nodiscard]] const std::vector<std::pair<Code, std::uint32_t>>& all() const { return with_; }

 private:
  std::vector<std::pair<Code, std::uint32_t>> with_;
};

std::vector<PartIndex> index_of(const std::vector<CodeChunk>& chunks) {
  return {chunks.begin(), chunks.end()};
}

// In a cluster, the chunk of a code and the share of records expected to have it.
struct Place {
  std::uint32_t cluster;
  std::uint32_t chunk;  // kItems: the item chunk
  double share;
};
constexpr std::uint32_t kItems = 0xffffffffU;

class ExpectedCounts {
 public:
  explicit ExpectedCounts(const DisassociatedSets& release) : places_(release.codes.size()) {
    for (const auto& joint : release.joints) {
      const std::uint32_t first = static_cast<std::uint32_t>(sizes_.size());
      for (const auto& cluster : joint.clusters) {
        sizes_.push_back(static_cast<double>(cluster.records));
        const auto number = static_cast<std::uint32_t>(sizes_.size() - 1);
        for (const Code code : cluster.items) {
          places_[code].push_back({number, kItems, 1 / sizes_.back()});
        }
        for (const auto& chunk : cluster.chunks) add(chunk, number, number + 1);
      }
      for (const auto& chunk : joint.shared) {
        add(chunk, first, static_cast<std::uint32_t>(sizes_.size()));
      }
    }
    for (auto& places : places_) {
      std::sort(places.begin(), places.end(),
                [](const Place& a, const Place& b) { return a.cluster < b.cluster; });
    }
  }

  [[nodiscard]] double expected(Code first, Code second) const {
    double total = 0;
    const auto& others = places_[second];
    auto other = others.begin();
    for (const Place& one : places_[first]) {
      while (other != others.end() && other->cluster < one.cluster) ++other;
      if (other == others.end()) break;
      if (other->cluster != one.cluster) continue;
      if (first == second) {
        total += one.share * sizes_[one.cluster];
      } else if (one.chunk == kItems || one.chunk != other->chunk) {
        total += one.share * other->share * sizes_[one.cluster];
      } else {
        const Code both[] = {first, second};
        total += static_cast<double>(*chunks_[one.chunk].with_all(both)) / records_[one.chunk] *
                 sizes_[one.cluster];
      }
    }
    return total;
  }

 private:
  // A chunk of the clusters [first, last).
  void add(const CodeChunk& chunk, std::uint32_t first, std::uint32_t last) {
    const auto number = static_cast<std::uint32_t>(chunks_.size());
    chunks_.emplace_back(chunk);
    double records = 0;
    for (std::uint32_t c = first; c < last; ++c) records += sizes_[c];
    records_.push_back(records);
    const auto& with = chunks_.back().all();
    for (std::size_t begin = 0, end = 0; begin < with.size(); begin = end) {
      while (end < with.size() && with[end].first == with[begin].first) ++end;
      const double share = static_cast<double>(end - begin) / records;
      for (std::uint32_t c = first; c < last; ++c) {
        places_[with[begin].first].push_back({c, number, share});
      }
    }
  }

  std::vector<double> sizes_;               // records by cluster
  std::vector<std::vector<Place>> places_;  // by code, ascending by cluster
  std::vector<PartIndex> chunks_;
  std::vector<double> records_;  // by chunk
};

}  // namespace

double expected_count(const DisassociatedSets& release, Code first, Code second) {
  return ExpectedCounts(release).expected(first, second);
}

DisassociationMetrics measure(const CodeSets& sets, const Disassociation& made,
                              Progress& progress) {
  progress.begin("measuring what was lost", 0);
  DisassociationMetrics metrics;
  double counted = 0;
  double pairs = 0;
  const auto look_at = [&](const std::vector<CodeChunk>& chunks) {
    for (const auto& chunk : chunks) {
      for (const auto& part : chunk.parts) {
        const auto size = static_cast<double>(part.size());
        counted += size;
        pairs += size * (size - 1) / 2;
      }
    }
  };
  metrics.joint_clusters = made.release.joints.size();
  for (const auto& joint : made.release.joints) {
    metrics.clusters += joint.clusters.size();
    metrics.shared_chunks += joint.shared.size();
    look_at(joint.shared);
    for (const auto& cluster : joint.clusters) {
      metrics.chunks += cluster.chunks.size();
      look_at(cluster.chunks);
    }
  }
  double all_pairs = 0;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const auto size = static_cast<double>(sets.set(s).size());
    all_pairs += size * (size - 1) / 2 * sets.counts[s];
  }
  metrics.occurrences_counted = counted / static_cast<double>(sets.occurrences());
  metrics.pairs_kept = all_pairs == 0 ? 1 : pairs / all_pairs;
  const ExpectedCounts counts(made.release);
  std::vector<Code> released(sets.codes.size());
  for (Code code = 0; code < released.size(); ++code) {
    released[code] = *made.release.codes.find(sets.codes.value(code));
  }
  metrics.are = mean_relative_error(sets, [&](std::span<const Code> codes) {
    return counts.expected(released[codes.front()], released[codes.back()]);
  });
  return metrics;
}

Exposure expose(const Disassociation& made, const CodeSets& sets, std::uint64_t k, std::size_t most,
                Progress& progress) {
  const auto supports = sets.supports();
  std::vector<Code> released(sets.codes.size());
  for (Code code = 0; code < released.size(); ++code) {
    released[code] = *made.release.codes.find(sets.codes.value(code));
  }
  Exposure total;
  std::mutex mutex;
  progress.begin("attacking", made.members.size());
  parallel_blocks(made.members.size(), 1, [&](std::size_t begin, std::size_t end) {
    Exposure here;
    for (std::size_t j = begin; j < end; ++j) {
      const JointCluster& joint = made.release.joints[j];
      const auto shared = index_of(joint.shared);
      for (std::size_t c = 0; c < joint.clusters.size(); ++c) {
        const auto own = index_of(joint.clusters[c].chunks);
        for (const auto s : made.members[j][c]) {
          std::vector<Code> known(sets.set(s).begin(), sets.set(s).end());
          std::sort(known.begin(), known.end(), [&](Code a, Code b) {
            return supports[a] != supports[b] ? supports[a] < supports[b] : a < b;
          });
          known.resize(std::min(known.size(), most));
          for (Code& code : known) code = released[code];
          std::uint64_t found = joint.clusters[c].records;
          for (const auto* chunks : {&own, &shared}) {
            for (const auto& chunk : *chunks) {
              found = std::min(found, chunk.with_all(known).value_or(found));
            }
          }
          ++here.targets;
          if (found < k) ++here.matched_under_k;
          if (found == 1) ++here.reidentified;
        }
      }
    }
    progress.advance(end - begin);
    const std::lock_guard lock(mutex);
    total.targets += here.targets;
    total.matched_under_k += here.matched_under_k;
    total.reidentified += here.reidentified;
  });
  return total;
}

}  // namespace pratique::codes
