#include "pratique/codes/method/disassociation.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "pratique/codes/method/internal/chunks.h"
#include "pratique/codes/method/internal/horizontal.h"
#include "pratique/core/parallel.h"

namespace pratique::codes {
namespace {

using Records = std::vector<std::uint32_t>;

constexpr std::uint64_t kClusterSize = 10;  // times k
constexpr std::uint32_t kNobody = 0xffffffffU;
constexpr std::uint64_t kJointRecords = 4096;  // the cost of shared chunks grows with the square

struct Support {
  Code code;
  std::uint32_t records;
};

// A cluster before its parts are written down.
struct Draft {
  Records records;
  std::vector<std::vector<Code>> chunks;
  std::vector<Support> items;    // ascending by code
  bool chunks_fill_all = false;  // the item chunk may be empty
};

// Clusters that are neighbours: [first, last).
struct Joint {
  std::size_t first;
  std::size_t last;
  std::uint64_t records;
  std::vector<Support> items;  // of the item chunks, ascending by code
  std::vector<Code> fixed;     // codes in chunks, ascending
  std::uint64_t freed = 0;     // occurrences that shared chunks could hold
};

class Disassociator {
 public:
  Disassociator(const Task& task, Progress& progress)
      : sets_(task.sets), k_(task.parameters.k), m_(task.parameters.m), progress_(progress) {
    rank_codes();
    rank_records();
  }

  Disassociation run() {
    const auto clusters =
        cluster_records(records_, sets_.codes.size(), k_, kClusterSize * k_, progress_);
    drafts_.resize(clusters.size());
    progress_.begin("taking clusters apart", clusters.size());
    parallel_blocks(clusters.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) drafts_[c] = draft(clusters[c]);
      progress_.advance(end - begin);
    });
    const std::vector<Joint> joints = join(0, drafts_.size()).best;
    Disassociation disassociation;
    disassociation.release.joints.resize(joints.size());
    disassociation.members.resize(joints.size());
    progress_.begin("sharing chunks", joints.size());
    parallel_blocks(joints.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j) {
        finish(joints[j], disassociation.release.joints[j], disassociation.members[j]);
      }
      progress_.advance(end - begin);
    });
    sort_by(disassociation.release.joints, disassociation.members);
    for (const Code code : by_text_) disassociation.release.codes.intern(sets_.codes.value(code));
    return disassociation;
  }

 private:
  void rank_codes() {
    by_text_.resize(sets_.codes.size());
    std::iota(by_text_.begin(), by_text_.end(), 0);
    std::sort(by_text_.begin(), by_text_.end(),
              [&](Code a, Code b) { return sets_.codes.value(a) < sets_.codes.value(b); });
  }

  void rank_records() {
    std::vector<Code> rank(by_text_.size());
    for (Code i = 0; i < rank.size(); ++i) rank[by_text_[i]] = i;
    for (const Code code : sets_.items) ranked_.push_back(rank[code]);
    Records order(sets_.size());
    std::iota(order.begin(), order.end(), 0);
    for (const auto s : order) {
      std::sort(ranked_.begin() + static_cast<std::ptrdiff_t>(sets_.first[s]),
                ranked_.begin() + static_cast<std::ptrdiff_t>(sets_.first[s + 1]));
    }
    const auto codes_of = [&](std::uint32_t s) {
      return std::span<const Code>(ranked_).subspan(sets_.first[s],
                                                    sets_.first[s + 1] - sets_.first[s]);
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::ranges::lexicographical_compare(codes_of(a), codes_of(b));
    });
    for (const auto s : order) {
      records_.insert(records_.end(), sets_.counts[s], codes_of(s));
      set_of_.insert(set_of_.end(), sets_.counts[s], s);
    }
  }

  // The codes of the records that `wanted` lets pass, with a bit per record.
  template <typename Wanted>
  std::vector<CodeBits> bits_of(const Records& records, const Wanted& wanted) const {
    std::vector<std::pair<Code, std::uint32_t>> pairs;
    for (std::uint32_t i = 0; i < records.size(); ++i) {
      for (const Code code : records_[records[i]]) {
        if (wanted(code)) pairs.emplace_back(code, i);
      }
    }
    std::sort(pairs.begin(), pairs.end());
    std::vector<CodeBits> codes;
    for (const auto& [code, i] : pairs) {
      if (codes.empty() || codes.back().code != code) {
        codes.push_back({code, 0, std::vector<std::uint64_t>((records.size() + 63) / 64, 0)});
      }
      ++codes.back().support;
      codes.back().bits[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    return codes;
  }

  [[nodiscard]] Draft draft(const Records& records) const {
    Draft cluster{records, {}, {}, false};
    std::vector<CodeBits> frequent = bits_of(records, [](Code) { return true; });
    for (const auto& code : frequent) {
      if (code.support < k_) {
        cluster.items.push_back({code.code, static_cast<std::uint32_t>(code.support)});
      }
    }
    std::erase_if(frequent, [&](const CodeBits& code) { return code.support < k_; });
    const auto rarest = std::min_element(
        frequent.begin(), frequent.end(),
        [](const CodeBits& a, const CodeBits& b) { return a.support < b.support; });
    Support last{0, 0};
    if (rarest != frequent.end()) {
      last = {rarest->code, static_cast<std::uint32_t>(rarest->support)};
    }
    cluster.chunks = make_chunks(std::move(frequent), k_, m_);
    cluster.chunks_fill_all = fill_all(cluster);
    if (cluster.items.empty() && !cluster.chunks_fill_all) {
      for (auto& chunk : cluster.chunks) std::erase(chunk, last.code);
      std::erase_if(cluster.chunks, [](const auto& chunk) { return chunk.empty(); });
      cluster.items.push_back(last);
    }
    return cluster;
  }

  // Whether all records get a part even when k parts of any m chunks meet on the same k records.
  [[nodiscard]] bool fill_all(const Draft& draft) const {
    const auto n = static_cast<std::int64_t>(draft.records.size());
    const auto k = static_cast<std::int64_t>(k_);
    std::int64_t parts = 0;
    std::vector<std::int64_t> lost;
    for (const auto& chunk : parts_of(draft.records, draft.chunks)) {
      const auto size = static_cast<std::int64_t>(chunk.parts.size());
      parts += std::min(size, n - k);
      lost.push_back(std::min(k, n - size));
    }
    std::sort(lost.begin(), lost.end(), std::greater<>());
    for (std::size_t i = 0; i < lost.size() && i < static_cast<std::size_t>(m_); ++i) {
      parts -= lost[i];
    }
    return !draft.chunks.empty() && parts >= n - k;
  }

  // What the records have of the codes of each chunk, in the order of content. No code is in two.
  [[nodiscard]] std::vector<CodeChunk> parts_of(
      const Records& records, const std::vector<std::vector<Code>>& chunks) const {
    std::vector<std::pair<Code, std::uint32_t>> chunk_of;
    for (std::uint32_t c = 0; c < chunks.size(); ++c) {
      for (const Code code : chunks[c]) chunk_of.emplace_back(code, c);
    }
    std::sort(chunk_of.begin(), chunk_of.end());
    std::vector<CodeChunk> filled(chunks.size());
    std::vector<std::uint32_t> last(chunks.size(), kNobody);  // whose part was begun last
    for (const auto r : records) {
      auto place = chunk_of.begin();
      for (const Code code : records_[r]) {
        place = std::lower_bound(place, chunk_of.end(), std::pair(code, 0U));
        if (place == chunk_of.end()) break;
        if (place->first != code) continue;
        auto& parts = filled[place->second].parts;
        if (last[place->second] != r) parts.emplace_back();
        last[place->second] = r;
        parts.back().push_back(code);
      }
    }
    for (auto& chunk : filled) std::sort(chunk.parts.begin(), chunk.parts.end());
    return filled;
  }

  [[nodiscard]] bool can_share(const Joint& joint, const Support& item) const {
    return item.records >= k_ &&
           !std::binary_search(joint.fixed.begin(), joint.fixed.end(), item.code);
  }

  [[nodiscard]] Joint merge(const Joint& a, const Joint& b) const {
    Joint both{a.first, b.last, a.records + b.records, {}, {}, 0};
    std::set_union(a.fixed.begin(), a.fixed.end(), b.fixed.begin(), b.fixed.end(),
                   std::back_inserter(both.fixed));
    std::merge(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(),
               std::back_inserter(both.items),
               [](const Support& x, const Support& y) { return x.code < y.code; });
    std::size_t kept = 0;
    for (const auto& item : both.items) {
      if (kept > 0 && both.items[kept - 1].code == item.code) {
        both.items[kept - 1].records += item.records;
      } else {
        both.items[kept++] = item;
      }
    }
    both.items.resize(kept);
    for (const auto& item : both.items) {
      if (can_share(both, item)) both.freed += item.records;
    }
    return both;
  }

  [[nodiscard]] Joint alone(std::size_t c) const {
    Joint joint{c, c + 1, drafts_[c].records.size(), drafts_[c].items, {}, 0};
    for (const auto& chunk : drafts_[c].chunks) {
      joint.fixed.insert(joint.fixed.end(), chunk.begin(), chunk.end());
    }
    std::sort(joint.fixed.begin(), joint.fixed.end());
    return joint;
  }

  // A row of clusters as one joint cluster, and the best way to cut it by halves.
  struct Row {
    Joint whole;
    std::vector<Joint> best;
    std::uint64_t freed = 0;
  };
  [[nodiscard]] Row join(std::size_t first, std::size_t last) const {
    if (last - first == 1) return {alone(first), {alone(first)}, 0};
    const std::size_t middle = first + (last - first) / 2;
    Row left = join(first, middle);
    Row right = join(middle, last);
    Row row{{first, last, left.whole.records + right.whole.records, {}, {}, 0}, {}, 0};
    row.freed = left.freed + right.freed;
    if (row.whole.records <= kJointRecords) {
      row.whole = merge(left.whole, right.whole);
      if (row.whole.freed > row.freed) return {row.whole, {row.whole}, row.whole.freed};
    }
    row.best = std::move(left.best);
    std::move(right.best.begin(), right.best.end(), std::back_inserter(row.best));
    return row;
  }

  // The codes that leave the item chunks. A cluster whose chunks do not fill its records keeps one.
  [[nodiscard]] std::vector<Code> shared_codes(const Joint& joint) const {
    std::vector<Support> shared;
    for (const auto& item : joint.items) {
      if (can_share(joint, item)) shared.push_back(item);
    }
    const auto find = [&](Code code) {
      return std::lower_bound(shared.begin(), shared.end(), code,
                              [](const Support& a, Code b) { return a.code < b; });
    };
    for (std::size_t c = joint.first; c < joint.last; ++c) {
      if (drafts_[c].chunks_fill_all) continue;
      auto rarest = shared.end();
      bool keeps_one = false;
      for (const auto& item : drafts_[c].items) {
        const auto place = find(item.code);
        if (place == shared.end() || place->code != item.code) {
          keeps_one = true;
        } else if (rarest == shared.end() || place->records < rarest->records) {
          rarest = place;
        }
      }
      if (!keeps_one && rarest != shared.end()) shared.erase(rarest);
    }
    std::vector<Code> codes;
    for (const auto& item : shared) codes.push_back(item.code);
    return codes;
  }

  void finish(const Joint& joint, JointCluster& released, std::vector<Records>& members) const {
    const std::vector<Code> shared = shared_codes(joint);
    const auto is_shared = [&](Code code) {
      return std::binary_search(shared.begin(), shared.end(), code);
    };
    Records everyone;
    for (std::size_t c = joint.first; c < joint.last; ++c) {
      const Draft& draft = drafts_[c];
      everyone.insert(everyone.end(), draft.records.begin(), draft.records.end());
      CodeCluster cluster{draft.records.size(), {}, {}};
      cluster.chunks = parts_of(draft.records, draft.chunks);
      for (const auto& item : draft.items) {
        if (!is_shared(item.code)) cluster.items.push_back(item.code);
      }
      released.clusters.push_back(std::move(cluster));
      members.emplace_back();
      for (const auto r : draft.records) members.back().push_back(set_of_[r]);
    }
    released.shared = parts_of(everyone, make_chunks(bits_of(everyone, is_shared), k_, m_));
    sort_by(released.clusters, members);
  }

  // Both in the order of the first, so that the order tells nothing that they do not.
  template <typename First, typename Second>
  static void sort_by(std::vector<First>& first, std::vector<Second>& second) {
    std::vector<std::size_t> order(first.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return first[a] < first[b]; });
    std::vector<First> sorted_first;
    std::vector<Second> sorted_second;
    for (const auto i : order) {
      sorted_first.push_back(std::move(first[i]));
      sorted_second.push_back(std::move(second[i]));
    }
    first = std::move(sorted_first);
    second = std::move(sorted_second);
  }

  const CodeSets& sets_;
  std::uint64_t k_;
  int m_;
  Progress& progress_;
  std::vector<Code> by_text_;
  std::vector<Code> ranked_;  // the items of the sets, as ranks of their texts
  RankedRecords records_;
  Records set_of_;  // by record
  std::vector<Draft> drafts_;
};

}  // namespace

Disassociation disassociate(const Task& task, Progress& progress) {
  return Disassociator(task, progress).run();
}

}  // namespace pratique::codes
