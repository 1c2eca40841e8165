#include "pratique/codes/method/partition.h"

#include <algorithm>
#include <map>
#include <utility>

namespace pratique::codes {
namespace {

using Node = CodeTree::Node;
using Sets = std::vector<std::uint32_t>;

struct Part {
  Sets sets;
  std::vector<Node> open;    // nodes that may be replaced by their children
  std::vector<Node> closed;  // those that stay
};

class Partitioner {
 public:
  explicit Partitioner(const Task& task)
      : sets_(task.sets),
        tree_(*task.tree),
        k_(task.parameters.k),
        order_(task.sets.size()),
        place_(task.sets.size()) {
    // By content, so that the order of the input does not matter.
    std::vector<std::uint32_t> by_text(sets_.codes.size());
    for (Code code = 0; code < by_text.size(); ++code) by_text[code] = code;
    std::sort(by_text.begin(), by_text.end(),
              [&](Code a, Code b) { return sets_.codes.value(a) < sets_.codes.value(b); });
    std::vector<std::uint32_t> rank(by_text.size());
    for (std::uint32_t i = 0; i < rank.size(); ++i) rank[by_text[i]] = i;
    std::vector<std::vector<std::uint32_t>> ranked(sets_.size());
    for (std::uint32_t s = 0; s < sets_.size(); ++s) {
      order_[s] = s;
      for (const Code code : sets_.set(s)) ranked[s].push_back(rank[code]);
      std::sort(ranked[s].begin(), ranked[s].end());
    }
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return ranked[a] < ranked[b]; });
    for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  }

  // The nodes that each set shows.
  std::vector<std::vector<Node>> run(Progress& progress) {
    std::vector<std::vector<Node>> shown(sets_.size());
    std::vector<Part> waiting = {{order_, {}, {}}};
    add(waiting.back(), tree_.root());
    progress.begin("parting records", sets_.size());
    while (!waiting.empty()) {
      Part part = std::move(waiting.back());
      waiting.pop_back();
      if (!part.open.empty()) {
        expand_best(part, waiting);
        continue;
      }
      part.closed.insert(part.closed.end(), part.open.begin(), part.open.end());
      for (const auto s : part.sets) shown[s] = part.closed;
      progress.advance(part.sets.size());
    }
    return shown;
  }

 private:
  using Groups = std::map<std::vector<Node>, Sets>;  // by the children that the sets have

  void add(Part& part, Node node) const {
    (tree_.is_code(node) ? part.closed : part.open).push_back(node);
  }

  [[nodiscard]] std::uint64_t patients(const Sets& sets) const {
    std::uint64_t total = 0;
    for (const auto s : sets) total += sets_.counts[s];
    return total;
  }

  [[nodiscard]] Node child_over(Code code, Node above) const {
    Node node = code;
    while (tree_.parent(node) != above) node = tree_.parent(node);
    return node;
  }

  Groups group(const Sets& sets, Node node) const {
    Groups groups;
    std::vector<Node> children;
    for (const auto s : sets) {
      children.clear();
      for (const Code code : sets_.set(s)) {
        if (tree_.is_under(code, node)) children.push_back(child_over(code, node));
      }
      std::sort(children.begin(), children.end());
      children.erase(std::unique(children.begin(), children.end()), children.end());
      groups[children].push_back(s);
    }
    return groups;
  }

  [[nodiscard]] std::uint64_t width(Node node) const {
    return tree_.is_code(node) ? 0 : tree_.leaves_under(node).size();
  }

  // What opening the node gives back in the groups that are large enough.
  [[nodiscard]] std::uint64_t gain(const Groups& groups, Node node) const {
    std::uint64_t total = 0;
    for (const auto& [children, sets] : groups) {
      if (patients(sets) < k_) continue;
      for (const auto s : sets) {
        for (const Code code : sets_.set(s)) {
          if (!tree_.is_under(code, node)) continue;
          total += sets_.counts[s] * (width(node) - width(child_over(code, node)));
        }
      }
    }
    return total;
  }

  // Opens one node of the part, or closes it when there is nothing to win.
  void expand_best(Part& part, std::vector<Part>& waiting) const {
    Groups best;
    Node chosen = 0;
    std::uint64_t most = 0;
    std::vector<Node> still_open;
    for (const Node node : part.open) {
      Groups groups = group(part.sets, node);
      const std::uint64_t gained = gain(groups, node);
      if (gained == 0) {
        part.closed.push_back(node);  // a smaller part has no larger groups
        continue;
      }
      still_open.push_back(node);
      if (gained > most || (gained == most && tree_.label(node) < tree_.label(chosen))) {
        best = std::move(groups);
        chosen = node;
        most = gained;
      }
    }
    part.open = std::move(still_open);
    if (part.open.empty()) {
      waiting.push_back(std::move(part));
      return;
    }
    std::erase(part.open, chosen);
    Sets left = balance(best);
    for (auto& [children, sets] : best) {
      Part next{std::move(sets), part.open, part.closed};
      for (const Node child : children) add(next, child);
      waiting.push_back(std::move(next));
    }
    if (left.empty()) return;
    std::sort(left.begin(), left.end(),
              [&](std::uint32_t a, std::uint32_t b) { return place_[a] < place_[b]; });
    part.sets = std::move(left);
    part.closed.push_back(chosen);
    waiting.push_back(std::move(part));
  }

  // Takes out the groups under k; those that stay give up sets, the largest first, until what was
  // taken out are at least k as well, or nobody.
  Sets balance(Groups& groups) const {
    Sets left;
    std::uint64_t out = 0;
    std::vector<std::pair<std::uint64_t, Groups::iterator>> large;
    for (auto i = groups.begin(); i != groups.end();) {
      const std::uint64_t size = patients(i->second);
      if (size >= k_) {
        large.emplace_back(size, i++);
        continue;
      }
      out += size;
      left.insert(left.end(), i->second.begin(), i->second.end());
      i = groups.erase(i);
    }
    std::stable_sort(large.begin(), large.end(), [&](const auto& a, const auto& b) {
      if (a.first != b.first) return a.first > b.first;
      return texts_of(a.second->first) < texts_of(b.second->first);
    });
    if (out == 0) return left;
    for (auto& [size, place] : large) {
      Sets& sets = place->second;
      for (std::size_t i = sets.size(); i-- > 0 && out < k_;) {
        const std::uint64_t count = sets_.counts[sets[i]];
        if (size - count < k_) continue;
        size -= count;
        out += count;
        left.push_back(sets[i]);
        sets.erase(sets.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    while (out < k_) {
      const auto place = large.back().second;
      out += large.back().first;
      left.insert(left.end(), place->second.begin(), place->second.end());
      groups.erase(place);
      large.pop_back();
    }
    return left;
  }

  [[nodiscard]] std::vector<std::string_view> texts_of(const std::vector<Node>& nodes) const {
    std::vector<std::string_view> texts;
    for (const Node node : nodes) texts.push_back(tree_.label(node));
    std::sort(texts.begin(), texts.end());
    return texts;
  }

  const CodeSets& sets_;
  const CodeTree& tree_;
  std::uint64_t k_;
  Sets order_;
  std::vector<std::uint32_t> place_;  // of each set in the order
};

}  // namespace

Recoding anonymise_by_partition(const Task& task, Progress& progress) {
  const auto shown = Partitioner(task).run(progress);
  return recode_by_tree(task.sets, *task.tree, [&](std::size_t set, Code code) {
    CodeTree::Node node = code;
    while (std::find(shown[set].begin(), shown[set].end(), node) == shown[set].end()) {
      node = task.tree->parent(node);
    }
    return node;
  });
}

}  // namespace pratique::codes
