#include "pratique/tables/flow/internal/outgoing_columns.h"

#include <algorithm>
#include <numeric>

#include "pratique/kind/among.h"

namespace pratique::tables::flow {

OutgoingColumns outgoing_columns(const PreparedTable& prepared, const Recoding& recoding,
                                 const std::optional<SecretKey>& key,
                                 release::IdentifierTreatment treatment) {
  OutgoingColumns outgoing;
  outgoing.values.reserve(prepared.leaving.size());
  outgoing.content.counts = &recoding.counts;
  outgoing.content.groups.resize(recoding.groups.size());
  std::iota(outgoing.content.groups.begin(), outgoing.content.groups.end(), 0);
  const auto& qi = prepared.schema.quasi_identifiers;
  // What somebody wished to hide tells something, too: the manifest has what the check needs.
  const auto guards = prepared.request.withheld_columns();
  for (const auto& name : prepared.source.columns) {
    if (name == prepared.person) outgoing.of_people.push_back({.name = name});
    if (!release::among(prepared.leaving, name) || release::among(guards, name)) continue;
    const auto place = std::find(qi.begin(), qi.end(), name);
    if (place != qi.end()) {
      const auto& column = recoding.columns[static_cast<std::size_t>(place - qi.begin())];
      outgoing.content.columns.push_back({name, &column.codes, &column.values});
      outgoing.of_people.push_back({.name = name, .recoded = &column});
      continue;
    }
    if (prepared.is_aside(name)) {
      const auto& aside = prepared.aside->names();
      outgoing.unchanged.push_back(name);
      outgoing.content.columns.push_back(
          {.name = name,
           .codes = &prepared.marks().codes,
           .values = nullptr,
           .places = &recoding.groups,
           .aside = prepared.aside.get(),
           .marks = &prepared.marks().dictionary,
           .cell = static_cast<std::size_t>(std::find(aside.begin(), aside.end(), name) -
                                            aside.begin())});
      continue;
    }
    const Column& original =
        prepared.people ? prepared.people->column(name) : prepared.table.groups.column(name);
    std::vector<std::string> replaced;
    if (prepared.schema.role_of(name) == Role::identifier) {
      replaced = release::replace_identifiers(original, treatment, *key);
    } else if (release::among(prepared.as_is, name)) {
      outgoing.unchanged.push_back(name);
    }
    if (prepared.people) {
      outgoing.of_people.push_back(
          {.name = name, .as_it_is = &original, .replaced = std::move(replaced)});
      continue;
    }
    if (replaced.empty()) {
      const auto& values = original.dictionary.values();
      replaced.assign(values.begin(), values.end());
    }
    outgoing.values.push_back(std::move(replaced));
    outgoing.content.columns.push_back(
        {name, &original.codes, &outgoing.values.back(), &recoding.groups});
  }
  return outgoing;
}

}  // namespace pratique::tables::flow
