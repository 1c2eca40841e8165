#include "pratique/tables/attack/minimality.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/attack/internal/possible_worlds.h"

namespace pratique::tables {
namespace {

using internal::Deal;
using internal::Worlds;
using internal::WorldsKnown;

constexpr std::uint64_t kWorldStepsOfClass = 500'000;
constexpr std::uint64_t kWorldSteps = 20'000'000;  // for all classes, and more for many records
constexpr std::uint64_t kWorldStepsPerRecord = 300;

// The nodes of an attribute's values at a level, by group.
std::vector<Code> nodes_at(const Attribute& attribute, int level) {
  std::vector<Code> node_of(attribute.distinct());
  for (Code code = 0; code < node_of.size(); ++code)
    node_of[code] = static_cast<Code>(attribute.hierarchy->ancestor(attribute.leaf[code], level));
  std::vector<Code> nodes;
  nodes.reserve(attribute.column->codes.size());
  for (const Code code : attribute.column->codes) nodes.push_back(node_of[code]);
  return nodes;
}

// By group: its class at these levels.
EquivalenceClasses classes_at(const ProtectionInput& input, const std::vector<int>& levels) {
  std::vector<std::vector<Code>> nodes;
  std::vector<CodedColumn> columns;
  for (std::size_t a = 0; a < levels.size(); ++a)
    nodes.push_back(nodes_at(input.attributes[a], levels[a]));
  for (std::size_t a = 0; a < levels.size(); ++a)
    columns.push_back({nodes[a], input.attributes[a].hierarchy->node_count()});
  return EquivalenceClasses::of(columns, input.groups());
}

// The classes of a release as the adversary sees them, and what she concludes.
class Adversary {
 public:
  Adversary(const ProtectionInput& input, const Models& models, const Recoding& recoding)
      : input_(input),
        models_(models),
        recoding_(recoding),
        classes_(recoding.class_count),
        attributes_(input.sensitive.size()),
        best_(recoding.groups.size() * attributes_),
        not_tried_(recoding.groups.size(), false),
        present_(attributes_),
        tallies_(attributes_) {
    std::vector<CodedColumn> columns;
    for (const Column* column : input.sensitive) columns.push_back(CodedColumn::of(*column));
    tuples_ = EquivalenceClasses::of(columns, input.groups());
    std::vector<std::unordered_map<ClassId, std::uint32_t>> value_of(recoding.class_count);
    for (std::uint32_t i = 0; i < recoding.groups.size(); ++i) {
      Class& eq_class = classes_[recoding.class_of[i]];
      const ClassId tuple = tuples_.class_of(recoding.groups[i]);
      const auto [place, fresh] =
          value_of[recoding.class_of[i]].try_emplace(tuple, eq_class.tuples.size());
      if (fresh) {
        eq_class.tuples.push_back(tuple);
        eq_class.counts.push_back(0);
      }
      eq_class.entries.push_back(i);
      eq_class.counts[place->second] += recoding.counts[i];
      eq_class.records += recoding.counts[i];
      records_ += recoding.counts[i];
    }
    // A step looks at every sensitive column.
    steps_ =
        (kWorldSteps + kWorldStepsPerRecord * records_) / std::max<std::size_t>(1, attributes_);
    for (auto& eq_class : classes_) list_values(eq_class);
    for (const auto& eq_class : classes_) {
      for (std::size_t a = 0; a < attributes_; ++a) {
        auto shares = shares_in(eq_class, a);
        for (const auto entry : eq_class.entries)
          best_of(entry, a).by_class = shares[input.sensitive[a]->codes[group_of(entry)]];
      }
    }
  }

  struct Class {
    std::vector<std::uint32_t> entries;
    std::vector<ClassId> tuples;        // of sensitive values, each once
    std::vector<std::uint64_t> counts;  // of each
    std::uint64_t records = 0;
    // By sensitive attribute: the values of the class in order, and which of them each tuple has.
    std::vector<std::vector<Code>> values = {};
    std::vector<std::vector<std::uint32_t>> value_of = {};
  };
  // The entries of a class, divided by what the adversary can tell apart.
  struct Parts {
    std::vector<std::uint32_t> part_of;  // beside the class's entries
    std::vector<std::uint64_t> sizes;
  };

  [[nodiscard]] std::size_t count() const { return classes_.size(); }
  [[nodiscard]] const Class& eq_class(std::size_t id) const { return classes_[id]; }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t entry) const {
    return recoding_.groups[entry];
  }

  // `key` tells the entries of different parts apart.
  template <typename Key>
  [[nodiscard]] Parts divide(const Class& eq_class, const Key& key) const {
    Parts parts;
    std::map<decltype(key(std::uint32_t{})), std::uint32_t> numbers;
    for (const auto entry : eq_class.entries) {
      const auto [place, fresh] = numbers.try_emplace(key(group_of(entry)), parts.sizes.size());
      if (fresh) parts.sizes.push_back(0);
      parts.part_of.push_back(place->second);
      parts.sizes[place->second] += recoding_.counts[entry];
    }
    return parts;
  }

  // Whether people with these values, so many of each tuple of the class, would break a model.
  [[nodiscard]] bool breaks(const Class& eq_class, std::span<const std::uint64_t> dealt) {
    std::uint64_t records = 0;
    for (const auto count : dealt) records += count;
    views_.clear();
    for (std::size_t a = 0; a < attributes_; ++a) {
      const auto& values = eq_class.values[a];
      auto& tally = tallies_[a];
      auto& present = present_[a];
      tally.assign(values.size(), 0);
      for (std::size_t v = 0; v < dealt.size(); ++v) tally[eq_class.value_of[a][v]] += dealt[v];
      present.clear();
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (tally[i] == 0) continue;
        tally[present.size()] = tally[i];
        present.push_back(values[i]);
      }
      views_.push_back({present, std::span(tally).first(present.size())});
    }
    return !all_hold(models_, {records, 0, views_});
  }

  // Nothing where it takes too many steps.
  std::optional<Worlds> worlds(const Class& eq_class, const std::vector<std::uint64_t>& sizes,
                               const WorldsKnown& known) {
    std::uint64_t steps = std::min(steps_, kWorldStepsOfClass);
    const std::uint64_t had = steps;
    auto counted = internal::count_worlds({sizes, eq_class.counts}, known, steps);
    steps_ -= had - steps;
    return counted;
  }

  void conclude(const Class& eq_class, const Parts& parts, const Worlds& worlds) {
    for (std::size_t a = 0; a < input_.sensitive.size(); ++a) {
      std::vector<std::map<Code, double>> beliefs(parts.sizes.size());
      std::vector<double> most(parts.sizes.size(), 0);
      auto shares = shares_in(eq_class, a);
      for (std::size_t v = 0; v < eq_class.tuples.size(); ++v) {
        for (std::size_t p = 0; p < beliefs.size(); ++p)
          beliefs[p][code_of(eq_class.tuples[v], a)] += worlds.belief(p, v);
      }
      std::vector<bool> differs(parts.sizes.size(), false);
      for (std::size_t p = 0; p < beliefs.size(); ++p) {
        for (const auto& [value, belief] : beliefs[p]) {
          most[p] = std::max(most[p], belief);
          if (std::abs(belief - shares[value]) > kBeliefRounding) differs[p] = true;
        }
      }
      for (std::size_t e = 0; e < eq_class.entries.size(); ++e) {
        const auto part = parts.part_of[e];
        Belief& best = best_of(eq_class.entries[e], a);
        if (!differs[part] || best.most >= most[part]) continue;
        best.most = most[part];
        best.own = beliefs[part][input_.sensitive[a]->codes[group_of(eq_class.entries[e])]];
      }
    }
  }

  void give_up(const Class& eq_class) {
    for (const auto entry : eq_class.entries) not_tried_[entry] = true;
  }

  [[nodiscard]] MinimalityAttack sum_up() const {
    const BeliefLimits limits = belief_limits(input_, models_);
    MinimalityAttack attack;
    attack.records = records_;
    if (std::any_of(limits.begin(), limits.end(), [](const auto& limit) { return limit; }))
      attack.beyond_limit = 0;
    for (std::size_t i = 0; i < recoding_.groups.size(); ++i) {
      bool concluded = false;
      bool believed = false;
      bool beyond = false;
      for (std::size_t a = 0; a < attributes_; ++a) {
        const Belief& belief = best_of(i, a);
        const double own = belief.own.value_or(belief.by_class);
        concluded = concluded || belief.own;
        believed = believed || own >= kBelieved - kBeliefRounding;
        beyond = beyond || (limits[a] && own > *limits[a] + kBeliefRounding &&
                            belief.by_class <= *limits[a] + kBeliefRounding);
      }
      const std::uint64_t records = recoding_.counts[i];
      if (concluded) attack.concluded += records;
      if (believed) attack.believed += records;
      if (beyond) *attack.beyond_limit += records;
      if (not_tried_[i] && !concluded) attack.not_tried += records;
    }
    return attack;
  }

 private:
  // In the value that the people of an entry have.
  struct Belief {
    double by_class = 0;
    std::optional<double> own = {};  // by the conclusion that makes surest
    double most = 0;                 // of any value, by that conclusion
  };

  [[nodiscard]] Code code_of(ClassId tuple, std::size_t attribute) const {
    return input_.sensitive[attribute]->codes[tuples_.representative(tuple)];
  }

  void list_values(Class& eq_class) const {
    for (std::size_t a = 0; a < attributes_; ++a) {
      std::vector<Code> values;
      for (const auto tuple : eq_class.tuples) values.push_back(code_of(tuple, a));
      std::vector<std::uint32_t> value_of(values.size());
      std::vector<Code> sorted = values;
      std::sort(sorted.begin(), sorted.end());
      sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
      for (std::size_t v = 0; v < values.size(); ++v) {
        value_of[v] = static_cast<std::uint32_t>(
            std::lower_bound(sorted.begin(), sorted.end(), values[v]) - sorted.begin());
      }
      eq_class.values.push_back(std::move(sorted));
      eq_class.value_of.push_back(std::move(value_of));
    }
  }

  [[nodiscard]] std::unordered_map<Code, double> shares_in(const Class& eq_class,
                                                           std::size_t a) const {
    std::unordered_map<Code, double> shares;
    for (std::size_t v = 0; v < eq_class.tuples.size(); ++v) {
      shares[code_of(eq_class.tuples[v], a)] +=
          static_cast<double>(eq_class.counts[v]) / static_cast<double>(eq_class.records);
    }
    return shares;
  }

  [[nodiscard]] Belief& best_of(std::size_t entry, std::size_t a) {
    return best_[entry * attributes_ + a];
  }
  [[nodiscard]] const Belief& best_of(std::size_t entry, std::size_t a) const {
    return best_[entry * attributes_ + a];
  }

  const ProtectionInput& input_;
  const Models& models_;
  const Recoding& recoding_;
  EquivalenceClasses tuples_;
  std::vector<Class> classes_;
  std::size_t attributes_;       // sensitive
  std::vector<Belief> best_;     // by entry and sensitive attribute
  std::vector<bool> not_tried_;  // by entry
  std::uint64_t records_ = 0;
  std::uint64_t steps_ = 0;
  // Of one question whether people would break a model; kept, so that none allocates.
  std::vector<std::vector<Code>> present_;
  std::vector<std::vector<std::uint64_t>> tallies_;
  std::vector<SensitiveCounts> views_;
};

// What follows from there being no better node with one column a level lower.
class LowerNode {
 public:
  LowerNode(Adversary& adversary, std::vector<Code> nodes) : adversary_(adversary) {
    for (std::size_t id = 0; id < adversary.count(); ++id) {
      parts_.push_back(adversary.divide(adversary.eq_class(id),
                                        [&](std::uint32_t group) { return nodes[group]; }));
    }
  }

  // The whole table is about the same fact: some class breaks, and nobody knows which.
  void conclude() {
    if (smallest_always_breaks()) return;
    std::vector<std::optional<Worlds>> worlds(parts_.size());
    double none_breaks = 0;  // the logarithm of its chance
    for (std::size_t id = 0; id < parts_.size(); ++id) {
      if (parts_[id].sizes.size() < 2) continue;
      worlds[id] = count(id);
      if (!worlds[id]) return give_up();
      if (worlds[id]->chance >= 1 - kBeliefRounding) return;
      none_breaks += static_cast<double>(std::log1p(-worlds[id]->chance));
    }
    const double some_breaks = -std::expm1(none_breaks);
    if (some_breaks <= 0) return;
    for (std::size_t id = 0; id < parts_.size(); ++id) {
      if (!worlds[id]) continue;
      const auto& eq_class = adversary_.eq_class(id);
      const double elsewhere = std::max(
          0.0, -std::expm1(none_breaks - static_cast<double>(std::log1p(-worlds[id]->chance))));
      for (auto& part : worlds[id]->having) {
        for (std::size_t v = 0; v < part.size(); ++v) {
          const long double share = static_cast<long double>(eq_class.counts[v]) /
                                    static_cast<long double>(eq_class.records);
          part[v] += (share - part[v]) * elsewhere;
        }
      }
      worlds[id]->chance = some_breaks;
      adversary_.conclude(eq_class, parts_[id], *worlds[id]);
    }
  }

  void give_up() {
    for (std::size_t id = 0; id < parts_.size(); ++id) {
      if (parts_[id].sizes.size() > 1) adversary_.give_up(adversary_.eq_class(id));
    }
  }

 private:
  [[nodiscard]] std::optional<Worlds> count(std::size_t id) const {
    const auto& eq_class = adversary_.eq_class(id);
    return adversary_.worlds(eq_class, parts_[id].sizes,
                             {.condition = WorldsKnown::Condition::some,
                              .breaks = [&](std::size_t, std::span<const std::uint64_t> dealt) {
                                return adversary_.breaks(eq_class, dealt);
                              }});
  }

  // The people of one part are too few for the models, whatever their values.
  [[nodiscard]] bool smallest_always_breaks() const {
    std::size_t smallest_class = 0;
    std::size_t smallest = 0;
    std::uint64_t size = 0;
    for (std::size_t id = 0; id < parts_.size(); ++id) {
      for (std::size_t p = 0; p < parts_[id].sizes.size() && parts_[id].sizes.size() > 1; ++p) {
        if (size != 0 && parts_[id].sizes[p] >= size) continue;
        size = parts_[id].sizes[p];
        smallest_class = id;
        smallest = p;
      }
    }
    if (size == 0) return true;  // the node has the same classes: nothing follows
    const auto& eq_class = adversary_.eq_class(smallest_class);
    const auto alone = adversary_.worlds(
        eq_class, {parts_[smallest_class].sizes[smallest], eq_class.records - size},
        {.condition = WorldsKnown::Condition::every,
         .breaks = [&](std::size_t part, std::span<const std::uint64_t> dealt) {
           return part == 1 || adversary_.breaks(eq_class, dealt);
         }});
    return alone && alone->chance >= 1 - kBeliefRounding;
  }

  Adversary& adversary_;
  std::vector<Adversary::Parts> parts_;
};

std::vector<std::uint64_t> records_in(const EquivalenceClasses& classes,
                                      const std::vector<std::uint64_t>& counts) {
  std::vector<std::uint64_t> records(classes.count(), 0);
  for (std::size_t group = 0; group < counts.size(); ++group)
    records[classes.class_of(group)] += counts[group];
  return records;
}

}  // namespace

BeliefLimits belief_limits(const ProtectionInput& input, const Models& models) {
  BeliefLimits limits(input.sensitive.size());
  for (const auto& model : models) {
    const Json claim = model->claim({});
    const bool diversity = claim.contains("l");
    if (!claim.contains("sensitive") || !(diversity || claim.contains("alpha"))) continue;
    const double limit = diversity ? 1 / claim["l"].get<double>() : claim["alpha"].get<double>();
    for (std::size_t a = 0; a < input.sensitive.size(); ++a) {
      if (input.sensitive[a]->name != claim["sensitive"].get<std::string>()) continue;
      limits[a] = std::min(limits[a].value_or(1), limit);
    }
  }
  return limits;
}

MinimalityAttack attack_minimal_levels(const ProtectionInput& input, const Models& models,
                                       const Recoding& recoding, const std::vector<int>& levels,
                                       std::uint64_t may_leave_out) {
  Adversary adversary(input, models, recoding);
  const std::uint64_t least = least_records(models);
  for (std::size_t a = 0; a < levels.size(); ++a) {
    if (levels[a] == 0) continue;
    std::vector<int> lower = levels;
    --lower[a];
    std::uint64_t too_few = 0;
    for (const auto size : records_in(classes_at(input, lower), *input.counts)) {
      if (size < least) too_few += size;
    }
    if (too_few > may_leave_out) continue;  // k alone explains it
    LowerNode node(adversary, nodes_at(input.attributes[a], lower[a]));
    if (may_leave_out == 0) {
      node.conclude();
    } else {
      node.give_up();
    }
  }
  return adversary.sum_up();
}

MinimalityAttack attack_rounds(const ProtectionInput& input, const Models& models,
                               const Recoding& recoding, const RecodingRounds& rounds) {
  Adversary adversary(input, models, recoding);
  const std::uint64_t least = least_records(models);
  for (std::uint32_t round = 0; round < rounds.levels.size(); ++round) {
    // Of those who were left by then, all who were in one class went on together.
    std::vector<std::uint64_t> left = *input.counts;
    for (std::size_t group = 0; group < left.size(); ++group) {
      if (rounds.round_of[group] < round) left[group] = 0;
    }
    const auto classes = classes_at(input, rounds.levels[round]);
    const auto together = records_in(classes, left);
    for (std::size_t id = 0; id < adversary.count(); ++id) {
      const auto& eq_class = adversary.eq_class(id);
      std::unordered_map<ClassId, std::uint64_t> inside;
      for (const auto entry : eq_class.entries) {
        const auto group = adversary.group_of(entry);
        if (rounds.round_of[group] > round)
          inside[classes.class_of(group)] += recoding.counts[entry];
      }
      constexpr ClassId kOthers = ~ClassId{0};
      // Nothing follows about those who were too few for k, nor about a class that parted later:
      // some of it are elsewhere.
      const auto broke = [&](std::uint32_t group) {
        const ClassId then = classes.class_of(group);
        return rounds.round_of[group] > round && together[then] >= least &&
                       inside[then] == together[then]
                   ? then
                   : kOthers;
      };
      const auto parts = adversary.divide(eq_class, broke);
      std::vector<bool> others(parts.sizes.size(), false);
      for (std::size_t e = 0; e < eq_class.entries.size(); ++e) {
        if (broke(adversary.group_of(eq_class.entries[e])) == kOthers)
          others[parts.part_of[e]] = true;
      }
      if (parts.sizes.size() == 1 && others.front()) continue;
      const auto worlds =
          adversary.worlds(eq_class, parts.sizes,
                           {.condition = WorldsKnown::Condition::every,
                            .breaks = [&](std::size_t part, std::span<const std::uint64_t> dealt) {
                              return others[part] || adversary.breaks(eq_class, dealt);
                            }});
      if (!worlds) {
        adversary.give_up(eq_class);
      } else if (worlds->chance > 0) {
        adversary.conclude(eq_class, parts, *worlds);
      }
    }
  }
  return adversary.sum_up();
}

MinimalityAttack attack_runs(const ProtectionInput& input, const Models& models,
                             const Recoding& recoding, const RecodingRuns& runs,
                             std::uint64_t may_leave_out) {
  // Of longer ones not every part could have been a class.
  constexpr std::uint32_t kLongest = 12;
  Adversary adversary(input, models, recoding);
  for (std::size_t id = 0; id < adversary.count(); ++id) {
    const auto& eq_class = adversary.eq_class(id);
    const std::uint32_t run = runs.run_of[adversary.group_of(eq_class.entries.front())];
    std::uint32_t last = 0;
    bool known = run != RecodingRuns::kSeveral;
    for (const auto entry : eq_class.entries) {
      const std::uint32_t group = adversary.group_of(entry);
      last = std::max(last, runs.member_of[group]);
      known = known && runs.run_of[group] == run;
    }
    if (known && last == 0) continue;  // it could not be smaller, whatever the values
    if (!known || last >= kLongest || may_leave_out > 0) {
      adversary.give_up(eq_class);
      continue;
    }
    for (std::uint32_t cut = 1; cut <= last; ++cut) {
      const auto parts = adversary.divide(
          eq_class, [&](std::uint32_t group) { return runs.member_of[group] >= cut; });
      const auto worlds =
          adversary.worlds(eq_class, parts.sizes,
                           {.condition = WorldsKnown::Condition::some,
                            .breaks = [&](std::size_t, std::span<const std::uint64_t> dealt) {
                              return adversary.breaks(eq_class, dealt);
                            }});
      if (!worlds) {
        adversary.give_up(eq_class);
      } else if (worlds->chance > 0) {
        adversary.conclude(eq_class, parts, *worlds);
      }
    }
  }
  return adversary.sum_up();
}

Json to_json(const MinimalityAttack& attack) {
  const auto share = [&](std::uint64_t part) {
    return attack.records == 0 ? 0
                               : static_cast<double>(part) / static_cast<double>(attack.records);
  };
  Json json = {{"concluded", attack.concluded},
               {"concluded_share", share(attack.concluded)},
               {"believed", attack.believed},
               {"believed_share", share(attack.believed)}};
  if (attack.beyond_limit) {
    json["beyond_limit"] = *attack.beyond_limit;
    json["beyond_limit_share"] = share(*attack.beyond_limit);
  }
  json["not_tried"] = attack.not_tried;
  return json;
}

}  // namespace pratique::tables
