#include "pratique/release/internal/ledger_people.h"

#include <algorithm>
#include <set>

#include "pratique/core/ascii.h"

namespace pratique::release {
namespace {

bool has_entry(const std::vector<std::uint64_t>& entries, std::uint64_t index) {
  return std::find(entries.begin(), entries.end(), index) != entries.end();
}

bool same_by_record(const RecordedRelease& a, const RecordedRelease& b) {
  if (!a.population.empty() && a.population == b.population) return true;
  if (has_entry(a.same_people, b.index) || has_entry(b.same_people, a.index)) return true;
  return std::any_of(a.inputs.begin(), a.inputs.end(), [&](const std::string& input) {
    return std::find(b.inputs.begin(), b.inputs.end(), input) != b.inputs.end();
  });
}

std::set<std::string> folded_names(const std::vector<std::string>& columns) {
  std::set<std::string> names;
  for (const auto& column : columns) names.insert(lower(column));
  return names;
}

bool said_apart(const RecordedRelease& a, const RecordedRelease& b) {
  return has_entry(a.other_people, b.index) || has_entry(b.other_people, a.index);
}

}  // namespace

bool mostly_same_columns(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto names = folded_names(a);
  const auto others = folded_names(b);
  const auto shared = std::count_if(
      names.begin(), names.end(), [&](const std::string& name) { return others.count(name) > 0; });
  return 2 * static_cast<std::size_t>(shared) >= std::min(names.size(), others.size());
}

PeopleOfLedger sort_by_people(const std::vector<RecordedRelease>& ledger,
                              const AddedRelease& added) {
  std::vector<bool> same(ledger.size());
  for (std::size_t e = 0; e < ledger.size(); ++e) {
    same[e] = (!added.population.empty() && added.population == ledger[e].population) ||
              has_entry(added.same_people, ledger[e].index) || added.shares_input(ledger[e]);
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t e = 0; e < ledger.size(); ++e) {
      for (std::size_t s = 0; s < ledger.size() && !same[e]; ++s) {
        if (!same[s] || !same_by_record(ledger[s], ledger[e])) continue;
        same[e] = true;
        grew = true;
      }
    }
  }
  const bool name_is_used =
      !added.population.empty() &&
      std::any_of(ledger.begin(), ledger.end(), [&](const RecordedRelease& entry) {
        return entry.population == added.population;
      });
  PeopleOfLedger people;
  for (std::size_t e = 0; e < ledger.size(); ++e) {
    const RecordedRelease& entry = ledger[e];
    if (same[e]) {
      people.same.push_back(entry.index);
      continue;
    }
    bool told_apart = name_is_used && !entry.population.empty();
    for (std::size_t s = 0; s < ledger.size() && !told_apart; ++s)
      told_apart = same[s] && said_apart(ledger[s], entry);
    const bool alike = entry.kind == added.kind &&
                       (!entry.columns || mostly_same_columns(*entry.columns, added.columns));
    const bool unclear = alike && !told_apart;
    if (unclear) people.unclear.push_back(entry.index);
    if (!unclear || added.other_people) people.others.push_back(entry.index);
  }
  return people;
}

}  // namespace pratique::release
