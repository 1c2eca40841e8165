#include "pratique/codes/method/policy_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "pratique/codes/method/internal/code_groups.h"
#include "pratique/codes/model/policy.h"
#include "pratique/core/error.h"
#include "pratique/data/code_constraints.h"

namespace pratique::codes {
namespace {

using Group = CodeGroups::Group;

enum class Way { rarest_code_first, least_loss_first };

// Codes that the same utility constraints name are of one class; class 0 are those of none.
std::vector<std::uint32_t> classes_of(std::size_t codes,
                                      const std::vector<std::vector<Code>>& utility) {
  std::vector<std::vector<std::uint32_t>> named_by(codes);
  for (std::uint32_t u = 0; u < utility.size(); ++u) {
    for (const Code code : utility[u]) named_by[code].push_back(u);
  }
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers = {{{}, 0}};
  std::vector<std::uint32_t> classes;
  for (const auto& constraints : named_by) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    classes.push_back(numbers.try_emplace(constraints, next).first->second);
  }
  return classes;
}

class Enforcement {
 public:
  Enforcement(const Task& task, bool with_utility, Way way)
      : task_(task),
        policy_(*task.parameters.policy),
        way_(way),
        groups_(task.sets, with_utility ? classes_of(task.sets.codes.size(), policy_.utility)
                                        : std::vector<std::uint32_t>(task.sets.codes.size(), 0)),
        naming_(task.sets.codes.size()),
        open_(policy_.privacy.size(), true) {
    for (std::size_t p = 0; p < policy_.privacy.size(); ++p) {
      for (const Code code : policy_.privacy[p]) naming_[code].push_back(p);
    }
  }

  CodeGroups run(Progress& progress) && {
    const auto order = by_support();
    progress.begin("protecting constraints", 0);
    // What protects one constraint can give another its first few patients.
    while (std::any_of(open_.begin(), open_.end(), [](bool open) { return open; })) {
      for (const std::size_t p : order) {
        progress.advance(1);
        if (!open_[p]) continue;
        protect(policy_.privacy[p], progress);
        open_[p] = false;
      }
    }
    if (way_ == Way::least_loss_first) give_back(progress);
    if (!suppressed_.empty()) take_apart(progress);
    return std::move(groups_);
  }

 private:
  // Most patients first; ties by text.
  std::vector<std::size_t> by_support() const {
    std::vector<std::pair<std::uint64_t, std::vector<std::uint32_t>>> keys;
    for (const auto& constraint : policy_.privacy) {
      std::vector<std::uint32_t> ranks;
      for (const Code code : constraint) ranks.push_back(groups_.rank(code));
      std::sort(ranks.begin(), ranks.end());
      keys.emplace_back(groups_.support(constraint), std::move(ranks));
    }
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return keys[a].first != keys[b].first ? keys[a].first > keys[b].first
                                            : keys[a].second < keys[b].second;
    });
    return order;
  }

  [[nodiscard]] bool protects(std::uint64_t support) const {
    return support == 0 || support >= task_.parameters.k;
  }

  void protect(std::span<const Code> constraint, Progress& progress) {
    for (;;) {
      progress.check();
      auto groups = groups_.shown(constraint);
      if (protects(groups_.support(groups, task_.parameters.k))) return;
      std::sort(groups.begin(), groups.end(), [&](Group a, Group b) {
        return std::pair(groups_.patients(a), groups_.rank(a)) <
               std::pair(groups_.patients(b), groups_.rank(b));
      });
      const std::uint64_t k = task_.parameters.k;
      if (groups_.support_at_most(groups, k) < k || !generalise(groups)) {
        const Group gone = way_ == Way::rarest_code_first ? groups.front() : least_harmful(groups);
        if (groups_.class_of(gone) != 0) harmed_.insert(groups_.class_of(gone));
        suppressed_.push_back(gone);
        groups_.suppress(gone);
        reopen(gone);
      }
    }
  }

  // UL of a set of that many codes and patients: sizes count exponentially, so in logarithms.
  static double loss(std::size_t codes, std::uint64_t patients) {
    const auto size = static_cast<double>(codes);
    return size + std::log2(1 - std::exp2(-size)) + std::log2(static_cast<double>(patients));
  }

  // `groups` by patients, fewest first. False when no group may be put together with another.
  bool generalise(std::span<const Group> groups) {
    using Choice = std::tuple<double, std::int64_t, std::uint32_t, std::uint32_t>;
    std::optional<Choice> best;
    Group first = 0;
    Group second = 0;
    for (const Group group : groups) {
      for (const Group mate : groups_.mates(group)) {
        if (mate == group) continue;
        const auto size = groups_.codes(group).size() + groups_.codes(mate).size();
        const auto alone = std::pair(groups_.patients(group), groups_.patients(mate));
        if (best && loss(size, std::max(alone.first, alone.second)) > std::get<0>(*best)) continue;
        const Choice choice{loss(size, groups_.patients_of_both(group, mate)),
                            -static_cast<std::int64_t>(alone.first + alone.second),
                            groups_.rank(group), groups_.rank(mate)};
        if (best && *best <= choice) continue;
        best = choice;
        first = group;
        second = mate;
      }
      if (best && way_ == Way::rarest_code_first) break;
    }
    if (!best) return false;
    reopen(groups_.merge(first, second));
    return true;
  }

  // Without which the rest can be protected, no further study is harmed, and least is lost.
  Group least_harmful(std::span<const Group> groups) {
    std::optional<std::tuple<bool, bool, std::uint64_t, std::uint32_t>> best;
    Group least = 0;
    for (const Group group : groups) {
      std::vector<Group> rest(groups.begin(), groups.end());
      std::erase(rest, group);
      const std::uint64_t k = task_.parameters.k;
      const bool fails = !rest.empty() && groups_.support_at_most(rest, k) < k;
      const auto number = groups_.class_of(group);
      const std::tuple choice{fails, number != 0 && !harmed_.contains(number),
                              groups_.patients(group), groups_.rank(group)};
      if (best && *best <= choice) continue;
      best = choice;
      least = group;
    }
    return least;
  }

  void reopen(Group group) {
    for (const Code code : groups_.codes(group)) {
      for (const auto p : naming_[code]) open_[p] = true;
    }
  }

  void give_back(Progress& progress) {
    std::stable_sort(suppressed_.begin(), suppressed_.end(), [&](Group a, Group b) {
      return std::pair(groups_.patients(a), groups_.rank(b)) >
             std::pair(groups_.patients(b), groups_.rank(a));
    });
    for (const Group group : suppressed_) {
      progress.check();
      groups_.restore(group);
      if (!protected_with(groups_.codes(group))) groups_.suppress(group);
    }
  }

  // Whether all constraints that name one of the codes are.
  bool protected_with(const std::vector<Code>& codes) const {
    return std::all_of(codes.begin(), codes.end(), [&](Code code) {
      return std::all_of(naming_[code].begin(), naming_[code].end(), [&](std::size_t p) {
        return protects(groups_.support(groups_.shown(policy_.privacy[p]), task_.parameters.k));
      });
    });
  }

  // What was put together for the sake of a code that went in the end need not stay so. Whole sets
  // first, then code by code, the widest sets and the most frequent codes first.
  void take_apart(Progress& progress) {
    while (take_some_apart(progress)) {
    }
  }

  bool take_some_apart(Progress& progress) {
    bool any = false;
    std::vector<Group> wide;
    for (Code code = 0; code < task_.sets.codes.size(); ++code) {
      if (groups_.group_of(code) == code && groups_.codes(code).size() > 1) wide.push_back(code);
    }
    std::sort(wide.begin(), wide.end(), [&](Group a, Group b) {
      return std::pair(groups_.codes(b).size(), groups_.rank(a)) <
             std::pair(groups_.codes(a).size(), groups_.rank(b));
    });
    const auto supports = task_.sets.supports();
    for (Group group : wide) {
      progress.check();
      std::vector<Code> codes = groups_.codes(group);
      std::sort(codes.begin(), codes.end(), [&](Code a, Code b) {
        return std::pair(supports[b], groups_.rank(a)) < std::pair(supports[a], groups_.rank(b));
      });
      std::vector<std::vector<Code>> singles;
      for (const Code code : codes) singles.push_back({code});
      if (part(group, codes, singles)) {
        any = true;
        continue;
      }
      for (const Code code : codes) {
        std::vector<Code> rest = groups_.codes(group);
        if (rest.size() < 2) break;
        const std::vector<Code> whole = rest;
        std::erase(rest, code);
        if (!part(group, whole, {{code}, rest})) continue;
        group = groups_.group_of(rest.front());
        any = true;
      }
    }
    return any;
  }

  // False, and everything is as it was, where that would leave a constraint unprotected.
  bool part(Group& group, const std::vector<Code>& whole,
            const std::vector<std::vector<Code>>& parts) {
    groups_.dissolve(group);
    for (const auto& codes : parts) (void)groups_.gather(codes);
    if (protected_with(whole)) return true;
    for (const auto& codes : parts) groups_.dissolve(groups_.group_of(codes.front()));
    group = groups_.gather(whole);
    return false;
  }

  const Task& task_;
  const Policy& policy_;
  Way way_;
  CodeGroups groups_;
  std::vector<std::vector<std::size_t>> naming_;  // constraints by code
  std::vector<bool> open_;                        // constraints to look at
  std::vector<Group> suppressed_;
  std::set<std::uint32_t> harmed_;  // classes
};

Recoding recode_by_groups(const Task& task, const CodeGroups& groups) {
  const CodeSets& sets = task.sets;
  Recoding recoding;
  recoding.domain = task.tree == nullptr ? sets.codes.size() : task.tree->leaf_count();
  std::vector<std::uint32_t> label_of(sets.codes.size(), CodeGroups::kSuppressed);
  for (Code code = 0; code < sets.codes.size(); ++code) {
    if (groups.group_of(code) != code) continue;
    label_of[code] = static_cast<std::uint32_t>(recoding.labels.size());
    Label label{std::string(sets.codes.value(code)), groups.codes(code)};
    std::sort(label.covers.begin(), label.covers.end());
    if (label.covers.size() > 1) {
      for (const Code covered : label.covers) label.leaves.emplace_back(sets.codes.value(covered));
      std::sort(label.leaves.begin(), label.leaves.end());
      label.text = set_text(label.leaves);
      label.ncp = static_cast<double>(label.leaves.size()) / static_cast<double>(recoding.domain);
    }
    recoding.labels.push_back(std::move(label));
  }
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (const Group group : groups.shown(sets.set(s))) recoding.items.push_back(label_of[group]);
    std::sort(recoding.items.begin() + static_cast<std::ptrdiff_t>(recoding.first.back()),
              recoding.items.end());
    recoding.first.push_back(recoding.items.size());
  }
  return recoding;
}

Recoding enforce(const Task& task, bool with_utility, Way way, Progress& progress) {
  if (task.parameters.policy == nullptr || task.parameters.policy->privacy.empty()) {
    throw Error::input("the model policy needs a privacy policy")
        .hint("Give --privacy FILE, a constraint per line; codes policy makes one.");
  }
  if (with_utility && task.parameters.policy->utility.empty()) {
    throw Error::input("this method needs a utility policy")
        .hint("Give --utility FILE or --utility gwas, or choose --method aclip.");
  }
  for (const auto code : task.sets.codes.values()) {
    if (fits_in_a_set(code)) continue;
    throw Error::input("a code in the data contains a bracket or a bar, which mark sets of codes")
        .hint("Protect the original codes, not a release of them.");
  }
  return recode_by_groups(task, Enforcement(task, with_utility, way).run(progress));
}

}  // namespace

Recoding anonymise_by_aclip(const Task& task, Progress& progress) {
  return enforce(task, false, Way::rarest_code_first, progress);
}
Recoding anonymise_by_ugaclip(const Task& task, Progress& progress) {
  return enforce(task, true, Way::rarest_code_first, progress);
}
Recoding anonymise_by_cba(const Task& task, Progress& progress) {
  return enforce(task, true, Way::least_loss_first, progress);
}

}  // namespace pratique::codes
