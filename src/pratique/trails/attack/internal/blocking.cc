#include "pratique/trails/attack/internal/blocking.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace pratique::trails {
namespace {

constexpr std::size_t kBeginning = 2;

using Block = std::vector<std::uint32_t>;

// Records by key; an empty key is in no block.
template <class Key>
std::vector<Block> blocks_by(const Block& records, const Key& key) {
  std::unordered_map<std::string, Block> blocks;
  for (const std::uint32_t record : records) {
    std::string text = key(record);
    if (!text.empty()) blocks[std::move(text)].push_back(record);
  }
  std::vector<Block> result;
  for (auto& [text, block] : blocks) {
    if (block.size() > 1) result.push_back(std::move(block));
  }
  return result;
}

class Collector {
 public:
  Collector(const Records& records, std::size_t largest)
      : records_(records), fields_(records.front().size()), largest_(largest) {}

  void collect(Progress& progress) {
    Block all(records_.size());
    for (std::uint32_t r = 0; r < all.size(); ++r) all[r] = r;
    progress.begin("blocking", 2 * fields_);
    for (std::size_t f = 0; f < fields_; ++f) {
      for (const Block& block : blocks_by(all, whole(f))) add(block, f);
      progress.advance(1);
      if (f + 1 < fields_) {
        const auto both = [&](std::uint32_t r) {
          const std::string first = beginning(f)(r);
          const std::string second = beginning(f + 1)(r);
          return first.empty() || second.empty() ? std::string() : first + '\n' + second;
        };
        for (const Block& block : blocks_by(all, both)) add(block, f);
      }
      progress.advance(1);
    }
  }

  std::vector<RecordPair> pairs;

 private:
  [[nodiscard]] std::function<std::string(std::uint32_t)> whole(std::size_t field) const {
    return [this, field](std::uint32_t r) { return std::string(records_[r][field]); };
  }
  [[nodiscard]] std::function<std::string(std::uint32_t)> beginning(std::size_t field) const {
    return [this, field](std::uint32_t r) {
      return std::string(records_[r][field].substr(0, kBeginning));
    };
  }

  // A large block is split by every other field in turn, first by beginnings, then by whole values.
  void add(const Block& block, std::size_t field) {
    if (block.size() <= largest_) {
      add_all_pairs(block);
      return;
    }
    for (std::size_t other = 0; other < fields_; ++other) {
      if (other == field) continue;
      for (const Block& part : blocks_by(block, beginning(other))) {
        if (part.size() <= largest_) {
          add_all_pairs(part);
          continue;
        }
        for (const Block& smaller : blocks_by(part, whole(other))) {
          if (smaller.size() <= largest_) add_all_pairs(smaller);
        }
      }
    }
  }

  void add_all_pairs(const Block& block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      for (std::size_t j = i + 1; j < block.size(); ++j) pairs.emplace_back(block[i], block[j]);
    }
  }

  const Records& records_;
  std::size_t fields_;
  std::size_t largest_;
};

}  // namespace

std::vector<RecordPair> pairs_in_blocks(const Records& records, std::size_t largest_block,
                                        Progress& progress) {
  if (records.empty()) return {};
  Collector collector(records, largest_block);
  collector.collect(progress);
  auto& pairs = collector.pairs;
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return std::move(pairs);
}

}  // namespace pratique::trails
