#include "pratique/codes/method/internal/admission.h"

#include <algorithm>
#include <queue>
#include <set>

#include "pratique/codes/method/internal/cut.h"

namespace pratique::codes {

std::vector<bool> sensitive_codes(const Task& task) {
  std::vector<bool> sensitive(task.sets.codes.size(), false);
  for (const auto& text : task.parameters.sensitive) {
    if (const auto code = task.sets.codes.find(text)) sensitive[*code] = true;
  }
  return sensitive;
}

Admission::Admission(const Task& task, bool use_tree)
    : task_(task),
      tree_(use_tree ? task.tree : nullptr),
      sensitive_(sensitive_codes(task)),
      records_(label_with_codes(task)),
      state_(records_.nodes(), State::absent) {
  const auto supports = task.sets.supports();
  occurrences_.assign(records_.nodes(), 0);
  double shown = 0;
  double hidden = 0;
  for (Code code = 0; code < supports.size(); ++code) {
    occurrences_[code] = static_cast<double>(supports[code]);
    (sensitive_[code] ? hidden : shown) += occurrences_[code];
    label_of_.push_back(code);
    if (tree_ == nullptr || sensitive_[code]) continue;
    for (Node node = code; node != tree_->root();) {
      node = tree_->parent(node);
      occurrences_[node] += occurrences_[code];
    }
  }
  if (hidden > 0) sensitive_weight_ = std::max(1.0, shown / hidden);
}

std::vector<Node> Admission::public_labels_under(Node node) const {
  std::vector<Node> labels;
  for (const Code code : tree_->codes_under(node)) {
    if (!sensitive_[code]) labels.push_back(label_of_[code]);
  }
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

double Admission::loss(Node label) const {
  if (state_[label] == State::suppressed) return loss_when_suppressed(label);
  return tree_ == nullptr ? 0 : tree_->ncp(label) * occurrences_[label];
}

void Admission::run(const Check& check, Progress& progress) {
  for (Code code = 0; code < label_of_.size(); ++code) waiting_.push_back(code);
  // The last is the first to be settled. Ties by text, so that the order of the input does not
  // matter.
  std::sort(waiting_.begin(), waiting_.end(), [&](Node a, Node b) {
    if (sensitive(a) != sensitive(b)) return sensitive(b);
    if (occurrences_[a] != occurrences_[b]) return occurrences_[a] < occurrences_[b];
    return task_.sets.codes.value(a) > task_.sets.codes.value(b);
  });
  for (const Node label : waiting_) state_[label] = State::waiting;
  progress.begin("admitting codes", waiting_.size());
  for (std::size_t left = waiting_.size(); !waiting_.empty();) {
    settle(check);
    if (waiting_.size() < left) progress.advance(left - waiting_.size());
    left = std::min(left, waiting_.size());
  }
  if (tree_ == nullptr) return;
  const auto cheaper = [&](Node a, Node b) {
    return occurrences_[a] != occurrences_[b] ? occurrences_[a] < occurrences_[b] : a > b;
  };
  std::priority_queue<Node, std::vector<Node>, decltype(cheaper)> raised(cheaper);
  for (const Node label : public_labels_under(tree_->root())) {
    if (!tree_->is_code(label)) raised.push(label);
  }
  progress.begin("restoring codes", raised.size());
  while (!raised.empty()) {
    const Node node = raised.top();
    raised.pop();
    progress.advance(1);
    if (!try_lower(node, check)) continue;
    for (const Node child : tree_->children(node)) {
      if (!tree_->is_code(child) && occurrences_[child] > 0) raised.push(child);
    }
  }
}

void Admission::settle(const Check& check) {
  const Node label = waiting_.back();
  waiting_.pop_back();
  if (state_[label] != State::waiting) return;
  state_[label] = State::admitted;
  const auto breach = check(label);
  if (breach.empty()) return;
  state_[label] = State::waiting;
  waiting_.push_back(label);
  mend(breach);
}

void Admission::mend(const std::vector<Node>& breach) {
  double least = -1;
  Node best = 0;
  bool by_raising = false;
  const auto consider = [&](Node label, bool raising, double cost) {
    if (least >= 0 && cost >= least) return;
    least = std::max(0.0, cost);
    best = label;
    by_raising = raising;
  };
  for (const Node label : breach) {
    consider(label, false, loss_when_suppressed(label) - loss(label));
    if (tree_ == nullptr || sensitive(label) || label == tree_->root()) continue;
    const Node parent = tree_->parent(label);
    double cost = loss(parent);
    for (const Node inside : public_labels_under(parent)) cost -= loss(inside);
    consider(label, true, cost);
  }
  if (by_raising) {
    raise(tree_->parent(best));
  } else {
    suppress(best);
  }
}

void Admission::suppress(Node label) { state_[label] = State::suppressed; }

void Admission::raise(Node node) {
  const auto labels = public_labels_under(node);
  auto with = records_.with_any(labels);
  records_.relabel(with, labels, [&](std::uint32_t, Node label) {
    return !sensitive(label) && tree_->is_under(label, node) ? node : label;
  });
  records_.set_records_of(node, std::move(with));
  for (const Node label : labels) state_[label] = State::absent;
  for (const Code code : tree_->codes_under(node)) {
    if (!sensitive_[code]) label_of_[code] = node;
  }
  state_[node] = State::waiting;
  waiting_.push_back(node);
}

std::vector<Node> Admission::lower(Node node) {
  const std::vector<std::uint32_t> with = records_.with(node);
  records_.forget(node);
  state_[node] = State::absent;
  std::set<Node> children;
  for (const Code code : tree_->codes_under(node)) {
    if (sensitive_[code]) continue;
    Node child = code;
    while (tree_->parent(child) != node) child = tree_->parent(child);
    label_of_[code] = child;
    children.insert(child);
  }
  std::vector<Node> labels;
  for (const std::uint32_t r : with) {
    labels.clear();
    for (const Node label : records_.record(r)) {
      if (label != node) labels.push_back(label);
    }
    const auto others = static_cast<std::ptrdiff_t>(labels.size());
    for (const Code code : task_.sets.set(r)) {
      if (!sensitive_[code] && tree_->is_under(code, node)) labels.push_back(label_of_[code]);
    }
    std::sort(labels.begin() + others, labels.end());
    labels.erase(std::unique(labels.begin() + others, labels.end()), labels.end());
    for (auto child = labels.begin() + others; child != labels.end(); ++child) {
      records_.add_occurrence(*child, r);
    }
    records_.replace(r, labels);
  }
  return {children.begin(), children.end()};
}

bool Admission::try_lower(Node node, const Check& check) {
  const State before = state_[node];
  const double most = loss(node);
  auto children = lower(node);
  std::sort(children.begin(), children.end(), [&](Node a, Node b) {
    return occurrences_[a] != occurrences_[b] ? occurrences_[a] > occurrences_[b] : a < b;
  });
  double now = 0;
  for (const Node child : children) {
    state_[child] = State::admitted;
    if (!check(child).empty()) state_[child] = State::suppressed;
    now += loss(child);
    if (now >= most) break;
  }
  // A lone child is as good: it may be lowered on.
  if (now < most || (children.size() == 1 && now <= most)) return true;
  raise(node);
  waiting_.pop_back();
  state_[node] = before;
  return false;
}

Recoding Admission::recoding() const {
  constexpr std::uint32_t kNone = 0xffffffffU;
  Recoding recoding;
  recoding.domain = task_.tree == nullptr ? label_of_.size() : task_.tree->leaf_count();
  const std::set<std::string> hidden(task_.parameters.sensitive.begin(),
                                     task_.parameters.sensitive.end());
  std::vector<std::uint32_t> number(state_.size(), kNone);
  for (std::size_t s = 0; s < task_.sets.size(); ++s) {
    const auto begin = static_cast<std::ptrdiff_t>(recoding.items.size());
    for (const Code code : task_.sets.set(s)) {
      const Node node = label_of_[code];
      if (!admitted(node)) continue;
      if (number[node] == kNone) {
        number[node] = static_cast<std::uint32_t>(recoding.labels.size());
        Label label;
        if (node < label_of_.size()) {
          label = {std::string(task_.sets.codes.value(node)), {node}};
        } else {
          label = {tree_->label(node), {}};
          for (const Code covered : tree_->codes_under(node)) {
            if (!sensitive_[covered]) label.covers.push_back(covered);
          }
          std::sort(label.covers.begin(), label.covers.end());
          for (const auto& leaf : tree_->leaves_under(node)) {
            if (!hidden.contains(leaf)) label.leaves.push_back(leaf);
          }
          label.ncp = tree_->ncp(node);
          label.hierarchy = tree_->speaks();
        }
        recoding.labels.push_back(std::move(label));
      }
      recoding.items.push_back(number[node]);
    }
    std::sort(recoding.items.begin() + begin, recoding.items.end());
    recoding.items.erase(std::unique(recoding.items.begin() + begin, recoding.items.end()),
                         recoding.items.end());
    recoding.first.push_back(recoding.items.size());
  }
  return recoding;
}

}  // namespace pratique::codes
