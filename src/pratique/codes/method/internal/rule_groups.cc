#include "pratique/codes/method/internal/rule_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pratique::codes {
namespace {

constexpr RuleGroups::Group kNoGroup = 0xffffffffU;

std::vector<std::uint32_t> shared(const std::vector<std::uint32_t>& a,
                                  const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

}  // namespace

RuleGroups::RuleGroups(const Task& task)
    : task_(task),
      supports_(task.sets.supports()),
      with_code_(supports_.size()),
      group_of_(supports_.size(), kNoGroup),
      rules_of_(supports_.size()) {
  const CodeSets& sets = task.sets;
  for (std::uint32_t s = 0; s < sets.size(); ++s) {
    for (const Code code : sets.set(s)) with_code_[code].push_back(s);
  }
  std::vector<bool> sensitive(supports_.size(), false);
  for (const CodeRule& given : task.parameters.rules) {
    Rule rule;
    for (const auto& text : given.known) rule.left.push_back(sets.codes.find(text).value());
    for (std::size_t i = 0; i < given.inferred.size(); ++i) {
      const Code code = sets.codes.find(given.inferred[i]).value();
      sensitive[code] = true;
      rule.right = i == 0 ? with_code_[code] : shared(rule.right, with_code_[code]);
    }
    for (const Code code : rule.left) {
      rules_of_[code].push_back(static_cast<std::uint32_t>(rules_.size()));
    }
    rules_.push_back(std::move(rule));
  }
  for (Code code = 0; code < supports_.size(); ++code) {
    if (sensitive[code]) continue;
    public_.push_back(code);
    group_of_[code] = static_cast<Group>(members_.size());
    members_.push_back({code});
    with_group_.push_back(with_code_[code]);
  }
  for (Rule& rule : rules_) rule.deficit = deficit_of(rule);
}

std::vector<std::vector<Code>> RuleGroups::groups() const {
  std::vector<std::vector<Code>> groups;
  for (const auto& group : members_) {
    if (!group.empty()) groups.push_back(group);
  }
  std::sort(groups.begin(), groups.end());
  return groups;
}

double RuleGroups::deficit() const {
  double sum = 0;
  for (const Rule& rule : rules_) sum += rule.deficit;
  return sum;
}

std::vector<Code> RuleGroups::left_of_broken_rule() const {
  for (const Rule& rule : rules_) {
    if (rule.deficit <= 0) continue;
    std::vector<Code> left = rule.left;
    std::erase_if(left, [&](Code code) { return group_of_[code] == kNoGroup; });
    return left;
  }
  return {};
}

double RuleGroups::deficit_of(const Rule& rule) const {
  std::set<Group> groups;
  // What is suppressed tells nothing; the rest of the left must do without it.
  for (const Code code : rule.left) {
    if (group_of_[code] != kNoGroup) groups.insert(group_of_[code]);
  }
  if (groups.empty()) return 0;
  Records matching = with_group_[*groups.begin()];
  for (const Group group : groups) {
    if (group != *groups.begin()) matching = shared(matching, with_group_[group]);
  }
  const auto patients = [&](const Records& records) {
    std::uint64_t sum = 0;
    for (const auto s : records) sum += task_.sets.counts[s];
    return static_cast<double>(sum);
  };
  const double support = patients(matching);
  if (support == 0) return 0;
  const auto k = static_cast<double>(task_.parameters.k);
  const double inferred = patients(shared(matching, rule.right));
  double deficit = support < k ? (k - support) / k : 0;
  if (inferred > task_.parameters.c * support) deficit += inferred / support - task_.parameters.c;
  return deficit;
}

void RuleGroups::join(const std::vector<Code>& codes) { change(codes, true); }
void RuleGroups::suppress(Code code) { change({code}, false); }

void RuleGroups::change(const std::vector<Code>& codes, bool keep) {
  std::set<Group> changed;
  for (const Code code : codes) {
    auto& old = members_[group_of_[code]];
    old.erase(std::find(old.begin(), old.end(), code));
    changed.insert(group_of_[code]);
    group_of_[code] = kNoGroup;
  }
  std::set<std::uint32_t> rules;
  if (keep) {
    auto joined = static_cast<Group>(members_.size());
    if (free_.empty()) {
      members_.emplace_back();
      with_group_.emplace_back();
    } else {
      joined = free_.back();
      free_.pop_back();
    }
    members_[joined] = codes;
    std::sort(members_[joined].begin(), members_[joined].end());
    for (const Code code : codes) group_of_[code] = joined;
    changed.insert(joined);
  } else {
    for (const Code code : codes) rules.insert(rules_of_[code].begin(), rules_of_[code].end());
  }
  for (const Group group : changed) {
    Records& with = with_group_[group];
    with.clear();
    if (members_[group].empty()) free_.push_back(group);
    for (const Code code : members_[group]) {
      rules.insert(rules_of_[code].begin(), rules_of_[code].end());
      with.insert(with.end(), with_code_[code].begin(), with_code_[code].end());
    }
    std::sort(with.begin(), with.end());
    with.erase(std::unique(with.begin(), with.end()), with.end());
  }
  for (const auto rule : rules) rules_[rule].deficit = deficit_of(rules_[rule]);
}

double RuleGroups::loss(const std::vector<Code>& codes) const {
  if (codes.size() < 2) return 0;
  double occurrences = 0;
  for (const Code code : codes) occurrences += static_cast<double>(supports_[code]);
  return occurrences * static_cast<double>(codes.size()) / static_cast<double>(supports_.size());
}

Recoding RuleGroups::recoding() const {
  const CodeSets& sets = task_.sets;
  Recoding recoding;
  recoding.domain = task_.tree == nullptr ? supports_.size() : task_.tree->leaf_count();
  std::vector<std::uint32_t> label_of(supports_.size(), kNoGroup);
  const auto add = [&](const std::vector<Code>& codes) {
    Label label{std::string(sets.codes.value(codes.front())), codes};
    if (codes.size() > 1) {
      for (const Code code : codes) label.leaves.emplace_back(sets.codes.value(code));
      std::sort(label.leaves.begin(), label.leaves.end());
      label.text = set_text(label.leaves);
      label.ncp = static_cast<double>(codes.size()) / static_cast<double>(recoding.domain);
    }
    for (const Code code : codes)
      label_of[code] = static_cast<std::uint32_t>(recoding.labels.size());
    recoding.labels.push_back(std::move(label));
  };
  for (const auto& group : members_) {
    if (!group.empty()) add(group);
  }
  std::vector<bool> is_public(supports_.size(), false);
  for (const Code code : public_) is_public[code] = true;
  for (Code code = 0; code < supports_.size(); ++code) {
    if (!is_public[code]) add({code});
  }
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const auto begin = static_cast<std::ptrdiff_t>(recoding.items.size());
    for (const Code code : sets.set(s)) {
      if (label_of[code] != kNoGroup) recoding.items.push_back(label_of[code]);
    }
    std::sort(recoding.items.begin() + begin, recoding.items.end());
    recoding.items.erase(std::unique(recoding.items.begin() + begin, recoding.items.end()),
                         recoding.items.end());
    recoding.first.push_back(recoding.items.size());
  }
  return recoding;
}

}  // namespace pratique::codes
