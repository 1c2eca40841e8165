#include "pratique/codes/metric/disassociation_metrics.h"

#include <algorithm>
#include <mutex>
#include <span>

#include "pratique/codes/attack/rarity.h"
#include "pratique/codes/metric/metrics.h"
#include "pratique/core/parallel.h"

namespace pratique::codes {
namespace {

using Parts = std::span<const std::uint32_t>;

// Which parts of a chunk have each code.
class PartIndex {
 public:
  explicit PartIndex(const CodeChunk& chunk) {
    std::vector<std::pair<Code, std::uint32_t>> with;
    for (std::uint32_t p = 0; p < chunk.parts.size(); ++p) {
      for (const Code code : chunk.parts[p]) with.emplace_back(code, p);
    }
    std::sort(with.begin(), with.end());
    for (const auto& [code, part] : with) {
      if (codes_.empty() || codes_.back() != code) {
        codes_.push_back(code);
        first_.push_back(parts_.size());
      }
      parts_.push_back(part);
    }
    first_.push_back(parts_.size());
  }

  [[nodiscard]] const std::vector<Code>& codes() const { return codes_; }
  // Of the code at an index of codes(), ascending.
  [[nodiscard]] Parts with(std::size_t index) const {
    return std::span(parts_).subspan(first_[index], first_[index + 1] - first_[index]);
  }
  [[nodiscard]] Parts with_code(Code code) const {
    const auto place = std::lower_bound(codes_.begin(), codes_.end(), code);
    return with(static_cast<std::size_t>(place - codes_.begin()));
  }

 private:
  std::vector<Code> codes_;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> parts_;
};

// Parts that are in all of the lists.
std::uint64_t count_common(std::span<Parts> lists) {
  std::sort(lists.begin(), lists.end(),
            [](const Parts& a, const Parts& b) { return a.size() < b.size(); });
  return static_cast<std::uint64_t>(
      std::count_if(lists.front().begin(), lists.front().end(), [&](std::uint32_t part) {
        return std::all_of(lists.begin() + 1, lists.end(), [&](const Parts& other) {
          return std::binary_search(other.begin(), other.end(), part);
        });
      }));
}

std::vector<PartIndex> index_of(const std::vector<CodeChunk>& chunks) {
  return {chunks.begin(), chunks.end()};
}

// The chunks of one cluster, its own and shared ones, by the codes that an adversary may know.
class KnownParts {
 public:
  explicit KnownParts(std::size_t codes) : place_(codes) {}

  void look_in(const std::vector<PartIndex>& own, const std::vector<PartIndex>& shared) {
    for (const Code code : named_) place_[code] = {};
    named_.clear();
    std::uint32_t number = 0;
    for (const auto* chunks : {&own, &shared}) {
      for (const auto& chunk : *chunks) {
        for (std::size_t i = 0; i < chunk.codes().size(); ++i) {
          place_[chunk.codes()[i]] = {number, chunk.with(i)};
          named_.push_back(chunk.codes()[i]);
        }
        ++number;
      }
    }
  }

  // Of the chunks with some of the codes, the fewest parts that have all of these; `records` when
  // no chunk has any.
  [[nodiscard]] std::uint64_t fewest_with(std::span<const Code> codes, std::uint64_t records) {
    known_.clear();
    for (const Code code : codes) {
      if (!place_[code].parts.empty()) known_.push_back(place_[code]);
    }
    std::sort(known_.begin(), known_.end(),
              [](const Place& a, const Place& b) { return a.chunk < b.chunk; });
    for (std::size_t i = 0; i < known_.size();) {
      lists_.clear();
      const auto chunk = known_[i].chunk;
      for (; i < known_.size() && known_[i].chunk == chunk; ++i) lists_.push_back(known_[i].parts);
      records = std::min(records, count_common(lists_));
    }
    return records;
  }

 private:
  struct Place {
    std::uint32_t chunk = 0;
    Parts parts = {};  // none: in no chunk
  };
  std::vector<Place> place_;  // by code
  std::vector<Code> named_;
  std::vector<Place> known_;
  std::vector<Parts> lists_;
};

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
    for (const Place& place : places_[first]) {
      while (other != others.end() && other->cluster < place.cluster) ++other;
      if (other == others.end()) break;
      if (other->cluster != place.cluster) continue;
      if (first == second) {
        total += place.share * sizes_[place.cluster];
      } else if (place.chunk == kItems || place.chunk != other->chunk) {
        total += place.share * other->share * sizes_[place.cluster];
      } else {
        const PartIndex& chunk = chunks_[place.chunk];
        Parts both[] = {chunk.with_code(first), chunk.with_code(second)};
        total +=
            static_cast<double>(count_common(both)) / records_[place.chunk] * sizes_[place.cluster];
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
    const PartIndex& index = chunks_.back();
    for (std::size_t i = 0; i < index.codes().size(); ++i) {
      const double share = static_cast<double>(index.with(i).size()) / records;
      for (std::uint32_t c = first; c < last; ++c) {
        places_[index.codes()[i]].push_back({c, number, share});
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

DisassociationMetrics measure(const CodeSets& sets, const Disassociation& disassociation,
                              Progress& progress, const Workload& workload) {
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
  metrics.joint_clusters = disassociation.release.joints.size();
  for (const auto& joint : disassociation.release.joints) {
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
  const ExpectedCounts counts(disassociation.release);
  std::vector<Code> released(sets.codes.size());
  for (Code code = 0; code < released.size(); ++code) {
    released[code] = *disassociation.release.codes.find(sets.codes.value(code));
  }
  metrics.are = mean_relative_errors(sets, workload, 1,
                                     [&](std::span<const Code> codes, std::span<double> answers) {
                                       answers[0] = counts.expected(released[codes.front()],
                                                                    released[codes.back()]);
                                     })
                    .front();
  return metrics;
}

Exposure expose(const Disassociation& disassociation, const CodeSets& sets, std::uint64_t k,
                std::size_t most, Progress& progress) {
  const auto rarity = rarity_of(sets);
  std::vector<Code> released(sets.codes.size());
  for (Code code = 0; code < released.size(); ++code) {
    released[code] = *disassociation.release.codes.find(sets.codes.value(code));
  }
  Exposure total;
  std::mutex mutex;
  progress.begin("attacking", disassociation.members.size());
  parallel_blocks(disassociation.members.size(), 1, [&](std::size_t begin, std::size_t end) {
    Exposure here;
    std::vector<Code> known;
    KnownParts parts(sets.codes.size());
    for (std::size_t j = begin; j < end; ++j) {
      const JointCluster& joint = disassociation.release.joints[j];
      const auto shared = index_of(joint.shared);
      for (std::size_t c = 0; c < joint.clusters.size(); ++c) {
        const auto own = index_of(joint.clusters[c].chunks);
        parts.look_in(own, shared);
        for (const auto s : disassociation.members[j][c]) {
          known.assign(sets.set(s).begin(), sets.set(s).end());
          const std::size_t kept = std::min(known.size(), most);
          std::partial_sort(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(kept),
                            known.end(), [&](Code a, Code b) { return rarity[a] < rarity[b]; });
          known.resize(kept);
          for (Code& code : known) code = released[code];
          const std::uint64_t matches = parts.fewest_with(known, joint.clusters[c].records);
          ++here.targets;
          if (matches < k) ++here.matched_under_k;
          if (matches == 1) ++here.reidentified;
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
