#include "pratique/tables/method/anonymisation_levels.h"

#include "pratique/core/error.h"
#include "pratique/tables/method/internal/microaggregated.h"
#include "pratique/tables/method/internal/neighbour_tree.h"
#include "pratique/tables/method/internal/splitter.h"
#include "pratique/tables/model/k_anonymity.h"

namespace pratique::tables {

struct AnonymisationLevels::Structure {
  virtual ~Structure() = default;
  [[nodiscard]] virtual Recoding at(std::uint64_t k, const Models& models, Progress& progress) = 0;
};

// Of Mondrian's cuts.
struct AnonymisationLevels::Tree final : Structure {
  struct Node {
    Items items;
    std::uint64_t records = 0;
    std::unique_ptr<Node> first = nullptr;
    std::unique_ptr<Node> second = nullptr;
    bool settled = false;  // no cut is left for it, and there will be none for a larger k
  };

  explicit Tree(const ProtectionInput& table)
      : input(table), space(table, options.style, options.loss) {
    root.items = all_items(table);
    root.records = records_in(root.items);
  }

  Recoding at(std::uint64_t k, const Models& models, Progress& progress) override {
    Splitter splitter(input, models, space, options);
    std::vector<Items> classes;
    std::vector<Node*> pending = {&root};
    while (!pending.empty()) {
      Node* node = pending.back();
      pending.pop_back();
      progress.check();
      const bool kept = node->first && node->first->records >= k && node->second->records >= k;
      if (!kept && !node->settled) cut(*node, splitter);
      if (node->first) {
        pending.push_back(node->second.get());
        pending.push_back(node->first.get());
      } else {
        classes.push_back(node->items);
        progress.advance(node->items.size());
      }
    }
    return recoding_of(input, classes, options.style);
  }

  static void cut(Node& node, Splitter& splitter) {
    node.first.reset();
    node.second.reset();
    std::optional<Splitter::Cut> best;
    for (const std::size_t word : splitter.words_by_width(node.items)) {
      auto candidate = splitter.best_cut(node.items, word);
      if (Splitter::better(candidate, best)) best = std::move(candidate);
    }
    node.settled = !best;
    if (!best) return;
    node.first = std::make_unique<Node>();
    node.second = std::make_unique<Node>();
    Splitter::apply(*best, node.items, node.first->items, node.second->items);
    node.first->records = records_in(node.first->items);
    node.second->records = records_in(node.second->items);
  }

  const ProtectionInput& input;
  MondrianOptions options;
  LossSpace space;
  Node root;
};

// Of microaggregation.
struct AnonymisationLevels::Neighbours final : Structure {
  explicit Neighbours(const ProtectionInput& table)
      : input(table), space(table), tree(table, space, all_items(table)) {}

  Recoding at(std::uint64_t k, const Models&, Progress& progress) override {
    tree.restore();
    std::vector<Items> classes;
    // What is left after a class is nothing or enough for another.
    const auto may_take = [&] { return tree.records() == k || tree.records() >= 2 * k; };
    const auto gather = [&](std::uint32_t seed) {
      if (!may_take()) return false;
      classes.push_back(tree.take_nearest(space.at(seed), k));
      progress.advance(classes.back().size());
      return true;
    };
    while (tree.records() > 0) {
      const std::uint32_t first_seed = tree.farthest(tree.centre());
      const std::uint32_t second_seed = tree.farthest(space.at(first_seed));
      if (!gather(first_seed) || (tree.records() > 0 && !gather(second_seed))) break;
    }
    if (tree.records() > 0) classes.push_back(tree.rest());
    return show_microaggregated(input, classes, {}).recoding;
  }

  const ProtectionInput& input;
  StandardSpace space;
  NeighbourTree tree;
};

AnonymisationLevels::AnonymisationLevels(const ProtectionInput& input, Method method)
    : input_(input) {
  if (method == Method::mondrian) {
    structure_ = std::make_unique<Tree>(input);
  } else {
    structure_ = std::make_unique<Neighbours>(input);
  }
}

AnonymisationLevels::~AnonymisationLevels() = default;

Recoding AnonymisationLevels::at(std::uint64_t k, Progress& progress) {
  if (k < last_) throw Error::input("levels are made for one k after the other, upwards");
  last_ = k;
  Models models;
  models.push_back(k_anonymity(k));
  const Items items = all_items(input_);
  require_feasible(input_, models, items);
  if (items.empty()) return recoding_of(input_, {}, CellStyle::free);
  progress.begin("making level " + std::to_string(k), items.size());
  return structure_->at(k, models, progress);
}

}  // namespace pratique::tables
