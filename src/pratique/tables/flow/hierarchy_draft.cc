#include "pratique/tables/flow/hierarchy_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "pratique/columns/default_hierarchy.h"
#include "pratique/core/csv_field.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/data/hierarchy.h"
#include "pratique/data/number.h"
#include "pratique/data/settings.h"
#include "pratique/kind/dates.h"
#include "pratique/kind/numbers.h"

namespace pratique::tables::flow {
namespace {

// As days and plain numbers, which is what tables protect makes of them.
void write_as_protected(Table& table, const HierarchyDraftRequest& request, const Schema& schema,
                        const Source& source) {
  Schema alone;
  alone.quasi_identifiers = {request.column};
  alone.hierarchies = schema.hierarchies;
  const auto said = [&](const std::vector<std::string>& forms, const char* option) {
    return column_values(forms, option, source.columns);
  };
  release::write_as_days(
      table,
      release::find_date_forms(table, alone, said(request.date_forms, "--date-form"), source.name));
  release::write_as_numbers(
      table, release::find_number_forms(table, alone, said(request.number_forms, "--number-form"),
                                        source.name));
}

using Path = std::vector<std::string_view>;  // leaf first

bool comes_before(std::string_view a, std::string_view b) {
  if (is_number(a) && is_number(b)) return compare_numbers(a, b) < 0;
  return a < b;
}

// By branches from the root down, so that what is edited together stands together.
std::vector<Path> sorted_paths(const Hierarchy& tree) {
  std::vector<Path> paths;
  for (Hierarchy::Node leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    Path& path = paths.emplace_back();
    for (int level = 0; level < tree.height(); ++level)
      path.push_back(tree.label(tree.ancestor(leaf, level)));
  }
  // Labels of ranges begin with their lower end, as do those of years.
  const auto beginning = [](std::string_view label) { return label.substr(0, label.find("..")); };
  std::sort(paths.begin(), paths.end(), [&](const Path& a, const Path& b) {
    return std::lexicographical_compare(
        a.rbegin(), a.rend(), b.rbegin(), b.rend(),
        [&](auto x, auto y) { return comes_before(beginning(x), beginning(y)); });
  });
  return paths;
}

}  // namespace

Outcome draft_hierarchy(const HierarchyDraftRequest& request, const Run& run) {
  const Source source = run.open(request.file);
  (void)column_index(source.columns, request.column, source.name);
  GroupedTable grouped = run.engine.group(source, {request.column}, run.progress);
  const Schema schema = request.columns.schema(source.columns, source.name);
  write_as_protected(grouped.groups, request, schema, source);
  const Column& column = grouped.groups.columns.front();
  const auto given = schema.hierarchies.find(request.column);
  const std::string spec = given != schema.hierarchies.end()
                               ? given->second
                               : columns::default_hierarchy(column.name, column.dictionary);
  const Hierarchy tree =
      make_hierarchy(spec, column.dictionary, CountedTable(grouped).counts_of(column), column.name);
  std::string text;
  std::vector<std::set<std::string_view>> labels(static_cast<std::size_t>(tree.height()));
  for (const Path& path : sorted_paths(tree)) {
    std::string line;
    for (std::size_t level = 0; level < path.size(); ++level) {
      labels[level].insert(path[level]);
      line += (level == 0 ? "" : ";") + csv_field(path[level]);
    }
    text += line + "\n";
  }
  std::error_code none;
  const bool there =
      std::filesystem::exists(request.out, none) && !std::filesystem::is_empty(request.out, none);
  if (there && !request.replace && read_file(request.out) != text) {
    throw Error::input("a file with this name exists, and it is not this draft as it was written")
        .at(request.out)
        .hint("It may have been edited. Choose another name, or replace it with --force.");
  }
  AtomicFile file(request.out, 0600);
  file.write(text);
  file.commit();
  Json levels = Json::array();
  for (std::size_t level = 0; level < labels.size(); ++level)
    levels.push_back({{"level", level}, {"labels", labels[level].size()}});
  return {Json{{"column", column.name},
               {"spec", spec},
               {"values", tree.leaf_count()},
               {"levels", std::move(levels)},
               {"out", request.out}}};
}

}  // namespace pratique::tables::flow
