#include "pratique/codes/method/internal/removal.h"

#include <algorithm>
#include <limits>
#include <queue>

#include "pratique/codes/method/internal/cut.h"

namespace pratique::codes {
namespace {

class RemovalSearch {
 public:
  RemovalSearch(const Task& task, LabelledRecords& records, std::uint64_t allowed)
      : task_(task),
        tree_(*task.tree),
        records_(records),
        rare_(records, task.parameters.k, task.parameters.m),
        goes_(records.size(), false),
        left_(allowed) {}

  [[nodiscard]] std::uint64_t left() const { return left_; }

  void run(std::vector<Node>& cut, Progress& progress) {
    std::vector<Node> labels = cut;
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    std::priority_queue<Candidate> queue;
    const auto push = [&](Node node) {
      if (!tree_.is_code(node) && !records_.with(node).empty())
        queue.push({std::numeric_limits<double>::infinity(), node, kNever});
    };
    for (const Node label : labels) push(label);
    progress.begin("removing rare codes", queue.size());
    std::size_t lowered = 0;
    while (!queue.empty()) {
      Candidate best = queue.top();
      queue.pop();
      const auto with = records_.with(best.node);
      const Lowering lowering = lower(best.node, with);
      if (lowering.gain <= 0 || lowering.removed > left_) {
        raise(best.node, with);
        progress.advance(1);
        continue;
      }
      best.score = lowering.gain / std::max(static_cast<double>(lowering.removed), 1e-9);
      if (best.scored_after != lowered && !queue.empty() && best.score < queue.top().score) {
        raise(best.node, with);
        best.scored_after = lowered;
        queue.push(best);
        continue;
      }
      ++lowered;
      left_ -= lowering.removed;
      for (const Node child : tree_.children(best.node)) {
        for (const Code code : tree_.codes_under(child)) cut[code] = child;
        push(child);
      }
      progress.advance(1);
    }
  }

 private:
  static constexpr std::size_t kNever = ~std::size_t{0};

  struct Candidate {
    double score;
    Node node;
    std::size_t scored_after;  // so many nodes were lowered
    bool operator<(const Candidate& other) const {
      return score != other.score ? score < other.score : node > other.node;
    }
  };
  struct Lowering {
    double gain = 0;            // of NCP, in codes
    std::uint64_t removed = 0;  // codes, in all records; counting ends when it is too much
  };

  std::uint64_t codes_under(Node node, std::uint32_t record) const {
    const auto set = task_.sets.set(record);
    const auto count = std::count_if(set.begin(), set.end(),
                                     [&](Code code) { return tree_.is_under(code, node); });
    return static_cast<std::uint64_t>(count) * records_.weight(record);
  }

  double loss(Node node) const {
    if (tree_.is_code(node)) return 0;
    std::uint64_t codes = 0;
    for (const std::uint32_t r : records_.with(node)) codes += codes_under(node, r);
    return tree_.ncp(node) * static_cast<double>(codes);
  }

  Lowering lower(Node node, const std::vector<std::uint32_t>& with) {
    Lowering lowering;
    lowering.gain = loss(node);
    lower_all(records_, task_, node, with);
    const auto children = tree_.children(node);
    for (bool again = true; again && lowering.removed <= left_;) {
      again = false;
      for (const Node child : children) {
        const std::uint64_t removed = remove_rare(child);
        lowering.removed += removed;
        again = again || removed > 0;
        if (lowering.removed > left_) break;
      }
    }
    lowering.gain -= static_cast<double>(lowering.removed);
    for (const Node child : children) lowering.gain -= loss(child);
    return lowering;
  }

  // The child goes from the records in which it is rare, alone or beside other labels.
  std::uint64_t remove_rare(Node child) {
    const auto& with = records_.with(child);
    if (with.empty()) return 0;
    std::uint64_t patients = 0;
    for (const std::uint32_t r : with) patients += records_.weight(r);
    bool any = patients < task_.parameters.k;
    if (any) {
      for (const std::uint32_t r : with) goes_[r] = true;
    } else {
      rare_.exclude(std::span(&child, 1), true);
      rare_.visit(with, task_.parameters.m - 1,
                  [&](std::span<const Node>, std::span<const std::uint32_t> inside) {
                    for (const std::uint32_t r : inside) goes_[r] = true;
                    any = true;
                  });
      rare_.exclude(std::span(&child, 1), false);
    }
    if (!any) return 0;
    std::uint64_t removed = 0;
    std::vector<std::uint32_t> stay;
    for (const std::uint32_t r : with) {
      if (!goes_[r]) {
        stay.push_back(r);
        continue;
      }
      goes_[r] = false;
      removed += codes_under(child, r);
      std::vector<Node> labels(records_.record(r).begin(), records_.record(r).end());
      std::erase(labels, child);
      records_.replace(r, labels);
    }
    records_.set_records_of(child, std::move(stay));
    return removed;
  }

  // As it was before.
  void raise(Node node, const std::vector<std::uint32_t>& with) {
    for (const Node child : tree_.children(node)) records_.forget(child);
    for (const std::uint32_t r : with) {
      std::vector<Node> labels = {node};
      for (const Node label : records_.record(r)) {
        if (!tree_.is_under(label, node)) labels.push_back(label);
      }
      records_.replace(r, labels);
    }
    records_.set_records_of(node, with);
  }

  const Task& task_;
  const CodeTree& tree_;
  LabelledRecords& records_;
  RareSets rare_;
  std::vector<bool> goes_;  // by record
  std::uint64_t left_;      // codes that may still be removed
};

}  // namespace

std::uint64_t codes_that_may_go(const Task& task) {
  // A share that was written as a fraction of all codes allows these codes.
  constexpr double kRounding = 1e-6;
  const double codes = task.parameters.suppression * static_cast<double>(task.sets.occurrences());
  return static_cast<std::uint64_t>(codes + kRounding);
}

std::uint64_t lower_by_removal(const Task& task, LabelledRecords& records, std::vector<Node>& cut,
                               std::uint64_t allowed, Progress& progress) {
  RemovalSearch search(task, records, allowed);
  search.run(cut, progress);
  return allowed - search.left();
}

}  // namespace pratique::codes
