#include "pratique/codes/method/internal/cut.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <unordered_map>

#include "pratique/core/parallel.h"

namespace pratique::codes {
namespace {

// A candidate that is this near to the best guess is raised without a look at the others: their
// scores have mostly fallen since they were computed.
constexpr double kNearlyBest = 0.7;
constexpr std::size_t kNever = ~std::size_t{0};
constexpr std::size_t kScoredAtOnce = 4;  // whatever the number of threads: results repeat
constexpr std::size_t kMostSiblings = 64;

// A set of siblings, and the patients who have exactly these.
struct Siblings {
  std::uint64_t which;
  std::uint64_t patients;
};

// Whether at most `depth` of the siblings from `from` on occur together, in fewer than k patients.
bool some_are_rare(std::span<const Siblings> sets, int from, int depth, std::uint64_t k) {
  std::uint64_t there = 0;
  for (const Siblings& set : sets) there |= set.which;
  for (int i = from; i < 64 && (there >> i) != 0; ++i) {
    std::vector<Siblings> with;
    std::uint64_t patients = 0;
    for (const Siblings& set : sets) {
      if ((set.which >> i & 1U) == 0) continue;
      with.push_back(set);
      patients += set.patients;
    }
    if (with.empty()) continue;
    if (patients < k || (depth > 1 && some_are_rare(with, i + 1, depth - 1, k))) return true;
  }
  return false;
}

class CutSearch {
 public:
  CutSearch(const Task& task, LabelledRecords& records)
      : task_(task),
        tree_(*task.tree),
        records_(records),
        scratch_(kScoredAtOnce, RareSets(records, task.parameters.k, task.parameters.m)),
        occurrences_(tree_.node_count(), 0),
        label_of_(tree_.code_count()),
        forced_(tree_.node_count(), false) {
    const auto supports = task.sets.supports();
    for (Node node = 0; node < tree_.node_count(); ++node) {
      for (const Code code : tree_.codes_under(node)) {
        occurrences_[node] += static_cast<double>(supports[code]);
      }
    }
    for (Code code = 0; code < label_of_.size(); ++code) label_of_[code] = code;
  }

  std::vector<Node> run(Progress& progress) {
    raise_what_must_be(progress);
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
    std::uint64_t rare_count = 0;
    for (std::size_t i = 0; i < labels.size() && rare_count < enough; ++i) {
      rare.exclude(std::span(labels).subspan(i, 1), true);
      const auto& with = records_.with(labels[i]);
      std::uint64_t support = 0;
      for (const std::uint32_t r : with) support += records_.weight(r);
      if (support > 0 && support < task_.parameters.k) {
        ++rare_count;
      } else {
        rare_count += rare.count(with, size - 1, enough - rare_count);
      }
    }
    rare.exclude(labels, false);
    return rare_count;
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

  // Siblings that are rare together stay so until their parent is raised: every cut without rare
  // sets is above it.
  bool must_be_raised(Node node, std::vector<std::uint64_t>& siblings_in) const {
    const auto children = tree_.children(node);
    if (children.size() > kMostSiblings) return false;
    std::vector<std::uint32_t> touched;
    for (std::size_t i = 0; i < children.size(); ++i) {
      for (const std::uint32_t r : records_.with(children[i])) {
        if (siblings_in[r] == 0) touched.push_back(r);
        siblings_in[r] |= std::uint64_t{1} << i;
      }
    }
    std::unordered_map<std::uint64_t, std::uint64_t> patients;
    for (const std::uint32_t r : touched) {
      patients[siblings_in[r]] += records_.weight(r);
      siblings_in[r] = 0;
    }
    std::vector<Siblings> sets;
    for (const auto& [which, count] : patients) sets.push_back({which, count});
    return some_are_rare(sets, 0, task_.parameters.m, task_.parameters.k);
  }

  // All at once, level by level: no order among these matters.
  void raise_what_must_be(Progress& progress) {
    std::vector<Node> nodes;
    for (auto node = static_cast<Node>(tree_.code_count()); node < tree_.node_count(); ++node) {
      nodes.push_back(node);
    }
    while (!nodes.empty()) {
      progress.begin("looking for rare siblings", nodes.size());
      std::vector<std::uint8_t> must(nodes.size(), 0);
      const std::size_t grain = std::max<std::size_t>(16, nodes.size() / 16);
      parallel_blocks(nodes.size(), grain, [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint64_t> siblings_in(records_.size(), 0);
        for (std::size_t i = begin; i < end; ++i) {
          must[i] = must_be_raised(nodes[i], siblings_in) ? 1 : 0;
        }
        progress.advance(end - begin);
      });
      std::vector<Node> raised;
      std::vector<Node> becomes(tree_.node_count());
      std::iota(becomes.begin(), becomes.end(), Node{0});
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (must[i] == 0) continue;
        raised.push_back(nodes[i]);
        forced_[nodes[i]] = true;
        for (const Node label : labels_under(nodes[i])) becomes[label] = nodes[i];
      }
      if (!raised.empty()) records_.relabel_all(becomes);
      for (Node& label : label_of_) label = becomes[label];
      nodes.clear();
      for (const Node node : raised) {
        const Node parent = tree_.parent(node);
        if (!forced_[parent]) nodes.push_back(parent);
      }
      // Children before parents: of two that are raised at once, the upper has the last word.
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }
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
      std::vector<Candidate> best = {queue.top()};
      queue.pop();
      if (is_below_cut(best.front().node)) continue;
      if (best.front().at != raises_) {
        while (best.size() < kScoredAtOnce && !queue.empty() && queue.top().at != raises_) {
          if (!is_below_cut(queue.top().node)) best.push_back(queue.top());
          queue.pop();
        }
        parallel_blocks(best.size(), 1, [&](std::size_t i, std::size_t) {
          best[i].score = score(best[i].node, size, scratch_[i]);
          best[i].at = raises_;
        });
        std::sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return b < a; });
        for (std::size_t i = 1; i < best.size(); ++i) keep(best[i]);
        if (best.front().score <= 0 ||
            (!queue.empty() && best.front().score < kNearlyBest * queue.top().score)) {
          keep(best.front());
          continue;
        }
      }
      raise(best.front().node);
      consider_parent(best.front().node);
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
    const std::vector<Node> labels(children.begin(), children.end());
    if (rare_with(labels, task_.parameters.m, scratch_.front(), 1) == 0) {
      for (const Node child : labels) {
        for (const Code code : tree_.codes_under(child)) label_of_[code] = child;
      }
      return true;
    }
    records_.relabel(with, labels, [&](std::uint32_t, Node label) {
      return tree_.is_under(label, node) ? node : label;
    });
    records_.set_records_of(node, with);
    return false;
  }

  // Whether a child would be rare, or a pair of a child and another label. What is rare stays so
  // in every finer cut, so that such a node needs no second look.
  bool leaves_rare_pairs(Node node) const {
    const auto children = tree_.children(node);
    std::unordered_map<Node, std::size_t> number;
    for (std::size_t i = 0; i < children.size(); ++i) number[children[i]] = i;
    std::vector<std::vector<std::uint32_t>> with(children.size());
    for (const std::uint32_t r : records_.with(node)) {
      for (const Code code : task_.sets.set(r)) {
        if (!tree_.is_under(code, node)) continue;
        Node child = code;
        while (tree_.parent(child) != node) child = tree_.parent(child);
        auto& records = with[number[child]];
        if (records.empty() || records.back() != r) records.push_back(r);
      }
    }
    const std::uint64_t k = task_.parameters.k;
    std::vector<std::uint64_t> beside(tree_.node_count(), 0);
    std::vector<Node> seen;
    for (const auto& records : with) {
      std::uint64_t patients = 0;
      seen.clear();
      for (const std::uint32_t r : records) {
        patients += records_.weight(r);
        for (const Node label : records_.record(r)) {
          if (beside[label] == 0) seen.push_back(label);
          beside[label] += records_.weight(r);
        }
      }
      bool rare = patients > 0 && patients < k;
      for (const Node label : seen) {
        rare = rare || (beside[label] < k && task_.parameters.m > 1);
        beside[label] = 0;
      }
      if (rare) return true;
    }
    return false;
  }

  void lower_where_nothing_becomes_rare(Progress& progress) {
    std::vector<Node> nodes;
    for (const Node label : labels_under(tree_.root())) {
      if (!tree_.is_code(label) && !forced_[label]) nodes.push_back(label);
    }
    progress.begin("restoring codes", nodes.size());
    std::vector<std::uint8_t> refused(nodes.size(), 0);
    parallel_blocks(nodes.size(), 1, [&](std::size_t i, std::size_t) {
      refused[i] = leaves_rare_pairs(nodes[i]) ? 1 : 0;
    });
    const auto loss = [&](Node node) { return tree_.ncp(node) * occurrences_[node]; };
    const auto cheaper = [&](Node a, Node b) {
      return loss(a) != loss(b) ? loss(a) < loss(b) : a > b;
    };
    std::priority_queue<Node, std::vector<Node>, decltype(cheaper)> queue(cheaper);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (refused[i] == 0) queue.push(nodes[i]);
    }
    while (!queue.empty()) {
      const Node node = queue.top();
      queue.pop();
      progress.advance(1);
      if (!lower(node)) continue;
      for (const Node child : tree_.children(node)) {
        if (!tree_.is_code(child) && !forced_[child]) queue.push(child);
      }
    }
  }

  const Task& task_;
  const CodeTree& tree_;
  LabelledRecords& records_;
  std::vector<RareSets> scratch_;  // for as many scores as are made at once
  std::vector<double> occurrences_;
  std::vector<Node> label_of_;
  std::vector<bool> forced_;  // by node: no cut without rare sets is below it
  std::size_t raises_ = 0;
};

}  // namespace

Recoding recode_by_labels(const Task& task, const LabelledRecords& records) {
  const CodeTree& tree = *task.tree;
  return recode_by_tree(task.sets, tree, [&](std::size_t set, Code code) {
    const auto labels = records.record(static_cast<std::uint32_t>(set));
    Node node = code;
    while (!std::binary_search(labels.begin(), labels.end(), node)) {
      if (node == tree.root()) return kRemoved;
      node = tree.parent(node);
    }
    return node;
  });
}

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
