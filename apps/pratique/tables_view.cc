// The verbs by which a person looks at a table: its rows, its distributions, its hierarchies.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "command.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/tables/profile/distributions.h"
#include "pratique/tables/profile/hierarchy_view.h"
#include "table_options.h"
#include "tables_verbs.h"

namespace pratique::app {
namespace {

void add_rows(CommandLine& program, Session& session) {
  struct Options {
    std::string file;
    std::uint64_t offset = 0;
    std::uint64_t limit = 100;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "tables", "rows", "Show rows of a table as they stand in the file", [options, &session] {
        const Source source = session.open(options->file);
        const Table table =
            session.engine().page(source, options->offset, options->limit, session.progress);
        Json rows = Json::array();
        for (std::size_t i = 0; i < table.rows(); ++i) {
          Json row = Json::array();
          for (const auto& column : table.columns) row.push_back(column.text(i));
          rows.push_back(std::move(row));
        }
        const std::uint64_t total = source.format == FileFormat::parquet
                                        ? source.expected_rows
                                        : session.engine().count_rows(source, session.progress);
        session.print({{"columns", source.columns},
                       {"rows", std::move(rows)},
                       {"offset", options->offset},
                       {"total", total}});
        return 0;
      });
  verb.file_read("FILE", &options->file, "the table: CSV or Parquet").require();
  verb.whole_number("offset", &options->offset, 0, kLargestSeed, "the first row to show, from 0");
  verb.whole_number("limit", &options->limit, 0, 100'000, "how many rows");
}

void add_distributions(CommandLine& program, Session& session) {
  struct Options {
    std::string file;
    std::vector<std::string> columns;
    std::size_t top = 20;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "tables", "distributions", "Count the values of columns, in bins to draw",
      [options, &session] {
        const Source source = session.open(options->file);
        const auto& names = options->columns.empty() ? source.columns : options->columns;
        Json columns = Json::array();
        std::uint64_t rows = 0;
        session.engine().count_values(
            source, names, session.progress, [&](const ValueCounts& counts) {
              const auto distribution = tables::distribution_of(counts, options->top);
              rows = distribution.rows;
              columns.push_back(to_json(distribution));
            });
        session.print({{"rows", rows}, {"columns", std::move(columns)}});
        return 0;
      });
  verb.file_read("FILE", &options->file, "the table: CSV or Parquet").require();
  verb.columns("columns", &options->columns, "the columns to count").unless_given("all");
  verb.whole_number("top", &options->top, 1, 1000, "bins of each column");
}

void add_hierarchy(CommandLine& program, Session& session) {
  struct Options {
    std::string file;
    std::string column;
    std::size_t nodes = 500;
    TableOptions columns;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "tables", "hierarchy", "Show a column's hierarchy as a tree, and the values it lacks",
      [options, &session] {
        const Source source = session.open(options->file);
        const Schema schema = options->columns.schema(source.columns, source.name);
        const auto found = schema.hierarchies.find(options->column);
        if (found == schema.hierarchies.end()) {
          throw Error::input("the column has no hierarchy")
              .hint("Give it one with --hierarchy COLUMN=SPEC.");
        }
        const std::string& spec = found->second;
        const GroupedTable grouped =
            session.engine().group(source, {options->column}, session.progress);
        const CountedTable counted(grouped);
        const Column& column = grouped.groups.columns.front();
        const auto counts = counted.counts_of(column);
        const Hierarchy hierarchy =
            is_builtin_hierarchy(spec)
                ? make_hierarchy(spec, column.dictionary, counts, column.name)
                : read_hierarchy_csv(spec);
        const auto view = tables::view_hierarchy(hierarchy, column, counts);
        Json result = {{"column", options->column}, {"spec", spec}};
        result.update(tables::to_json(view, hierarchy, options->nodes));
        session.print(result);
        return view.missing_values == 0 ? 0 : 1;
      });
  verb.file_read("FILE", &options->file, "the table: CSV or Parquet").require();
  verb.column("column", &options->column, "the column to look at").require();
  options->columns.add_hierarchies(verb);
  options->columns.add_config(verb);
  verb.whole_number("nodes", &options->nodes, 1, 100'000, "how many nodes of the tree to show");
}

}  // namespace

void add_tables_view(CommandLine& program, Session& session) {
  add_rows(program, session);
  add_distributions(program, session);
  add_hierarchy(program, session);
}

}  // namespace pratique::app
