#include "pratique/tables/method/internal/partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "pratique/core/error.h"

namespace pratique::tables {

Items all_items(const ProtectionInput& input) {
  Items items;
  for (std::uint32_t group = 0; group < input.groups(); ++group) {
    if ((*input.counts)[group] > 0) items.push_back({group, (*input.counts)[group]});
  }
  return items;
}

Items everybody(const ProtectionInput& input) {
  Items items;
  for (std::uint32_t group = 0; group < input.groups(); ++group) {
    items.push_back({group, (*input.counts)[group]});
  }
  return items;
}

bool ModelCheck::holds(std::span<const Item> items) {
  if (people_ != nullptr) return holds(items, people_->count(people_->over(groups_in(items))));
  counter_.clear();
  for (const Item& item : items) counter_.add(item.group, item.count);
  return holds();
}

bool ModelCheck::holds(std::span<const Item> items, std::uint64_t population) {
  counter_.clear();
  for (const Item& item : items) counter_.add(item.group, item.count);
  ClassView view = counter_.view();
  view.population = population;
  return all_hold(view);
}

std::vector<std::uint32_t> groups_in(std::span<const Item> items) {
  std::vector<std::uint32_t> groups;
  for (const Item& item : items) groups.push_back(item.group);
  return groups;
}

std::uint64_t records_in(std::span<const Item> items) {
  std::uint64_t records = 0;
  for (const Item& item : items) records += item.count;
  return records;
}

std::uint64_t smallest_class(const Models& models) {
  for (const auto& model : models) {
    if (model->name() == "k") return static_cast<std::uint64_t>(model->required());
  }
  return 1;
}

void require_feasible(const ProtectionInput& input, const Models& models,
                      std::span<const Item> items) {
  if (items.empty()) return;
  ClassCounter counter(input);
  for (const Item& item : items) counter.add(item.group, item.count);
  const ClassView view = counter.view();
  std::string broken;
  for (const auto& model : models) {
    if (model->holds(view)) continue;
    if (!broken.empty()) broken += ", ";
    broken += fmt::format("{} (required {:g}, reached {:g})", model->name(), model->required(),
                          model->measure(view));
  }
  if (broken.empty()) return;
  throw Error::check(fmt::format("one class of all {} records breaks {}", view.records, broken))
      .hint("No generalisation satisfies the models; ask for less, or use more records.");
}

namespace {

Recoding entries_of(std::span<const Items> classes) {
  Recoding recoding;
  recoding.class_count = classes.size();
  Items members;
  for (std::size_t id = 0; id < classes.size(); ++id) {
    members = classes[id];
    std::sort(members.begin(), members.end(),
              [](const Item& a, const Item& b) { return a.group < b.group; });
    const std::size_t first = recoding.groups.size();
    for (const Item& item : members) {
      if (recoding.groups.size() > first && recoding.groups.back() == item.group) {
        recoding.counts.back() += item.count;
        continue;
      }
      recoding.groups.push_back(item.group);
      recoding.counts.push_back(item.count);
      recoding.class_of.push_back(static_cast<ClassId>(id));
    }
  }
  return recoding;
}

// By class: the number of the first class with the same cells, counted without repetitions.
std::vector<ClassId> same_cells(const Recoding& recoding, std::size_t& distinct) {
  std::map<std::vector<Code>, ClassId> seen;
  std::vector<ClassId> merged(recoding.class_count, 0);
  std::vector<Code> cells(recoding.columns.size());
  for (std::size_t i = 0; i < recoding.class_of.size(); ++i) {
    if (i > 0 && recoding.class_of[i] == recoding.class_of[i - 1]) continue;
    for (std::size_t a = 0; a < cells.size(); ++a) cells[a] = recoding.columns[a].codes[i];
    merged[recoding.class_of[i]] =
        seen.emplace(cells, static_cast<ClassId>(seen.size())).first->second;
  }
  distinct = seen.size();
  return merged;
}

// `united`: the distinct classes, where they are fewer.
Recoding write_distinct(const ProtectionInput& input, std::span<const Items> classes,
                        CellStyle style, std::vector<Items>& united) {
  while (true) {
    Recoding recoding = entries_of(classes);
    write_cells(input, style, recoding);
    std::size_t distinct = 0;
    const auto merged = same_cells(recoding, distinct);
    if (distinct == classes.size()) return recoding;
    std::vector<Items> fewer(distinct);
    for (std::size_t id = 0; id < classes.size(); ++id) {
      auto& items = fewer[merged[id]];
      items.insert(items.end(), classes[id].begin(), classes[id].end());
    }
    united = std::move(fewer);
    classes = united;
  }
}

}  // namespace

std::vector<Items> distinct_classes(const ProtectionInput& input, std::vector<Items> classes,
                                    CellStyle style) {
  std::vector<Items> united;
  (void)write_distinct(input, classes, style, united);
  return united.empty() ? std::move(classes) : std::move(united);
}

Recoding recoding_of(const ProtectionInput& input, std::span<const Items> classes,
                     CellStyle style) {
  std::vector<Items> united;
  Recoding recoding = write_distinct(input, classes, style, united);
  drop_empty_entries(recoding);  // people have done their part once the cells are written
  return recoding;
}

Recoding recoding_of_each(const ProtectionInput& input, std::span<const Items> classes,
                          CellStyle style) {
  Recoding recoding = entries_of(classes);
  write_cells(input, style, recoding);
  drop_empty_entries(recoding);
  return recoding;
}

std::vector<Items> classes_in(const Recoding& recoding) {
  std::vector<Items> classes(recoding.class_count);
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    classes[recoding.class_of[i]].push_back({recoding.groups[i], recoding.counts[i]});
  }
  return classes;
}

}  // namespace pratique::tables
