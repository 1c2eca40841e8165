#include "pratique/tables/method/internal/local_classes.h"

#include <algorithm>
#include <limits>
#include <map>

#include "pratique/data/generalised.h"
#include "pratique/tables/metric/metrics.h"

namespace pratique::tables::internal {

using Node = Hierarchy::Node;

LocalClasses::LocalClasses(const ProtectionInput& input, const Models& models)
    : input_(input), models_(models), counter_(input) {
  if (std::any_of(models.begin(), models.end(),
                  [](const auto& model) { return model->needs_population(); })) {
    people_.emplace(input, CellStyle::labels);
  }
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const Hierarchy& hierarchy = *input.attributes[a].hierarchy;
    loss_.push_back(node_losses(input.attributes[a]));
    auto& texts = text_.emplace_back();
    std::unordered_map<std::string, std::uint32_t> seen;
    for (Node node = 0; node < hierarchy.node_count(); ++node) {
      const auto next = static_cast<std::uint32_t>(seen.size());
      texts.push_back(seen.emplace(text(a, node), next).first->second);
    }
  }
}

std::string LocalClasses::text(std::size_t attribute, Node node) const {
  const Hierarchy& hierarchy = *input_.attributes[attribute].hierarchy;
  const std::string_view label = hierarchy.label(node);
  return hierarchy.is_leaf(node) ? GeneralisedValue::text(label).print() : std::string(label);
}

Node LocalClasses::meet(std::size_t attribute, Node a, Node b) const {
  const Hierarchy& hierarchy = *input_.attributes[attribute].hierarchy;
  while (a != b) {
    Node& lower = hierarchy.level(a) <= hierarchy.level(b) ? a : b;
    lower = hierarchy.parent(lower);
  }
  return a;
}

LocalClasses::Class LocalClasses::single(std::uint32_t group) const {
  Class eq_class;
  eq_class.groups = {group};
  for (const auto& attribute : input_.attributes) {
    eq_class.cells.push_back(attribute.leaf[attribute.column->codes[group]]);
  }
  eq_class.records = (*input_.counts)[group];
  return eq_class;
}

double LocalClasses::added_loss(const Class& first, const Class& second, double enough) const {
  const auto first_records = static_cast<double>(first.records);
  const auto second_records = static_cast<double>(second.records);
  double sum = 0;
  for (std::size_t a = 0; a < loss_.size(); ++a) {
    const Node x = first.cells[a];
    const Node y = second.cells[a];
    if (x == y) continue;
    const double both = loss_[a][meet(a, x, y)];
    sum += first_records * (both - loss_[a][x]) + second_records * (both - loss_[a][y]);
    if (sum >= enough) break;
  }
  return sum;
}

LocalClasses::Class LocalClasses::united(const Class& first, const Class& second) const {
  Class both = first;
  both.groups.insert(both.groups.end(), second.groups.begin(), second.groups.end());
  for (std::size_t a = 0; a < both.cells.size(); ++a) {
    both.cells[a] = meet(a, first.cells[a], second.cells[a]);
  }
  both.records += second.records;
  return both;
}

bool LocalClasses::holds(const Class& eq_class) {
  counter_.clear();
  for (const auto group : eq_class.groups) counter_.add(group);
  ClassView view = counter_.view();
  // Whoever fits the cells of a class stands behind it, not only who is in its groups.
  if (people_) view.population = people_->count(people_->under(eq_class.cells));
  return all_hold(models_, view);
}

bool LocalClasses::place(const Class& leftover, const std::function<bool()>& give_up) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  double least = kAny;
  std::size_t nearest = 0;
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    const double loss = added_loss(classes_[c], leftover, least);
    if (loss < least) {
      least = loss;
      nearest = c;
    }
  }
  if (classes_.empty()) return false;
  Class joined = united(classes_[nearest], leftover);
  if (holds(joined)) {
    classes_[nearest] = std::move(joined);
    return true;
  }
  std::vector<std::pair<double, std::size_t>> near;
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    near.emplace_back(added_loss(classes_[c], leftover, kAny), c);
  }
  std::sort(near.begin(), near.end());
  for (const auto& [loss, c] : near) {
    if (give_up()) return false;
    joined = united(classes_[c], leftover);
    if (!holds(joined)) continue;
    classes_[c] = std::move(joined);
    return true;
  }
  // No single class bears it: the nearest ones together, twice as many each time.
  joined = leftover;
  std::size_t taken = 0;
  for (std::size_t wanted = 2; taken < near.size(); wanted *= 2) {
    for (; taken < std::min(wanted, near.size()); ++taken) {
      joined = united(joined, classes_[near[taken].second]);
    }
    if (!holds(joined)) continue;
    for (std::size_t i = 0; i < taken; ++i) classes_[near[i].second].groups.clear();
    classes_.erase(std::remove_if(classes_.begin(), classes_.end(),
                                  [](const Class& eq_class) { return eq_class.groups.empty(); }),
                   classes_.end());
    classes_.push_back(std::move(joined));
    return true;
  }
  return false;
}

std::vector<LocalClasses::Class> LocalClasses::unite_equal() {
  std::vector<Class> broken;
  bool changed = true;
  while (changed) {
    std::map<std::vector<std::uint32_t>, std::size_t> first;
    std::vector<Class> distinct;
    std::vector<char> grown;
    for (auto& eq_class : classes_) {
      std::vector<std::uint32_t> texts;
      for (std::size_t a = 0; a < eq_class.cells.size(); ++a)
        texts.push_back(text_[a][eq_class.cells[a]]);
      const auto [place, added] = first.emplace(std::move(texts), distinct.size());
      if (added) {
        distinct.push_back(std::move(eq_class));
        grown.push_back(0);
      } else {
        distinct[place->second] = united(distinct[place->second], eq_class);
        grown[place->second] = 1;
      }
    }
    // The cells of two that became one may now be those of a third.
    changed = distinct.size() < classes_.size();
    classes_.clear();
    for (std::size_t c = 0; c < distinct.size(); ++c) {
      auto& where = grown[c] != 0 && !holds(distinct[c]) ? broken : classes_;
      where.push_back(std::move(distinct[c]));
    }
  }
  return broken;
}

std::optional<std::vector<LocalClasses::Class>> LocalClasses::settle(
    std::vector<Class> leftovers, const std::function<bool()>& give_up) {
  std::vector<Class> fits_nowhere;
  // Ends: whatever comes back from unite_equal was two classes before.
  while (true) {
    for (auto& leftover : leftovers) {
      if (give_up()) return std::nullopt;
      if (!place(leftover, give_up)) fits_nowhere.push_back(std::move(leftover));
    }
    if (give_up()) return std::nullopt;
    leftovers = unite_equal();
    if (leftovers.empty()) return fits_nowhere;
  }
}

Recoding LocalClasses::print(std::uint64_t suppressed) const {
  Recoding recoding;
  recoding.suppressed = suppressed;
  recoding.class_count = classes_.size();
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    for (const auto group : classes_[c].groups) {
      recoding.groups.push_back(group);
      recoding.counts.push_back((*input_.counts)[group]);
      recoding.class_of.push_back(static_cast<ClassId>(c));
    }
  }
  for (std::size_t a = 0; a < input_.attributes.size(); ++a) {
    const Hierarchy& hierarchy = *input_.attributes[a].hierarchy;
    RecodedColumn& column = recoding.columns.emplace_back();
    std::unordered_map<std::uint32_t, Code> code_of_text;
    for (const auto& eq_class : classes_) {
      const Node node = eq_class.cells[a];
      const auto [place, added] =
          code_of_text.emplace(text_[a][node], static_cast<Code>(column.values.size()));
      if (added) {
        column.values.push_back(text(a, node));
        column.leaves.push_back(0);
      }
      // One text may stand on several levels; a reader must think of the highest.
      double& leaves = column.leaves[place->second];
      leaves = std::max(leaves, static_cast<double>(hierarchy.leaves_under(node)));
      column.codes.insert(column.codes.end(), eq_class.groups.size(), place->second);
    }
  }
  return recoding;
}

}  // namespace pratique::tables::internal
