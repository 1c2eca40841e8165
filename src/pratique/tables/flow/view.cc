#include "pratique/tables/flow/view.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/columns/default_hierarchy.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/data/number_form.h"
#include "pratique/kind/dates.h"
#include "pratique/kind/numbers.h"
#include "pratique/tables/profile/distributions.h"
#include "pratique/tables/profile/hierarchy_view.h"

namespace pratique::tables::flow {
namespace {

// A column of 7,1 and 12,5 is one of numbers, as what is made of it will be.
ValueCounts as_plain_numbers(const ValueCounts& counted, NumberForm form) {
  Column column;
  for (const auto value : counted.values.values())
    column.codes.push_back(column.dictionary.intern(value));
  write_as_plain_numbers(column, form);
  ValueCounts plain{counted.name, std::move(column.dictionary), {}};
  plain.counts.resize(plain.values.size());
  for (std::size_t code = 0; code < column.codes.size(); ++code)
    plain.counts[column.codes[code]] += counted.counts[code];
  return plain;
}

}  // namespace

Outcome view_rows(const RowsRequest& request, const Run& run) {
  const Source source = run.open(request.file);
  const Table table = run.engine.page(source, request.offset, request.limit, run.progress);
  Json rows = Json::array();
  for (std::size_t i = 0; i < table.rows(); ++i) {
    Json row = Json::array();
    for (const auto& column : table.columns) row.push_back(column.text(i));
    rows.push_back(std::move(row));
  }
  const std::uint64_t total = source.format == FileFormat::parquet
                                  ? source.expected_rows
                                  : run.engine.count_rows(source, run.progress);
  return {Json{{"columns", source.columns},
               {"rows", std::move(rows)},
               {"offset", request.offset},
               {"total", total}}};
}

Outcome view_distributions(const DistributionsRequest& request, const Run& run) {
  const Source source = run.open(request.file);
  const auto& names = request.columns.empty() ? source.columns : request.columns;
  Json columns = Json::array();
  std::uint64_t rows = 0;
  run.engine.count_values(source, names, run.progress, [&](const ValueCounts& counts) {
    const auto forms = number_forms(counts.values);
    const auto distribution =
        forms.size() == 1
            ? tables::distribution_of(as_plain_numbers(counts, forms.front()), request.top)
            : tables::distribution_of(counts, request.top);
    rows = distribution.rows;
    columns.push_back(to_json(distribution));
  });
  return {Json{{"rows", rows}, {"columns", std::move(columns)}}};
}

Outcome view_hierarchy(const HierarchyRequest& request, const Run& run) {
  const Source source = run.open(request.file);
  const Schema schema = request.columns.schema(source.columns, source.name);
  GroupedTable grouped = run.engine.group(source, {request.column}, run.progress);
  // As tables protect reads them.
  if (release::are_read_as_days(schema, request.column))
    release::write_plain_dates_as_days(grouped.groups, {request.column});
  if (release::are_read_as_numbers(schema, request.column))
    release::write_unmistakable_numbers(grouped.groups, {request.column});
  const CountedTable counted(grouped);
  const Column& column = grouped.groups.columns.front();
  const auto entry = schema.hierarchies.find(request.column);
  const std::string spec = entry != schema.hierarchies.end()
                               ? entry->second
                               : columns::default_hierarchy(column.name, column.dictionary);
  const auto counts = counted.counts_of(column);
  const Hierarchy hierarchy = is_builtin_hierarchy(spec)
                                  ? make_hierarchy(spec, column.dictionary, counts, column.name)
                                  : read_hierarchy_csv(spec);
  const auto view = tables::view_hierarchy(hierarchy, column, counts);
  Json result = {{"column", request.column}, {"spec", spec}};
  result.update(tables::to_json(view, hierarchy, request.nodes));
  return {result, view.missing_values == 0};
}

}  // namespace pratique::tables::flow
