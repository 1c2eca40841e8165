#include "pratique/tables/attack/mined_rules.h"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <unordered_map>

#include "pratique/core/parallel.h"
#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/attack/internal/possible_worlds.h"
#include "pratique/tables/attack/internal/rule_table.h"
#include "pratique/tables/attack/internal/subgroups.h"
#include "pratique/tables/model/spelling.h"

namespace pratique::tables {
namespace {

constexpr std::uint64_t kRuleSteps = 10'000'000;
constexpr std::uint64_t kRuleStepsPerRecord = 20;

using internal::kNoGroup;
using internal::RuleTable;
using internal::Subgroups;

// One sensitive attribute.
class RuleAdversary {
 public:
  RuleAdversary(const ProtectionInput& input, const Recoding& recoding, std::size_t sensitive,
                const RuleTable& released, const RuleTable* known, const RuleOptions& options,
                std::uint64_t& steps)
      : recoding_(recoding),
        own_(*input.sensitive[sensitive]),
        from_release_(input, sensitive, released, options.support),
        options_(options),
        steps_(steps),
        subgroup_of_(input.groups()) {
    if (known != nullptr) from_known_.emplace(input, sensitive, *known, options.support);
  }

  struct ByEntry {
    // Not bits, as threads write to neighbours.
    std::vector<char> believed;
    std::vector<char> mistaken;
  };

  void attack(ByEntry& of_entry, RuleAttack& sum) {
    const auto entries = entries_by_class();
    ask_subgroups();
    std::vector<char> used_known(from_known_ ? from_known_->size() : 0, 0);
    std::vector<char> used_release(from_release_.size(), 0);
    for (const auto group : recoding_.groups) {
      const auto& [known, subgroup] = subgroup_of_[group];
      if (subgroup != kNoGroup) (known ? used_known : used_release)[subgroup] = 1;
    }
    // What is left for exact counting is told once for many classes, so that what is counted does
    // not depend on the number of threads.
    constexpr std::size_t kAtOnce = 4096;
    constexpr std::size_t kGrain = 64;
    for (std::size_t start = 0; start < recoding_.class_count; start += kAtOnce) {
      const std::size_t classes = std::min(kAtOnce, recoding_.class_count - start);
      const std::uint64_t left = steps_;
      std::atomic<std::uint64_t> taken = 0;
      parallel_blocks(classes, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t id = start + begin; id < start + end; ++id) {
          std::uint64_t steps = left;
          attack_class(entries.of(id), steps, of_entry);
          taken += left - steps;
        }
      });
      steps_ -= std::min(steps_, taken.load());
    }
    from_release_.count_rules(used_release, sum);
    if (from_known_) from_known_->count_rules(used_known, sum);
  }

 private:
  using Belief = std::vector<double>;  // by value of the class
  struct Class {
    std::vector<Code> values;
    internal::Deal deal;
    std::vector<std::pair<bool, std::uint32_t>> subgroups;  // of each part: of the known table?
    std::vector<std::uint32_t> part_of;                     // beside its entries
  };

  // The entries of one class after those of another.
  struct Entries {
    std::vector<std::uint32_t> entries;
    std::vector<std::size_t> begin;  // by class, and the end

    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t id) const {
      return std::span(entries).subspan(begin[id], begin[id + 1] - begin[id]);
    }
  };

  [[nodiscard]] Entries entries_by_class() const {
    Entries all{std::vector<std::uint32_t>(recoding_.class_of.size()),
                std::vector<std::size_t>(recoding_.class_count + 1, 0)};
    for (const ClassId id : recoding_.class_of) ++all.begin[id + 1];
    std::partial_sum(all.begin.begin(), all.begin.end(), all.begin.begin());
    auto next = all.begin;
    for (std::uint32_t i = 0; i < recoding_.class_of.size(); ++i)
      all.entries[next[recoding_.class_of[i]]++] = i;
    return all;
  }

  // Of all groups that leave.
  void ask_subgroups() {
    std::vector<char> leaves(subgroup_of_.size(), 0);
    for (const auto group : recoding_.groups) leaves[group] = 1;
    constexpr std::size_t kGrain = 4096;
    parallel_blocks(leaves.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t g = begin; g < end; ++g) {
        if (leaves[g] == 0) continue;
        const auto group = static_cast<std::uint32_t>(g);
        const std::uint32_t known = from_known_ ? from_known_->of_group(group) : kNoGroup;
        subgroup_of_[g] = {known != kNoGroup,
                           known != kNoGroup ? known : from_release_.of_group(group)};
      }
    });
  }

  void attack_class(std::span<const std::uint32_t> entries, std::uint64_t& steps,
                    ByEntry& of_entry) const {
    const Class seen = look_at(entries);
    if (nobody_is_sure(seen)) return;
    const auto beliefs = beliefs_in(seen, steps);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const auto& belief = beliefs[seen.part_of[e]];
      for (std::size_t v = 0; v < belief.size(); ++v) {
        if (belief[v] < kBelieved - kBeliefRounding) continue;
        const bool right = seen.values[v] == own_.codes[recoding_.groups[entries[e]]];
        (right ? of_entry.believed : of_entry.mistaken)[entries[e]] = 1;
      }
    }
  }

  // Whether no belief in the class reaches kBelieved, by a bound on all ways to deal its n values.
  //
  // Let m of them be v, and a deal give v to somebody of part p, w(p, v) among what it weighs. To
  // change it with any of the n - m others, of part q and with v', divides that by at most
  //   r = max over q, v' of (w(p, v) * w(q, v')) / (w(p, v') * w(q, v)).
  // Each deal in which the person has v is changed so into n - m others, each of which comes from m
  // deals. So deals with v weigh at most r * m / (n - m) times what those without weigh.
  [[nodiscard]] bool nobody_is_sure(const Class& seen) const {
    const std::size_t parts = seen.deal.parts.size();
    const std::size_t values = seen.values.size();
    constexpr std::size_t kMost = 1'000'000;
    if (parts == 1 || values == 1 || parts * parts * values > kMost) return false;
    const auto weights = weights_in(seen, true);
    const auto records = static_cast<double>(recoding_records(seen));
    std::vector<double> most(values, 0);  // by value: r
    for (std::size_t p = 0; p < parts; ++p) {
      for (std::size_t q = 0; q < parts; ++q) {
        double other = 0;
        for (std::size_t v = 0; v < values; ++v) {
          if (weights[p][v] <= 0) return false;  // that is, for some q and v
          other = std::max(other, weights[q][v] / weights[p][v]);
        }
        for (std::size_t v = 0; v < values; ++v)
          most[v] = std::max(most[v], other * weights[p][v] / weights[q][v]);
      }
    }
    constexpr double kCertainlyLess = 0.999;  // whatever is rounded
    for (std::size_t v = 0; v < values; ++v) {
      const auto having = static_cast<double>(seen.deal.values[v]);
      const double with = most[v] * having;
      if (with >= kCertainlyLess * kBelieved * (with + records - having)) return false;
    }
    return true;
  }

  // Numbers in the order in which they are first asked for. A few are looked for one by one.
  template <class Key, class Hash>
  class Numbering {
   public:
    // And whether it is new.
    std::pair<std::uint32_t, bool> of(const Key& key) {
      constexpr std::size_t kFew = 16;
      const auto next = static_cast<std::uint32_t>(keys_.size());
      if (keys_.size() <= kFew) {
        const auto place = std::find(keys_.begin(), keys_.end(), key);
        if (place != keys_.end()) return {static_cast<std::uint32_t>(place - keys_.begin()), false};
        keys_.push_back(key);
        if (keys_.size() > kFew) {
          for (std::uint32_t i = 0; i < keys_.size(); ++i) number_.emplace(keys_[i], i);
        }
        return {next, true};
      }
      const auto [place, fresh] = number_.try_emplace(key, next);
      if (fresh) keys_.push_back(key);
      return {place->second, fresh};
    }

   private:
    std::vector<Key> keys_;
    std::unordered_map<Key, std::uint32_t, Hash> number_;
  };

  [[nodiscard]] Class look_at(std::span<const std::uint32_t> entries) const {
    Class seen;
    Numbering<std::uint64_t, std::hash<std::uint64_t>> parts;
    Numbering<Code, std::hash<Code>> values;
    seen.part_of.reserve(entries.size());
    for (const auto entry : entries) {
      const auto group = recoding_.groups[entry];
      const auto& subgroup = subgroup_of_[group];
      const auto [part, fresh] = parts.of(std::uint64_t{subgroup.first} << 32U | subgroup.second);
      if (fresh) {
        seen.subgroups.push_back(subgroup);
        seen.deal.parts.push_back(0);
      }
      const auto [value, first] = values.of(own_.codes[group]);
      if (first) {
        seen.values.push_back(own_.codes[group]);
        seen.deal.values.push_back(0);
      }
      seen.part_of.push_back(part);
      seen.deal.parts[part] += recoding_.counts[entry];
      seen.deal.values[value] += recoding_.counts[entry];
    }
    return seen;
  }

  [[nodiscard]] std::vector<Belief> weights_in(const Class& seen, bool with_negative) const {
    std::vector<Belief> weights;
    for (const auto& [known, subgroup] : seen.subgroups) {
      Belief& row = weights.emplace_back();
      for (const Code value : seen.values) {
        row.push_back(
            subgroup == kNoGroup
                ? 1
                : (known ? *from_known_ : from_release_).lift(subgroup, value, with_negative));
      }
      const double most = *std::max_element(row.begin(), row.end());
      for (double& weight : row) weight /= most > 0 ? most : 1;
    }
    return weights;
  }

  // Takes from `left` what it counts.
  std::vector<Belief> beliefs_in(const Class& seen, std::uint64_t& left) const {
    // Nobody can be told apart, or there is one value: the shares of the class.
    if (seen.deal.parts.size() == 1 || seen.values.size() == 1) {
      Belief shares;
      const auto records = static_cast<double>(recoding_records(seen));
      for (const auto count : seen.deal.values)
        shares.push_back(static_cast<double>(count) / records);
      return {seen.deal.parts.size(), shares};
    }
    // Rules may contradict a class: then what they rule out is only unlikely.
    for (const bool with_negative : {true, false}) {
      const auto weights = weights_in(seen, with_negative);
      std::uint64_t steps = std::min(left, options_.steps_of_class);
      const std::uint64_t had = steps;
      const auto worlds = internal::count_worlds(
          seen.deal,
          {.condition = internal::WorldsKnown::Condition::every,
           .breaks = [](std::size_t, std::span<const std::uint64_t>) { return true; },
           .weights = weights},
          steps);
      left -= had - steps;
      if (!worlds) {
        if (auto estimate = estimated(seen, weights)) return *estimate;
        continue;
      }
      if (worlds->chance <= 0) continue;
      std::vector<Belief> beliefs(seen.deal.parts.size());
      for (std::size_t p = 0; p < beliefs.size(); ++p) {
        for (std::size_t v = 0; v < seen.values.size(); ++v)
          beliefs[p].push_back(worlds->belief(p, v));
      }
      return beliefs;
    }
    return std::vector<Belief>(seen.deal.parts.size(), Belief(seen.values.size(), 0));
  }

  // Nothing where the rules leave a value to nobody, or a part without values.
  static std::optional<std::vector<Belief>> estimated(const Class& seen,
                                                      const std::vector<Belief>& weights) {
    std::vector<Belief> beliefs = weights;
    for (std::size_t v = 0; v < seen.values.size(); ++v) {
      double all = 0;
      for (std::size_t p = 0; p < beliefs.size(); ++p)
        all += weights[p][v] * static_cast<double>(seen.deal.parts[p]);
      if (all <= 0) return std::nullopt;
      for (auto& belief : beliefs) belief[v] *= static_cast<double>(seen.deal.values[v]) / all;
    }
    for (auto& belief : beliefs) {
      double all = 0;
      for (const double share : belief) all += share;
      if (all <= 0) return std::nullopt;
      for (double& share : belief) share /= all;
    }
    return beliefs;
  }

  static std::uint64_t recoding_records(const Class& seen) {
    std::uint64_t records = 0;
    for (const auto count : seen.deal.values) records += count;
    return records;
  }

  const Recoding& recoding_;
  const Column& own_;
  Subgroups from_release_;
  std::optional<Subgroups> from_known_;
  const RuleOptions& options_;
  std::uint64_t& steps_;
  // By group that leaves: of the known table?
  std::vector<std::pair<bool, std::uint32_t>> subgroup_of_;
};

}  // namespace

RuleAttack attack_by_rules(const ProtectionInput& input, const Recoding& recoding,
                           const RuleOptions& options) {
  // Who reads values sees through the spelling.
  ProtectionInput plain = input;
  std::vector<Column> values;
  values.reserve(plain.sensitive.size());
  for (const Column*& column : plain.sensitive) {
    values.push_back(without_spellings(*column));
    column = &values.back();
  }
  RuleAttack attack;
  for (const auto count : recoding.counts) attack.records += count;
  RuleTable released = internal::released_table(plain, recoding);
  if (options.values_apart) internal::put_values_apart(plain, recoding, released);
  std::optional<RuleTable> known;
  if (options.known != nullptr) known = internal::known_table(plain, *options.known);
  RuleAdversary::ByEntry of_entry{std::vector<char>(recoding.groups.size(), 0),
                                  std::vector<char>(recoding.groups.size(), 0)};
  std::uint64_t steps = kRuleSteps + kRuleStepsPerRecord * attack.records;
  for (std::size_t s = 0; s < plain.sensitive.size(); ++s) {
    RuleAdversary(plain, recoding, s, released, known ? &*known : nullptr, options, steps)
        .attack(of_entry, attack);
  }
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    if (of_entry.believed[i] != 0) attack.believed += recoding.counts[i];
    if (of_entry.mistaken[i] != 0) attack.mistaken += recoding.counts[i];
  }
  return attack;
}

Json to_json(const RuleAttack& attack) {
  const auto share = [&](std::uint64_t part) {
    return attack.records == 0 ? 0
                               : static_cast<double>(part) / static_cast<double>(attack.records);
  };
  return {{"believed", attack.believed},
          {"believed_share", share(attack.believed)},
          {"mistaken", attack.mistaken},
          {"mistaken_share", share(attack.mistaken)},
          {"positive_rules", attack.positive_rules},
          {"negative_rules", attack.negative_rules}};
}

}  // namespace pratique::tables
