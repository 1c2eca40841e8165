#include "pratique/release/internal/ledger_people.h"

#include <fmt/format.h>

#include <algorithm>

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

// Without marks a column is known by its name alone.
std::vector<ColumnMarks> marks_or_names(const std::vector<ColumnMarks>& marks,
                                        const std::optional<std::vector<std::string>>& names) {
  if (!marks.empty() || !names) return marks;
  std::vector<ColumnMarks> columns;
  for (const auto& name : *names) columns.push_back({.column = name});
  return columns;
}

// Two values are enough where they are all there are (yes, no).
std::optional<std::string> shared_secret(const ColumnMarks& there, const ColumnMarks& here) {
  constexpr std::size_t kLeast = 2;
  if (!there.sensitive && !here.sensitive) return std::nullopt;
  const std::string names = there.column == here.column
                                ? fmt::format("'{}'", here.column)
                                : fmt::format("'{}', here '{}'", there.column, here.column);
  if (same_name(there.column, here.column))
    return fmt::format("shares the sensitive column {}", names);
  if (share_most(there.values, here.values, kLeast))
    return fmt::format("shares most values of a sensitive column ({})", names);
  if (share_most(there.beginnings, here.beginnings, kLeast))
    return fmt::format("shares most beginnings of sensitive values ({})", names);
  return std::nullopt;
}

bool share_half(const std::vector<ColumnMarks>& a, const std::vector<ColumnMarks>& b) {
  constexpr std::size_t kLeast = 4;  // F and M are in every table
  const auto& smaller = a.size() <= b.size() ? a : b;
  const auto& larger = a.size() <= b.size() ? b : a;
  const auto shared = std::count_if(smaller.begin(), smaller.end(), [&](const ColumnMarks& column) {
    return std::any_of(larger.begin(), larger.end(), [&](const ColumnMarks& other) {
      return same_name(column.column, other.column) ||
             share_most(column.values, other.values, kLeast);
    });
  });
  return 2 * static_cast<std::size_t>(shared) >= smaller.size();
}

bool said_apart(const RecordedRelease& a, const RecordedRelease& b) {
  return has_entry(a.other_people, b.index) || has_entry(b.other_people, a.index);
}

}  // namespace

std::optional<std::string> likeness(const RecordedRelease& earlier, const AddedRelease& added) {
  if (!earlier.columns && earlier.kind == added.kind)
    return "is of an earlier version, which did not record its columns";
  const auto recorded = marks_or_names(earlier.marks, earlier.columns);
  for (const auto& here : added.marks) {
    for (const auto& there : recorded) {
      if (auto why = shared_secret(there, here)) return why;
    }
  }
  const auto columns = marks_or_names(added.marks, added.columns);
  const bool empty = recorded.empty() || columns.empty();
  const bool mostly = empty ? earlier.kind == added.kind : share_half(recorded, columns);
  return mostly ? std::optional<std::string>("has mostly the same columns") : std::nullopt;
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
    const auto alike = told_apart ? std::nullopt : likeness(entry, added);
    if (alike) people.unclear.push_back({entry.index, *alike});
    if (!alike || added.other_people) people.others.push_back(entry.index);
  }
  return people;
}

}  // namespace pratique::release
