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
  if (level == 0) {
    return descend_where(records, depth, level, enough, [&](std::uint32_t r, const auto& visit) {
      for (const Node node : records_.record(r)) {
        if (excluded_[node] == 0) visit(node);
      }
    });
  }
  // Sets are built in ascending order, as records are; what is rare already one level up is not
  // built upon.
  const auto& outer = levels_[level - 1].support;
  return descend_where(records, depth, level, enough, [&](std::uint32_t r, const auto& visit) {
    const auto labels = records_.record(r);
    for (std::size_t i = labels.size(); i > 0 && labels[i - 1] > above; --i) {
      if (outer[labels[i - 1]] >= k_) visit(labels[i - 1]);
    }
  });
}

template <class EachLabel>
std::uint64_t RareSets::descend_where(std::span<const std::uint32_t> records, int depth,
                                      std::size_t level, std::uint64_t enough,
                                      const EachLabel& each_label) {
  Level& here = levels_[level];
  here.seen.clear();
  for (const std::uint32_t r : records) {
    each_label(r, [&, weight = records_.weight(r)](Node node) {
      if (here.support[node] == 0) here.seen.push_back(node);
      here.support[node] += weight;
    });
  }
  std::uint64_t rare_count = 0;
  for (const Node node : here.seen) rare_count += here.support[node] < k_ ? 1 : 0;
  const bool deeper = depth > 1 && rare_count < here.seen.size() && rare_count < enough;
  if (deeper) {
    rare_count = look_inside(records, depth, level, enough, rare_count, each_label);
  } else if (visit_ != nullptr && rare_count > 0) {
    visit_rare(records, level, each_label);
  }
  for (const Node node : here.seen) here.support[node] = 0;
  return rare_count;
}

// What is rare is in few records: these alone are listed.
template <class EachLabel>
void RareSets::visit_rare(std::span<const std::uint32_t> records, std::size_t level,
                          const EachLabel& each_label) {
  Level& here = levels_[level];
  here.rare.clear();
  for (const std::uint32_t r : records) {
    each_label(r, [&](Node node) {
      if (here.support[node] < k_) here.rare.emplace_back(node, r);
    });
  }
  std::stable_sort(here.rare.begin(), here.rare.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < here.rare.size();) {
    const Node node = here.rare[i].first;
    here.occurrences.clear();
    for (; i < here.rare.size() && here.rare[i].first == node; ++i)
      here.occurrences.push_back(here.rare[i].second);
    path_.push_back(node);
    (*visit_)(path_, here.occurrences);
    path_.pop_back();
  }
}

template <class EachLabel>
std::uint64_t RareSets::look_inside(std::span<const std::uint32_t> records, int depth,
                                    std::size_t level, std::uint64_t enough,
                                    std::uint64_t rare_count, const EachLabel& each_label) {
  Level& here = levels_[level];
  std::sort(here.seen.begin(), here.seen.end());
  for (const Node node : here.seen) here.start[node] = 0;
  std::size_t total = 0;
  for (const std::uint32_t r : records) each_label(r, [&](Node node) { ++here.start[node]; });
  for (const Node node : here.seen) {
    const std::size_t size = here.start[node];
    here.start[node] = total;
    total += size;
  }
  here.occurrences.resize(total);
  for (const std::uint32_t r : records) {
    each_label(r, [&](Node node) { here.occurrences[here.start[node]++] = r; });
  }
  std::size_t begin = 0;
  for (const Node node : here.seen) {
    const std::size_t end = here.start[node];
    const auto inside = std::span(here.occurrences).subspan(begin, end - begin);
    begin = end;
    if (here.support[node] >= k_ && rare_count >= enough) continue;
    path_.push_back(node);
    if (here.support[node] >= k_) {
      rare_count += descend(inside, depth - 1, level + 1, node, enough - rare_count);
    } else if (visit_ != nullptr) {
      (*visit_)(path_, inside);
    }
    path_.pop_back();
  }
  return rare_count;
}

}  // namespace pratique::codes
