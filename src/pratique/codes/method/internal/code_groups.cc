#include "pratique/codes/method/internal/code_groups.h"

#include <algorithm>
#include <numeric>

namespace pratique::codes {
namespace {

std::vector<std::uint32_t> either(const std::vector<std::uint32_t>& a,
                                  const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> all;
  all.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

}  // namespace

CodeGroups::CodeGroups(const CodeSets& sets, std::vector<std::uint32_t> class_of)
    : sets_(sets),
      class_of_(std::move(class_of)),
      group_of_(sets.codes.size()),
      records_(sets.codes.size()),
      patients_(sets.supports()),
      rank_(sets.codes.size()) {
  for (std::uint32_t s = 0; s < sets.size(); ++s) {
    for (const Code code : sets.set(s)) records_[code].list.push_back(s);
  }
  for (Records& records : records_) {
    with_code_.push_back(records.list);
    set_bits(records);
  }
  std::vector<Code> by_text(sets.codes.size());
  std::iota(by_text.begin(), by_text.end(), 0);
  std::sort(by_text.begin(), by_text.end(),
            [&](Code a, Code b) { return sets.codes.value(a) < sets.codes.value(b); });
  for (std::uint32_t i = 0; i < by_text.size(); ++i) rank_[by_text[i]] = i;
  for (Code code = 0; code < sets.codes.size(); ++code) {
    group_of_[code] = code;
    codes_.push_back({code});
    if (class_of_[code] >= groups_of_class_.size()) groups_of_class_.resize(class_of_[code] + 1);
    groups_of_class_[class_of_[code]].push_back(code);
  }
  records_of_class_.resize(groups_of_class_.size());
}

bool CodeGroups::Records::has(std::uint32_t record) const {
  if (bits.empty()) return std::binary_search(list.begin(), list.end(), record);
  return (bits[record / 64] >> (record % 64) & 1U) != 0;
}

void CodeGroups::set_bits(Records& records) const {
  const std::size_t words = (sets_.size() + 63) / 64;
  if (records.list.size() < words) return;
  records.bits.assign(words, 0);
  for (const auto s : records.list) records.bits[s / 64] |= std::uint64_t{1} << (s % 64);
}

std::uint64_t CodeGroups::weigh(const Records& records) const {
  std::uint64_t patients = 0;
  for (const auto s : records.list) patients += sets_.counts[s];
  return patients;
}

std::uint64_t CodeGroups::weigh_common(std::vector<const Records*> all,
                                       std::uint64_t enough) const {
  if (all.empty()) return 0;
  std::sort(all.begin(), all.end(),
            [](const Records* a, const Records* b) { return a->list.size() < b->list.size(); });
  std::uint64_t patients = 0;
  for (const auto s : all.front()->list) {
    if (std::all_of(all.begin() + 1, all.end(), [&](const Records* r) { return r->has(s); })) {
      patients += sets_.counts[s];
      if (patients >= enough) return enough;
    }
  }
  return patients;
}

std::uint64_t CodeGroups::patients_of_both(Group a, Group b) {
  if (marked_ != a) {
    marks_.assign(sets_.size(), false);
    for (const auto s : records_[a].list) marks_[s] = true;
    marked_ = a;
  }
  std::uint64_t patients = patients_[a];
  for (const auto s : records_[b].list) patients += marks_[s] ? 0 : sets_.counts[s];
  return patients;
}

std::vector<CodeGroups::Group> CodeGroups::shown(std::span<const Code> codes) const {
  std::vector<Group> groups;
  for (const Code code : codes) {
    if (group_of_[code] != kSuppressed) groups.push_back(group_of_[code]);
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

std::uint64_t CodeGroups::support(std::span<const Group> groups, std::uint64_t enough) const {
  std::vector<const Records*> all;
  for (const Group group : groups) all.push_back(&records_[group]);
  return weigh_common(std::move(all), enough);
}

std::uint64_t CodeGroups::support_at_most(std::span<const Group> groups, std::uint64_t enough) {
  std::vector<const Records*> all;
  for (const Group group : groups) {
    Records& either = records_of_class_[class_of_[group]];
    if (either.list.empty()) {
      auto& list = either.list;
      for (const Group mate : mates(group)) {
        list.insert(list.end(), records_[mate].list.begin(), records_[mate].list.end());
      }
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      set_bits(either);
    }
    if (std::find(all.begin(), all.end(), &either) == all.end()) all.push_back(&either);
  }
  return weigh_common(std::move(all), enough);
}

CodeGroups::Group CodeGroups::merge(Group a, Group b) {
  if (rank_[b] < rank_[a]) std::swap(a, b);
  marked_ = kSuppressed;
  records_[a].list = either(records_[a].list, records_[b].list);
  set_bits(records_[a]);
  patients_[a] = weigh(records_[a]);
  for (const Code code : codes_[b]) group_of_[code] = a;
  codes_[a].insert(codes_[a].end(), codes_[b].begin(), codes_[b].end());
  std::erase(groups_of_class_[class_of_[b]], b);
  codes_[b] = {};
  records_[b] = {};
  return a;
}

void CodeGroups::suppress(Group group) {
  for (const Code code : codes_[group]) group_of_[code] = kSuppressed;
  std::erase(groups_of_class_[class_of_[group]], group);
  records_of_class_[class_of_[group]] = {};
}

void CodeGroups::dissolve(Group group) {
  marked_ = kSuppressed;
  std::erase(groups_of_class_[class_of_[group]], group);
  codes_[group] = {};
  records_[group] = {};
}

CodeGroups::Group CodeGroups::gather(std::vector<Code> codes) {
  const Group group = *std::min_element(codes.begin(), codes.end(),
                                        [&](Code a, Code b) { return rank_[a] < rank_[b]; });
  Records records;
  for (const Code code : codes) {
    group_of_[code] = group;
    records.list = either(records.list, with_code_[code]);
  }
  set_bits(records);
  records_[group] = std::move(records);
  patients_[group] = weigh(records_[group]);
  codes_[group] = std::move(codes);
  groups_of_class_[class_of_[group]].push_back(group);
  return group;
}

void CodeGroups::restore(Group group) {
  for (const Code code : codes_[group]) group_of_[code] = group;
  groups_of_class_[class_of_[group]].push_back(group);
  records_of_class_[class_of_[group]] = {};
}

}  // namespace pratique::codes
