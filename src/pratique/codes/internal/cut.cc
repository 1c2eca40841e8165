#include "pratique/codes/internal/cut.h"

#include <algorithm>
#include <limits>
#include <queue>

#include "pratique/core/parallel.h"

namespace pratique::codes {
namespace {

// A candidate that is this near to the best guess is raised without a look at the others: their
// scores have mostly fallen since they were computed.
constexpr double kNearlyBest = 0.7;
constexpr std::size_t kNever = ~std::size_t{0};

class CutSearch {
 public:
  CutSearch(const Task& task, LabelledRecords& records)
      : task_(task),
        tree_(*task.tree),
        records_(records),
        scratch_(records, task.parameters.k, task.parameters.m),
        occurrences_(tree_.node_count(), 0),
        label_of_(tree_.code_count()) {
    const auto supports = task.sets.supports();
    for (Node node = 0; node < tree_.node_count(); ++node) {
      for (const Code code : tree_.codes_under(node)) {
        occurrences_[node] += static_cast<double>(supports[code]);
      }
    }
    for (Code code = 0; code < label_of_.size(); ++code) label_of_[code] = code;
  }

  std::vector<Node> run(Progress& progress) {
    for (int size = 1; size <= task_.parameters.m; ++size) {
      raise_until_nothing_is_rare(size, progress);
    }
    lower_where_nothing_becomes_rare(progress);
    return label_of_;
  }

 private:
  struct Candidate {
    double score;
    Node node;
    std::size_t at;  // raises made when it was scored
    bool operator<(const Candidate& other) const {
      return score != other.score ? score < other.score : node > other.node;
    }
  };

  std::vector<Node> labels_under(Node node) const {
    std::vector<Node> labels;
    for (const Code code : tree_.codes_under(node)) {
      if (labels.empty() || labels.back() != label_of_[code]) labels.push_back(label_of_[code]);
    }
    return labels;
  }

  // Sets with a label under the node, of at most `size` labels, that are rare.
  std::uint64_t rare_with(const std::vector<Node>& labels, int size, RareSets& rare,
                          std::uint64_t enough) const {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < labels.size() && found < enough; ++i) {
      rare.exclude(std::span(labels).subspan(i, 1), true);
      const auto& with = records_.with(labels[i]);
      std::uint64_t support = 0;
      for (const std::uint32_t r : with) support += records_.weight(r);
      if (support > 0 && support < task_.parameters.k) {
        ++found;
      } else {
        found += rare.count(with, size - 1, enough - found);
      }
    }
    rare.exclude(labels, false);
    return found;
  }

  // Rare sets that raising the node would mend, by what it would cost; 0 where nothing under it is
  // rare, negative where that would not help.
  double score(Node node, int size, RareSets& rare) const {
    const auto labels = labels_under(node);
    const std::uint64_t before = rare_with(labels, size, rare, ~std::uint64_t{0});
    if (before == 0) return 0;
    double cost = tree_.ncp(node) * occurrences_[node];
    for (const Node label : labels) cost -= tree_.ncp(label) * occurrences_[label];
    rare.exclude(labels, true);
    const auto with = records_.with_any(labels);
    std::uint64_t support = 0;
    for (const std::uint32_t r : with) support += records_.weight(r);
    const std::uint64_t after = support < task_.parameters.k ? 1 : rare.count(with, size - 1);
    rare.exclude(labels, false);
    if (after >= before) return -1;
    return static_cast<double>(before - after) / std::max(cost, 1e-12);
  }

  // The nodes right above the cut are candidates. One that would not help makes room for its
  // parent, and so does one that is raised: in the end for the root, which always helps.
  void raise_until_nothing_is_rare(int size, Progress& progress) {
    std::vector<bool> considered(tree_.node_count(), false);
    std::vector<Candidate> candidates;
    for (const Node label : labels_under(tree_.root())) {
      const Node node = tree_.parent(label);
      if (label == tree_.root() || considered[node]) continue;
      considered[node] = true;
      candidates.push_back({0, node, raises_});
    }
    progress.begin("looking for rare sets of codes", candidates.size());
    parallel_blocks(candidates.size(), std::max<std::size_t>(4, candidates.size() / 32),
                    [&](std::size_t begin, std::size_t end) {
                      RareSets rare(records_, task_.parameters.k, size);
                      for (std::size_t i = begin; i < end; ++i) {
                        candidates[i].score = score(candidates[i].node, size, rare);
                        progress.advance(1);
                      }
                    });
    std::priority_queue<Candidate> queue;
    const auto consider_parent = [&](Node node) {
      const Node parent = tree_.parent(node);
      if (considered[parent]) return;
      considered[parent] = true;
      queue.push({std::numeric_limits<double>::infinity(), parent, kNever});
    };
    const auto keep = [&](const Candidate& candidate) {
      if (candidate.score > 0) queue.push(candidate);
      if (candidate.score < 0) consider_parent(candidate.node);
    };
    for (const Candidate& candidate : candidates) keep(candidate);
    progress.begin("generalising codes", 0);
    while (!queue.empty()) {
      Candidate best = queue.top();
      queue.pop();
      if (is_below_cut(best.node)) continue;
      if (best.at != raises_) {
        best.score = score(best.node, size, scratch_);
        best.at = raises_;
        if (best.score <= 0 || (!queue.empty() && best.score < kNearlyBest * queue.top().score)) {
          keep(best);
          continue;
        }
      }
      raise(best.node);
      consider_parent(best.node);
      progress.advance(1);
    }
  }

  bool is_below_cut(Node node) const {
    const Node label = label_of_[tree_.codes_under(node).front()];
    return label == node || tree_.is_under(node, label);
  }

  void raise(Node node) {
    const auto labels = labels_under(node);
    auto with = records_.with_any(labels);
    records_.relabel(with, labels, [&](std::uint32_t, Node label) {
      return tree_.is_under(label, node) ? node : label;
    });
    records_.set_records_of(node, std::move(with));
    for (const Code code : tree_.codes_under(node)) label_of_[code] = node;
    ++raises_;
  }

  bool lower(Node node) {
    const std::vector<std::uint32_t> with = records_.with(node);
    const auto children = tree_.children(node);
    lower_all(records_, task_, node, with);
    const std::vector<Node> made(children.begin(), children.end());
    if (rare_with(made, task_.parameters.m, scratch_, 1) == 0) {
      for (const Node child : made) {
        for (const Code code : tree_.codes_under(child)) label_of_[code] = child;
      }
      return true;
    }
    records_.relabel(with, made, [&](std::uint32_t, Node label) {
      return tree_.is_under(label, node) ? node : label;
    });
    records_.set_records_of(node, with);
    return false;
  }

  void lower_where_nothing_becomes_rare(Progress& progress) {
    const auto loss = [&](Node node) { return tree_.ncp(node) * occurrences_[node]; };
    const auto cheaper = [&](Node a, Node b) {
      return loss(a) != loss(b) ? loss(a) < loss(b) : a > b;
    };
    std::priority_queue<Node, std::vector<Node>, decltype(cheaper)> queue(cheaper);
    for (const Node label : labels_under(tree_.root())) {
      if (!tree_.is_code(label)) queue.push(label);
    }
    progress.begin("giving codes back", queue.size());
    while (!queue.empty()) {
      const Node node = queue.top();
      queue.pop();
      progress.advance(1);
      if (!lower(node)) continue;
      for (const Node child : tree_.children(node)) {
        if (!tree_.is_code(child)) queue.push(child);
      }
    }
  }

  const Task& task_;
  const CodeTree& tree_;
  LabelledRecords& records_;
  RareSets scratch_;
  std::vector<double> occurrences_;
  std::vector<Node> label_of_;
  std::size_t raises_ = 0;
};

}  // namespace

void lower_all(LabelledRecords& records, const Task& task, Node node,
               std::span<const std::uint32_t> with) {
  const CodeTree& tree = *task.tree;
  records.forget(node);
  std::vector<Node> labels;
  for (const std::uint32_t r : with) {
    labels.clear();
    for (const Node label : records.record(r)) {
      if (label != node) labels.push_back(label);
    }
    const auto others = static_cast<std::ptrdiff_t>(labels.size());
    for (const Code code : task.sets.set(r)) {
      if (!tree.is_under(code, node)) continue;
      Node child = code;
      while (tree.parent(child) != node) child = tree.parent(child);
      labels.push_back(child);
    }
    std::sort(labels.begin() + others, labels.end());
    labels.erase(std::unique(labels.begin() + others, labels.end()), labels.end());
    for (auto child = labels.begin() + others; child != labels.end(); ++child) {
      records.add_occurrence(*child, r);
    }
    records.replace(r, labels);
  }
}

LabelledRecords label_with_codes(const Task& task) {
  return {task.tree == nullptr ? task.sets.codes.size() : task.tree->node_count(), task.sets.first,
          task.sets.items, task.sets.counts};
}

std::vector<Node> find_cut(const Task& task, LabelledRecords& records, Progress& progress) {
  return CutSearch(task, records).run(progress);
}

}  // namespace pratique::codes
