#include "pratique/codes/method/internal/rare_sets.h"

#include <algorithm>

namespace pratique::codes {
namespace {

constexpr Node kNothing = 0xffffffffU;

}  // namespace

LabelledRecords::LabelledRecords(std::size_t nodes, std::span<const std::size_t> first,
                                 std::vector<Node> items, std::span<const std::uint32_t> weights)
    : first_(first.begin(), first.end()),
      items_(std::move(items)),
      weights_(weights),
      with_(nodes) {
  for (std::uint32_t r = 0; r + 1 < first_.size(); ++r) {
    length_.push_back(static_cast<std::uint32_t>(first_[r + 1] - first_[r]));
    finish(r);
  }
  find_occurrences();
}

void LabelledRecords::find_occurrences() {
  for (auto& with : with_) with.clear();
  for (std::uint32_t r = 0; r < size(); ++r) {
    for (const Node node : record(r)) with_[node].push_back(r);
  }
}

void LabelledRecords::relabel_all(std::span<const Node> becomes) {
  for (std::uint32_t r = 0; r < size(); ++r) {
    for (Node& label : std::span(items_).subspan(first_[r], length_[r])) label = becomes[label];
    finish(r);
  }
  find_occurrences();
}

void LabelledRecords::finish(std::uint32_t r) {
  const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(first_[r]);
  const auto end = begin + length_[r];
  std::sort(begin, end);
  length_[r] = static_cast<std::uint32_t>(std::unique(begin, end) - begin);
}

void LabelledRecords::replace(std::uint32_t record, std::span<const Node> labels) {
  std::copy(labels.begin(), labels.end(),
            items_.begin() + static_cast<std::ptrdiff_t>(first_[record]));
  length_[record] = static_cast<std::uint32_t>(labels.size());
  finish(record);
}

std::vector<std::uint32_t> LabelledRecords::with_any(std::span<const Node> nodes) const {
  if (nodes.size() == 1) return with_[nodes.front()];
  std::vector<std::uint32_t> all;
  std::vector<bool> there(size(), false);
  for (const Node node : nodes) {
    for (const std::uint32_t r : with_[node]) {
      if (!there[r]) all.push_back(r);
      there[r] = true;
    }
  }
  return all;
}

RareSets::RareSets(const LabelledRecords& records, std::uint64_t k, int depth)
    : records_(records),
      k_(k),
      levels_(static_cast<std::size_t>(std::max(depth, 1))),
      excluded_(records.nodes(), 0) {
  for (auto& level : levels_) {
    level.support.assign(records.nodes(), 0);
    level.start.assign(records.nodes(), 0);
  }
}

void RareSets::exclude(std::span<const Node> nodes, bool excluded) {
  for (const Node node : nodes) excluded_[node] = excluded ? 1 : 0;
}

std::uint64_t RareSets::count(std::span<const std::uint32_t> records, int depth,
                              std::uint64_t enough) {
  if (depth <= 0 || k_ < 2) return 0;
  return descend(records, depth, 0, kNothing, enough);
}

void RareSets::visit(std::span<const std::uint32_t> records, int depth, const Visit& visit) {
  visit_ = &visit;
  (void)count(records, depth);
  visit_ = nullptr;
}

std::uint64_t RareSets::descend(std::span<const std::uint32_t> records, int depth,
                                std::size_t level, Node above, std::uint64_t enough) {
  Level& here = levels_[level];
  const Level* outer = level == 0 ? nullptr : &levels_[level - 1];
  // Sets are built in ascending order; what is rare already one level up is not built upon.
  const auto counts = [&](Node node) {
    return outer == nullptr ? excluded_[node] == 0 : node > above && outer->support[node] >= k_;
  };
  here.seen.clear();
  for (const std::uint32_t r : records) {
    const std::uint32_t weight = records_.weight(r);
    for (const Node node : records_.record(r)) {
      if (!counts(node)) continue;
      if (here.support[node] == 0) here.seen.push_back(node);
      here.support[node] += weight;
    }
  }
  std::uint64_t rare_count = 0;
  bool deeper = false;
  for (const Node node : here.seen) {
    if (here.support[node] < k_) {
      ++rare_count;
    } else {
      deeper = true;
    }
  }
  const bool list_rare = visit_ != nullptr && rare_count > 0;
  if ((depth > 1 && deeper && rare_count < enough) || list_rare) {
    std::sort(here.seen.begin(), here.seen.end());
    for (const Node node : here.seen) here.start[node] = 0;
    std::size_t total = 0;
    for (const std::uint32_t r : records) {
      for (const Node node : records_.record(r)) {
        if (counts(node)) ++here.start[node];
      }
    }
    for (const Node node : here.seen) {
      const std::size_t size = here.start[node];
      here.start[node] = total;
      total += size;
    }
    here.occurrences.resize(total);
    for (const std::uint32_t r : records) {
      for (const Node node : records_.record(r)) {
        if (counts(node)) here.occurrences[here.start[node]++] = r;
      }
    }
    std::size_t begin = 0;
    for (const Node node : here.seen) {
      const std::size_t end = here.start[node];
      const auto inside = std::span(here.occurrences).subspan(begin, end - begin);
      begin = end;
      if (here.support[node] >= k_ && (depth == 1 || rare_count >= enough)) continue;
      path_.push_back(node);
      if (here.support[node] >= k_) {
        rare_count += descend(inside, depth - 1, level + 1, node, enough - rare_count);
      } else if (visit_ != nullptr) {
        (*visit_)(path_, inside);
      }
      path_.pop_back();
    }
  }
  for (const Node node : here.seen) here.support[node] = 0;
  return rare_count;
}

}  // namespace pratique::codes
