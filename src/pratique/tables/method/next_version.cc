#include "pratique/tables/method/next_version.h"

#include <algorithm>
#include <set>

#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/model/class_counts.h"
#include "pratique/tables/model/spelling.h"

namespace pratique::tables {
namespace {

std::uint64_t people_in(const ValuesOfClass& values) {
  std::uint64_t people = 0;
  for (const auto& [value, count] : values) people += count;
  return people;
}

ValuesOfClass common(const ValuesOfClass& a, const ValuesOfClass& b) {
  ValuesOfClass both;
  for (const auto& [value, count] : a) {
    if (const auto other = b.find(value); other != b.end())
      both[value] = std::min(count, other->second);
  }
  return both;
}

ValuesOfClass without(const ValuesOfClass& a, const ValuesOfClass& b) {
  ValuesOfClass rest;
  for (const auto& [value, count] : a) {
    const auto other = b.find(value);
    const std::uint64_t cancelled = other == b.end() ? 0 : other->second;
    if (count > cancelled) rest[value] = count - cancelled;
  }
  return rest;
}

ValuesOfClass of_column(const ValuesOfClass& values, std::size_t column) {
  ValuesOfClass projected;
  for (const auto& [value, count] : values) projected[{value[column]}] += count;
  return projected;
}

// Whoever reads two versions sees through the spelling.
std::size_t distinct_values(const ValuesOfClass& values) {
  std::set<Cells> distinct;
  for (const auto& [value, count] : values) {
    Cells said;
    for (const auto& cell : value) said.push_back(without_spelling(cell));
    distinct.insert(std::move(said));
  }
  return distinct.size();
}

// Of nobody, or of enough.
bool is_none_or_safe(const ValuesOfClass& values, std::uint64_t k, std::uint64_t l) {
  return values.empty() || (people_in(values) >= k && distinct_values(values) >= l);
}

// Of people who joined, and of a column: one value would be told.
std::uint64_t at_least_two(std::uint64_t l) { return std::max<std::uint64_t>(l, 2); }

bool only_grew_by_enough(const ValuesOfClass& before, const ValuesOfClass& now, std::uint64_t k,
                         std::uint64_t l) {
  return without(before, now).empty() && is_none_or_safe(without(now, before), k, l);
}

class Successor {
 public:
  Successor(const ProtectionInput& input, const Models& models, const EarlierVersions& earlier)
      : models_(models), earlier_(earlier), counter_(input) {}

  // `entries` are those of one class in the recoding: leaves as many of each as may leave.
  void thin(const std::vector<std::size_t>& entries, Recoding& recoding) {
    Cells cells;
    for (const auto& column : recoding.columns)
      cells.push_back(column.values[column.codes[entries.front()]]);
    std::vector<const ValuesOfClass*> before;
    for (const auto& version : earlier_.versions) {
      if (const auto there = version.find(cells); there != version.end())
        before.push_back(&there->second);
    }
    ValuesOfClass now;
    for (const auto entry : entries)
      now[values_of(recoding.groups[entry])] += recoding.counts[entry];
    std::vector<ValuesOfClass> choices = {now};
    for (auto version = before.rbegin(); version != before.rend(); ++version) {
      choices.push_back(common(now, **version));
    }
    for (const auto& choice : choices) {
      const auto left = counts_of(choice, entries, recoding);
      if (!satisfies(choice, before, entries, left, recoding)) continue;
      leave(entries, left, recoding);
      return;
    }
    leave(entries, std::vector<std::uint64_t>(entries.size(), 0), recoding);
  }

 private:
  [[nodiscard]] Cells values_of(std::uint32_t group) const {
    Cells values;
    for (const auto* column : earlier_.sensitive) values.emplace_back(column->text(group));
    if (earlier_.rows != nullptr) values.emplace_back(earlier_.rows->text(group));
    return values;
  }

  // How many records of each entry, so that together they have these values.
  [[nodiscard]] std::vector<std::uint64_t> counts_of(ValuesOfClass values,
                                                     const std::vector<std::size_t>& entries,
                                                     const Recoding& recoding) const {
    std::vector<std::uint64_t> left;
    for (const auto entry : entries) {
      const auto wanted = values.find(values_of(recoding.groups[entry]));
      const std::uint64_t most = wanted == values.end() ? 0 : wanted->second;
      left.push_back(std::min(most, recoding.counts[entry]));
      if (wanted != values.end()) wanted->second -= left.back();
    }
    return left;
  }

  [[nodiscard]] bool satisfies(const ValuesOfClass& values,
                               const std::vector<const ValuesOfClass*>& before,
                               const std::vector<std::size_t>& entries,
                               const std::vector<std::uint64_t>& left, const Recoding& recoding) {
    if (values.empty()) return true;
    if (!std::all_of(before.begin(), before.end(), [&](const ValuesOfClass* version) {
          return may_follow(*version, values, earlier_);
        }))
      return false;
    counter_.clear();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (left[i] > 0) counter_.add(recoding.groups[entries[i]], left[i]);
    }
    return all_hold(models_, counter_.view());
  }

  static void leave(const std::vector<std::size_t>& entries, const std::vector<std::uint64_t>& left,
                    Recoding& recoding) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      recoding.suppressed += recoding.counts[entries[i]] - left[i];
      recoding.counts[entries[i]] = left[i];
    }
  }

  const Models& models_;
  const EarlierVersions& earlier_;
  ClassCounter counter_;
};

}  // namespace

bool may_follow(const ValuesOfClass& before, const ValuesOfClass& now,
                const EarlierVersions& earlier) {
  if (!only_grew_by_enough(before, now, earlier.k, 1)) return false;
  for (std::size_t c = 0; c < earlier.sensitive.size(); ++c) {
    if (!only_grew_by_enough(of_column(before, c), of_column(now, c), earlier.k,
                             at_least_two(earlier.l[c])))
      return false;
  }
  return true;
}

NextVersion next_version(const ProtectionInput& input, const Models& models,
                         const EarlierVersions& earlier) {
  NextVersion next;
  Recoding& recoding = next.recoding;
  recoding = apply_levels(input, earlier.levels, models);
  std::vector<std::vector<std::size_t>> entries(recoding.class_count);
  for (std::size_t entry = 0; entry < recoding.class_of.size(); ++entry)
    entries[recoding.class_of[entry]].push_back(entry);
  const std::uint64_t unsafe = recoding.suppressed;
  Successor successor(input, models, earlier);
  for (const auto& of_class : entries) successor.thin(of_class, recoding);
  drop_empty_entries(recoding);
  next.waiting = recoding.suppressed - unsafe;
  return next;
}

}  // namespace pratique::tables
