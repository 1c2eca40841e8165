#include "pratique/tables/model/explanation.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/data/generalised.h"
#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/model/class_counts.h"

namespace pratique::tables {
namespace {

using Node = Hierarchy::Node;
constexpr std::size_t kPartsNamed = 4;

bool worse(const Model& model, double value, double than) {
  return model.larger_is_safer() ? value < than : value > than;
}

std::string in_words(double value) {
  if (!std::isfinite(value)) return "unbounded";
  return std::floor(value) == value && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:.3g}", value);
}

std::string counted(std::uint64_t records) {
  return records == 1 ? "1 record" : fmt::format("{} records", records);
}

// The parts, the smallest first; long lists are cut.
std::string listed(const std::vector<LoweredPart>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size() && i < kPartsNamed; ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += fmt::format("{} ({})", parts[i].cell.empty() ? "no value" : parts[i].cell,
                        counted(parts[i].records));
  }
  if (parts.size() > kPartsNamed)
    text += fmt::format(" and {} larger parts", parts.size() - kPartsNamed);
  return text;
}

}  // namespace

Explainer::Explainer(const ProtectionInput& input, const Models& models, const Recoding& recoding)
    : input_(input), models_(models), recoding_(recoding), members_(recoding.class_count) {
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    members_[recoding.class_of[i]].push_back(i);
  }
}

std::vector<std::string> Explainer::cells(ClassId id) const {
  std::vector<std::string> result;
  for (const auto& column : recoding_.columns) {
    result.push_back(column.values[column.codes[members_[id].front()]]);
  }
  return result;
}

std::uint64_t Explainer::records(ClassId id) const {
  std::uint64_t sum = 0;
  for (const auto entry : members_[id]) sum += recoding_.counts[entry];
  return sum;
}

std::vector<Explainer::Part> Explainer::by_children(ClassId id, std::size_t attribute,
                                                    Node node) const {
  const Attribute& at = input_.attributes[attribute];
  const int level = at.hierarchy->level(node) - 1;
  std::map<Node, Part> parts;
  for (const auto entry : members_[id]) {
    const Code code = at.column->codes[recoding_.groups[entry]];
    const Node child = at.hierarchy->ancestor(at.leaf[code], level);
    Part& part = parts[child];
    part.cell = at.hierarchy->label(child);
    part.entries.push_back(entry);
    part.records += recoding_.counts[entry];
  }
  std::vector<Part> result;
  for (auto& [child, part] : parts) result.push_back(std::move(part));
  return result;
}

std::vector<Explainer::Part> Explainer::in_two(ClassId id, std::size_t attribute) const {
  const Attribute& at = input_.attributes[attribute];
  std::map<std::uint32_t, Part> by_rank;
  for (const auto entry : members_[id]) {
    const Code code = at.column->codes[recoding_.groups[entry]];
    Part& part = by_rank[at.rank[code]];
    part.cell = at.column->dictionary.value(code);
    part.entries.push_back(entry);
    part.records += recoding_.counts[entry];
  }
  if (by_rank.empty()) return {};
  if (by_rank.size() == 1) {
    // A cell that also covers people of the population could show the value itself.
    const RecodedColumn& column = recoding_.columns[attribute];
    const bool exact = column.leaves[column.codes[members_[id].front()]] <= 1;
    return exact ? std::vector<Part>{} : std::vector<Part>{by_rank.begin()->second};
  }
  const std::uint64_t all = records(id);
  std::uint64_t below = 0;
  std::uint64_t best = 0;
  std::size_t cut = 0;
  std::size_t position = 0;
  for (const auto& [rank, part] : by_rank) {
    below += part.records;
    ++position;
    const std::uint64_t smaller = std::min(below, all - below);
    if (position < by_rank.size() && smaller > best) {
      best = smaller;
      cut = position;
    }
  }
  std::vector<Part> halves(2);
  std::vector<std::vector<std::string>> values(2);
  position = 0;
  for (auto& [rank, part] : by_rank) {
    const std::size_t side = position++ < cut ? 0 : 1;
    halves[side].entries.insert(halves[side].entries.end(), part.entries.begin(),
                                part.entries.end());
    halves[side].records += part.records;
    values[side].push_back(part.cell);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    const auto& own = values[side];
    if (own.size() == 1) {
      halves[side].cell = own.front();
    } else if (at.kind != Attribute::Kind::category) {
      halves[side].cell = fmt::format("{}..{}", own.front(), own.back());
    } else {
      halves[side].cell = fmt::format("{} values", own.size());
    }
  }
  return halves;
}

std::vector<Explainer::Part> Explainer::parts_of(ClassId id, std::size_t attribute) const {
  const Attribute& at = input_.attributes[attribute];
  const RecodedColumn& column = recoding_.columns[attribute];
  const Code shown = column.codes[members_[id].front()];
  const auto node = at.hierarchy->find(column.values[shown]);
  // A mean may read like a node that it is not; a flat tree has nothing between all and each.
  const bool is_node = node && at.hierarchy->leaves_under(*node) == column.leaves[shown];
  if (!is_node) return in_two(id, attribute);
  if (at.hierarchy->is_leaf(*node)) return {};
  // A child of the same leaves is no change: go on to one that is.
  Node from = *node;
  std::vector<Part> parts = by_children(id, attribute, from);
  while (parts.size() == 1 && at.hierarchy->level(from) > 1) {
    const Code code = at.column->codes[recoding_.groups[members_[id].front()]];
    const Node child = at.hierarchy->ancestor(at.leaf[code], at.hierarchy->level(from) - 1);
    if (at.hierarchy->leaves_under(child) != at.hierarchy->leaves_under(from)) break;
    from = child;
    parts = by_children(id, attribute, from);
  }
  return parts;
}

const std::vector<char>& Explainer::values_in(std::size_t attribute,
                                              const std::string& cell) const {
  const auto [place, added] = values_in_.try_emplace({attribute, cell});
  if (added) {
    const Attribute& at = input_.attributes[attribute];
    const auto value = GeneralisedValue::parse(cell);
    for (const auto text : at.column->dictionary.values()) {
      place->second.push_back(value.contains(text, at.hierarchy) ? 1 : 0);
    }
  }
  return place->second;
}

std::uint64_t Explainer::people(ClassId id, std::size_t attribute, const Part* part) const {
  if (input_.population == nullptr) return 0;
  std::vector<std::vector<char>> in;
  for (std::size_t a = 0; a < input_.attributes.size(); ++a) {
    const RecodedColumn& column = recoding_.columns[a];
    const bool lowered = part != nullptr && a == attribute;
    in.push_back(
        values_in(a, lowered ? part->cell : column.values[column.codes[members_[id].front()]]));
    if (!lowered) continue;
    for (const auto entry : part->entries) {
      in.back()[input_.attributes[a].column->codes[recoding_.groups[entry]]] = 1;
    }
  }
  std::uint64_t sum = 0;
  for (std::size_t group = 0; group < input_.groups(); ++group) {
    bool inside = (*input_.population)[group] > 0;
    for (std::size_t a = 0; inside && a < in.size(); ++a) {
      inside = in[a][input_.attributes[a].column->codes[group]] != 0;
    }
    if (inside) sum += (*input_.population)[group];
  }
  return sum;
}

LoweredCell Explainer::lower(ClassId id, std::size_t attribute) const {
  LoweredCell lowered;
  lowered.attribute = attribute;
  const RecodedColumn& column = recoding_.columns[attribute];
  lowered.cell = column.values[column.codes[members_[id].front()]];
  ClassCounter counter(input_);
  std::vector<std::optional<double>> worst(models_.size());
  for (const Part& part : parts_of(id, attribute)) {
    counter.clear();
    for (const auto entry : part.entries) {
      counter.add(recoding_.groups[entry], recoding_.counts[entry]);
    }
    ClassView view = counter.view();
    view.population = people(id, attribute, &part);
    LoweredPart shown{part.cell, part.records, {}};
    for (std::size_t m = 0; m < models_.size(); ++m) {
      if (models_[m]->holds(view)) continue;
      shown.broken.push_back(models_[m]->name());
      const double measure = models_[m]->measure(view);
      if (!worst[m] || worse(*models_[m], measure, *worst[m])) worst[m] = measure;
    }
    if (!shown.broken.empty()) lowered.records_broken += part.records;
    lowered.parts.push_back(std::move(shown));
  }
  std::stable_sort(lowered.parts.begin(), lowered.parts.end(),
                   [](const auto& a, const auto& b) { return a.records < b.records; });
  for (std::size_t m = 0; m < models_.size(); ++m) {
    if (worst[m]) lowered.broken.push_back({models_[m]->name(), models_[m]->required(), *worst[m]});
  }
  return lowered;
}

ExplainedClass Explainer::explain(ClassId id) const {
  ExplainedClass result;
  result.records = records(id);
  result.cells = cells(id);
  for (std::size_t a = 0; a < input_.attributes.size(); ++a) {
    result.lowered.push_back(lower(id, a));
  }
  ClassCounter counter(input_);
  for (const auto entry : members_[id]) {
    counter.add(recoding_.groups[entry], recoding_.counts[entry]);
  }
  ClassView view = counter.view();
  view.population = people(id);
  for (const auto& model : models_) {
    result.achieved.push_back({model->name(), model->required(), model->measure(view)});
  }
  return result;
}

std::optional<LoweredLevel> lower_level(const ProtectionInput& input, const Models& models,
                                        const std::vector<int>& levels, std::size_t attribute,
                                        double suppression) {
  if (levels[attribute] == 0) return std::nullopt;
  std::vector<int> lower = levels;
  --lower[attribute];
  const Recoding recoding = apply_levels(input, lower, models);
  const auto records = std::accumulate(input.counts->begin(), input.counts->end(), 0.0);
  LoweredLevel result;
  result.level = lower[attribute];
  result.suppressed = recoding.suppressed;
  result.allowed = static_cast<std::uint64_t>(std::floor(suppression * records + 1e-9));
  result.lm = loss_metric(input, recoding);
  return result;
}

std::string sentence(const std::string& column, const LoweredCell& lowered,
                     const std::optional<LoweredLevel>& whole_table) {
  if (lowered.parts.empty()) {
    return fmt::format("{} shows the value itself: nothing is generalised here.", column);
  }
  std::string text = fmt::format("{} shows {}. One level lower this would be {}: ", column,
                                 lowered.cell, listed(lowered.parts));
  if (lowered.broken.empty()) {
    text += "no model would break here";
  } else {
    for (std::size_t i = 0; i < lowered.broken.size(); ++i) {
      const BrokenModel& broken = lowered.broken[i];
      text += fmt::format("{}{} would be {} where {} is required", i > 0 ? ", " : "", broken.model,
                          in_words(broken.achieved), in_words(broken.required));
    }
  }
  if (whole_table) {
    text += fmt::format(
        "; with the whole column one level lower {} would have to be left out where {} may be",
        counted(whole_table->suppressed), whole_table->allowed);
    if (whole_table->suppressed <= whole_table->allowed) {
      text += fmt::format(", and LM would be {:.4f}", whole_table->lm);
    }
  }
  return text + ".";
}

Json to_json(const std::string& column, const LoweredCell& lowered,
             const std::optional<LoweredLevel>& whole_table) {
  Json json = {{"column", column},
               {"cell", lowered.cell},
               {"parts", Json::array()},
               {"breaks", Json::array()},
               {"records_broken", lowered.records_broken}};
  for (const auto& part : lowered.parts) {
    json["parts"].push_back(
        {{"cell", part.cell}, {"records", part.records}, {"breaks", part.broken}});
  }
  for (const auto& broken : lowered.broken) {
    json["breaks"].push_back({{"model", broken.model},
                              {"required", broken.required},
                              {"achieved", finite_or_null(broken.achieved)}});
  }
  if (whole_table) {
    json["whole_column"] = {{"level", whole_table->level},
                            {"suppressed", whole_table->suppressed},
                            {"allowed", whole_table->allowed},
                            {"lm", whole_table->lm}};
  }
  json["why"] = sentence(column, lowered, whole_table);
  return json;
}

}  // namespace pratique::tables
