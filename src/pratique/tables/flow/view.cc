#include "pratique/tables/flow/view.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/columns/default_hierarchy.h"
#include "pratique/core/error.h"
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

// The most frequent values of a column, and of each value its place among them: the last is of all
// others.
struct Frequent {
  std::vector<std::string> labels;
  std::vector<std::size_t> place;  // by code
  bool has_others = false;

  [[nodiscard]] std::size_t places() const { return labels.size() + (has_others ? 1 : 0); }
};

Frequent frequent(const Column& column, const std::vector<std::uint64_t>& counts, std::size_t top) {
  std::vector<Code> codes(column.dictionary.size());
  std::iota(codes.begin(), codes.end(), Code{0});
  std::sort(codes.begin(), codes.end(), [&](Code a, Code b) {
    return counts[a] != counts[b] ? counts[a] > counts[b]
                                  : column.dictionary.value(a) < column.dictionary.value(b);
  });
  Frequent shown;
  shown.has_others = codes.size() > top;
  shown.place.assign(codes.size(), std::min(codes.size(), top));
  for (std::size_t i = 0; i < std::min(codes.size(), top); ++i) {
    shown.place[codes[i]] = i;
    shown.labels.emplace_back(column.dictionary.value(codes[i]));
  }
  return shown;
}

double cramers_v(const GroupedTable& pairs, const std::vector<std::uint64_t>& first,
                 const std::vector<std::uint64_t>& second) {
  const auto least = std::min(first.size(), second.size());
  if (least < 2) return 0;
  const auto& columns = pairs.groups.columns;
  double sum = 0;  // chi-squared over the number of rows, and one
  for (std::size_t i = 0; i < pairs.counts.size(); ++i) {
    const auto both = static_cast<double>(pairs.counts[i]);
    sum += both / static_cast<double>(first[columns[0].codes[i]]) * both /
           static_cast<double>(second[columns[1].codes[i]]);
  }
  return std::sqrt(std::clamp((sum - 1) / static_cast<double>(least - 1), 0.0, 1.0));
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

Outcome view_crosstab(const CrosstabRequest& request, const Run& run) {
  if (request.columns.size() != 2 || request.columns[0] == request.columns[1]) {
    throw Error::input("a cross table is of two columns")
        .hint("Name two that are not the same: --columns age,diagnosis.");
  }
  const Source source = run.open(request.file);
  const GroupedTable pairs = run.engine.group(source, request.columns, run.progress);
  const CountedTable counted(pairs);
  const auto& columns = pairs.groups.columns;
  const auto first = counted.counts_of(columns[0]);
  const auto second = counted.counts_of(columns[1]);
  const Frequent down = frequent(columns[0], first, request.top);
  const Frequent across = frequent(columns[1], second, request.top);
  std::vector<std::vector<std::uint64_t>> counts(down.places(),
                                                 std::vector<std::uint64_t>(across.places(), 0));
  for (std::size_t i = 0; i < pairs.counts.size(); ++i)
    counts[down.place[columns[0].codes[i]]][across.place[columns[1].codes[i]]] += pairs.counts[i];
  const auto described = [](const Column& column, const Frequent& shown) {
    return Json{{"name", column.name}, {"values", shown.labels}, {"others", shown.has_others}};
  };
  return {Json{{"rows", pairs.rows()},
               {"association", cramers_v(pairs, first, second)},
               {"columns", {described(columns[0], down), described(columns[1], across)}},
               {"counts", counts}}};
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
