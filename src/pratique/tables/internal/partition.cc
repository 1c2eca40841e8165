#include "pratique/tables/internal/partition.h"

#include <fmt/format.h>

#include <algorithm>

#include "pratique/core/error.h"

namespace pratique::tables {

Items all_items(const ProtectionInput& input) {
  Items items;
  for (std::uint32_t group = 0; group < input.groups(); ++group) {
    if ((*input.counts)[group] > 0) items.push_back({group, (*input.counts)[group]});
  }
  return items;
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
      .hint("No generalisation satisfies the models; ask for less, or bring more records.");
}

Recoding recoding_of(const ProtectionInput& input, std::span<const Items> classes,
                     CellStyle style) {
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
  write_cells(input, style, recoding);
  return recoding;
}

}  // namespace pratique::tables
