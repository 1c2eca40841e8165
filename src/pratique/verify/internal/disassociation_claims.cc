// k^m-anonymity of a disassociated release (data/disassociated.h), from the released file alone.
//
// A reconstruction gives every part of a chunk to a record of its cluster (of a shared chunk: of
// the joint cluster), no two of one chunk to the same, every code of an item chunk to at least one
// record of its cluster, and leaves no record empty. The claim: whatever at most m codes X, when a
// record of some reconstruction has them all, then there is a reconstruction with at least k
// records that have them all.
//
// It holds if in every cluster
// (1) there are at least k records, and no chunk has more parts than records;
// (2) no two of the chunks, the item chunk and the shared chunks have a code in common;
// (3) any at most m codes that are in a part of a chunk are in at least k of its parts;
// (4) the item chunk is not empty, or the chunks fill all records, whatever X: with h of them at
//     most m chunks, n records and c_i parts in chunk i,
//       sum of min(c_i, n - k)  -  the h largest min(k, n - c_i)  >=  n - k.
// For let a record of the cluster have X. By (2) X falls into one piece per chunk; by (3) each
// piece is in k parts, which are put on the same k records, with the codes of X from the item
// chunk. The other parts go to other records: (1) leaves room. Of the h chunks that X touches,
// c_i - k parts are left for the other n - k records, of the rest min(c_i, n - k): by (4) enough
// that none stays empty; a code of the item chunk fills any number. Other clusters stay as they
// are, but for parts of shared chunks that change places.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>

#include "pratique/core/parallel.h"
#include "pratique/data/disassociated.h"
#include "pratique/engine/code_sets_reader.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {
namespace {

class ChunkInspection {
 public:
  ChunkInspection(const Dictionary& codes, std::uint64_t k, int m) : codes_(codes), k_(k), m_(m) {}

  void look_at(const JointCluster& joint) {
    const std::uint64_t everyone = joint.records();
    std::vector<Code> shared;
    for (const auto& chunk : joint.shared) {
      look_at(chunk, everyone);
      add_codes_of(chunk, shared);
    }
    std::sort(shared.begin(), shared.end());
    const auto twice = std::adjacent_find(shared.begin(), shared.end());
    if (twice != shared.end()) return blame_twice(*twice);
    for (const auto& cluster : joint.clusters) look_at(cluster, shared);
  }

  std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
  std::string fault;  // empty: none

 private:
  // What of a part comes after a code.
  struct Rest {
    Code code;
    const Code* begin;
    const Code* end;
  };

  // `shared`: the codes of the shared chunks, ascending.
  void look_at(const CodeCluster& cluster, const std::vector<Code>& shared) {
    smallest = std::min(smallest, cluster.records);
    if (cluster.records < k_) {
      return blame(fmt::format("a cluster has {} records, fewer than {}", cluster.records, k_));
    }
    std::vector<Code> domain = cluster.items;
    for (const auto& chunk : cluster.chunks) add_codes_of(chunk, domain);
    std::sort(domain.begin(), domain.end());
    const auto twice = std::adjacent_find(domain.begin(), domain.end());
    if (twice != domain.end()) return blame_twice(*twice);
    for (const Code code : domain) {
      if (std::binary_search(shared.begin(), shared.end(), code)) return blame_twice(code);
    }
    for (const auto& chunk : cluster.chunks) look_at(chunk, cluster.records);
    if (cluster.items.empty() && !always_full(cluster)) {
      blame(fmt::format(
          "a cluster of {} records has parts too few for {} records to share any {} codes while "
          "none is empty",
          cluster.records, k_, m_));
    }
  }

  static void add_codes_of(const CodeChunk& chunk, std::vector<Code>& domain) {
    std::vector<Code> mine;
    for (const auto& part : chunk.parts) mine.insert(mine.end(), part.begin(), part.end());
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    domain.insert(domain.end(), mine.begin(), mine.end());
  }

  [[nodiscard]] bool always_full(const CodeCluster& cluster) const {
    const std::uint64_t others = cluster.records - k_;
    std::uint64_t parts = 0;
    std::vector<std::uint64_t> spent;
    for (const auto& chunk : cluster.chunks) {
      const std::uint64_t size = std::min<std::uint64_t>(chunk.parts.size(), cluster.records);
      parts += std::min(size, others);
      spent.push_back(std::min(k_, cluster.records - size));
    }
    std::sort(spent.begin(), spent.end(), std::greater<>());
    spent.resize(std::min(spent.size(), static_cast<std::size_t>(m_)));
    std::uint64_t needed = others;
    for (const auto count : spent) needed += count;
    return parts >= needed && !cluster.chunks.empty();
  }

  void look_at(const CodeChunk& chunk, std::uint64_t records) {
    if (chunk.parts.size() > records) {
      return blame(fmt::format("a chunk has {} parts of {} records", chunk.parts.size(), records));
    }
    std::vector<Rest> rests;
    for (const auto& part : chunk.parts) {
      const Code* end = part.data() + part.size();
      for (const Code* p = part.data(); p != end; ++p) rests.push_back({*p, p + 1, end});
    }
    count(rests, m_);
  }

  void count(std::vector<Rest>& rests, int more) {
    std::sort(rests.begin(), rests.end(),
              [](const Rest& a, const Rest& b) { return a.code < b.code; });
    for (std::size_t begin = 0, end = 0; begin < rests.size() && fault.empty(); begin = end) {
      while (end < rests.size() && rests[end].code == rests[begin].code) ++end;
      known_.push_back(rests[begin].code);
      const std::uint64_t parts = end - begin;
      smallest = std::min(smallest, parts);
      if (parts < k_) {
        std::vector<std::string_view> names;
        for (const Code code : known_) names.push_back(codes_.value(code));
        std::sort(names.begin(), names.end());
        blame(fmt::format("the codes {{{}}} together are in {} part{} of a chunk, fewer than {}",
                          fmt::join(names, ", "), parts, parts == 1 ? "" : "s", k_));
      } else if (more > 1) {
        std::vector<Rest> inside;
        for (std::size_t i = begin; i < end; ++i) {
          for (const Code* p = rests[i].begin; p != rests[i].end; ++p) {
            inside.push_back({*p, p + 1, rests[i].end});
          }
        }
        count(inside, more - 1);
      }
      known_.pop_back();
    }
  }

  void blame_twice(Code code) {
    blame(fmt::format("the code {} is in two chunks of a cluster", codes_.value(code)));
  }

  void blame(std::string what) {
    if (fault.empty()) fault = std::move(what);
  }

  const Dictionary& codes_;
  std::uint64_t k_;
  int m_;
  std::vector<Code> known_;
};

}  // namespace

ClaimResult check_km_disassociation(const ClaimContext& context) {
  const auto k = static_cast<std::uint64_t>(whole_in(context.claim, "k"));
  const auto m = static_cast<int>(whole_in(context.claim, "m"));
  const DisassociatedSets release =
      read_disassociated(context.engine, context.release, context.progress);
  ClaimResult result;
  result.required = static_cast<double>(k);
  std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
  std::string fault;
  std::mutex mutex;
  context.progress.begin("counting parts", release.joints.size());
  parallel_blocks(release.joints.size(), 1, [&](std::size_t begin, std::size_t end) {
    ChunkInspection inspection(release.codes, k, m);
    for (std::size_t j = begin; j < end; ++j) inspection.look_at(release.joints[j]);
    context.progress.advance(end - begin);
    const std::lock_guard lock(mutex);
    smallest = std::min(smallest, inspection.smallest);
    if (fault.empty() || (!inspection.fault.empty() && inspection.fault < fault)) {
      fault = inspection.fault;
    }
  });
  result.achieved = smallest == std::numeric_limits<std::uint64_t>::max()
                        ? std::numeric_limits<double>::infinity()
                        : static_cast<double>(smallest);
  result.holds = fault.empty();
  result.explanation = result.holds
                           ? fmt::format(
                                 "any {} codes that a record can have fit at least {} records "
                                 "when the parts are put together, or none",
                                 m, k)
                           : fault;
  return result;
}

}  // namespace pratique::verify
