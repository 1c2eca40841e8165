#include <algorithm>
#include <limits>
#include <queue>
#include <unordered_map>

#include "pratique/codes/method/internal/cut.h"
#include "pratique/codes/method/internal/removal.h"
#include "pratique/codes/method/km_methods.h"

namespace pratique::codes {
namespace {

class LocalRecoding {
 public:
  LocalRecoding(const Task& task, LabelledRecords& records)
      : task_(task),
        tree_(*task.tree),
        records_(records),
        rare_(records, task.parameters.k, task.parameters.m),
        lowered_(records.size(), false) {}

  void run(const std::vector<Node>& cut, Progress& progress) {
    std::priority_queue<std::pair<double, Node>> queue;
    const auto push = [&](Node node) {
      if (!tree_.is_code(node) && !records_.with(node).empty()) {
        queue.emplace(tree_.ncp(node) * static_cast<double>(weight(records_.with(node))), node);
      }
    };
    std::vector<Node> labels = cut;
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    for (const Node node : labels) push(node);
    progress.begin("restoring codes, record by record", queue.size());
    while (!queue.empty()) {
      const Node node = queue.top().second;
      queue.pop();
      progress.advance(1);
      if (part(node)) {
        for (const Node child : tree_.children(node)) push(child);
      }
    }
  }

 private:
  std::uint64_t weight(std::span<const std::uint32_t> records) const {
    std::uint64_t total = 0;
    for (const std::uint32_t r : records) total += records_.weight(r);
    return total;
  }

  std::vector<std::uint32_t> those(std::span<const std::uint32_t> records, bool lowered) const {
    std::vector<std::uint32_t> chosen;
    chosen.reserve(records.size());
    for (const std::uint32_t r : records) {
      if (lowered_[r] == lowered) chosen.push_back(r);
    }
    return chosen;
  }

  // Parts the records with `node` into lowered ones and others; false when none could be lowered.
  bool part(Node node) {
    std::vector<std::uint32_t> with = records_.with(node);
    // Short records bring the fewest new sets with them.
    std::stable_sort(with.begin(), with.end(), [&](std::uint32_t a, std::uint32_t b) {
      return records_.record(a).size() < records_.record(b).size();
    });
    lower_all(records_, task_, node, with);
    const auto children = tree_.children(node);
    for (const std::uint32_t r : with) lowered_[r] = true;
    clean_with_.assign(children.size(), kNotLookedAt);
    clean_others_ = kNotLookedAt;
    while (take_back_rare(children) || complete_others(with, children)) {
    }
    const auto lowered = those(with, true);
    const auto others = those(with, false);
    for (const Node child : children) {
      records_.set_records_of(child, those(records_.with(child), true));
    }
    records_.relabel(others, {}, [&](std::uint32_t, Node label) {
      return tree_.is_under(label, node) ? node : label;
    });
    records_.set_records_of(node, others);
    return !lowered.empty();
  }

  // Records in which a child would be rare, alone or beside other labels, keep the node.
  bool take_back_rare(std::span<const Node> children) {
    bool any = false;
    for (std::size_t c = 0; c < children.size(); ++c) {
      const Node child = children[c];
      const auto with = those(records_.with(child), true);
      // Records are only ever taken back, so as many are the same.
      if (with.empty() || with.size() == clean_with_[c]) continue;
      clean_with_[c] = with.size();
      const auto take_back = [&](std::span<const Node>, std::span<const std::uint32_t> inside) {
        for (const std::uint32_t r : inside) lowered_[r] = false;
        any = true;
      };
      if (weight(with) < task_.parameters.k) {
        take_back({}, with);
        continue;
      }
      rare_.exclude(std::span(&child, 1), true);
      rare_.visit(with, task_.parameters.m - 1, take_back);
      rare_.exclude(std::span(&child, 1), false);
    }
    return any;
  }

  // What is rare beside the node in the records that keep it gets company from those that do not.
  bool complete_others(const std::vector<std::uint32_t>& with, std::span<const Node> children) {
    const auto others = those(with, false);
    if (others.empty() || others.size() == clean_others_) return false;
    clean_others_ = others.size();
    bool any = false;
    const auto add = [&](std::span<const Node> set, std::span<const std::uint32_t> inside) {
      std::uint64_t have = weight(inside);
      for (const std::uint32_t r : set.empty() ? with : those_beside(set.front(), with)) {
        if (have >= task_.parameters.k) break;
        if (!has_all(r, set)) continue;
        if (!lowered_[r]) continue;
        lowered_[r] = false;
        have += records_.weight(r);
        any = true;
      }
    };
    if (weight(others) < task_.parameters.k) {
      add({}, others);
      return any;
    }
    beside_.clear();
    rare_.exclude(children, true);
    rare_.visit(others, task_.parameters.m - 1, add);
    rare_.exclude(children, false);
    return any;
  }

  // Those of the records that have the label; few labels are asked for.
  const std::vector<std::uint32_t>& those_beside(Node label,
                                                 const std::vector<std::uint32_t>& records) {
    const auto [entry, fresh] = beside_.try_emplace(label);
    if (fresh) {
      for (const std::uint32_t r : records) {
        const auto labels = records_.record(r);
        if (std::find(labels.begin(), labels.end(), label) != labels.end())
          entry->second.push_back(r);
      }
    }
    return entry->second;
  }

  bool has_all(std::uint32_t record, std::span<const Node> set) const {
    const auto labels = records_.record(record);
    return std::includes(labels.begin(), labels.end(), set.begin(), set.end());
  }

  const Task& task_;
  const CodeTree& tree_;
  LabelledRecords& records_;
  RareSets rare_;
  std::vector<bool> lowered_;
  // How many records had nothing rare when they were last looked at: by child, those that are
  // lowered, and those that are not.
  static constexpr std::size_t kNotLookedAt = ~std::size_t{0};
  std::vector<std::size_t> clean_with_;
  std::size_t clean_others_ = kNotLookedAt;
  std::unordered_map<Node, std::vector<std::uint32_t>> beside_;
};

// NCP, summed over all codes of all patients.
double loss_of(const Task& task, const LabelledRecords& records) {
  double loss = 0;
  for (std::uint32_t r = 0; r < records.size(); ++r) {
    const auto labels = records.record(r);
    for (const Code code : task.sets.set(r)) {
      const auto over = std::find_if(labels.begin(), labels.end(),
                                     [&](Node label) { return task.tree->is_under(code, label); });
      loss += records.weight(r) * (over == labels.end() ? 1 : task.tree->ncp(*over));
    }
  }
  return loss;
}

}  // namespace

Recoding anonymise_locally(const Task& task, Progress& progress) {
  const auto allowed = codes_that_may_go(task);
  LabelledRecords raised = label_with_codes(task);
  const auto cut = find_cut(task, raised, progress);
  LabelledRecords best = raised;
  LocalRecoding(task, best).run(cut, progress);
  if (allowed == 0) return recode_by_labels(task, best);
  // Where codes are restored record by record, removing others may be in vain: fewer are removed as
  // long as that helps.
  double least = loss_of(task, best);
  double loss_before = std::numeric_limits<double>::infinity();
  for (auto most = allowed; most > 0;) {
    LabelledRecords records = raised;
    auto lower_cut = cut;
    const auto removed = lower_by_removal(task, records, lower_cut, most, progress);
    if (removed == 0) break;
    LocalRecoding(task, records).run(lower_cut, progress);
    const double loss = loss_of(task, records);
    if (loss >= loss_before) break;
    loss_before = loss;
    if (loss < least) {
      least = loss;
      best = std::move(records);
    }
    most = removed * 3 / 4;
  }
  return recode_by_labels(task, best);
}

}  // namespace pratique::codes
