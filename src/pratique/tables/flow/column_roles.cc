#include "pratique/tables/flow/column_roles.h"

#include <fmt/format.h>

#include <optional>

#include "pratique/core/error.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/data/settings.h"
#include "pratique/tables/flow/internal/each_at_once.h"
#include "pratique/tables/model/model_kind.h"

namespace pratique::tables::flow {

void require_quasi_identifiers(const Schema& schema) {
  if (schema.quasi_identifiers.empty()) {
    throw Error::input("no quasi-identifiers were given")
        .hint("Name them with --qi A,B; pratique tables profile FILE suggests some.");
  }
}

Schema ColumnRoles::schema(const std::vector<std::string>& columns,
                           const std::string& place) const {
  Schema schema = config.empty()
                      ? Schema{}
                      : Schema::read_yaml(config, model_keys(), Schema::OtherKeys::allowed);
  Schema words = said;
  words.hierarchies = column_values(hierarchies, "--hierarchy", columns);
  schema.override_with(words);
  schema.check_against(columns, place);
  return schema;
}

namespace {

template <class Make>
std::map<std::string, Hierarchy> for_each_hierarchy(const Schema& schema,
                                                    const std::vector<std::string>& columns,
                                                    const CountedTable& table, const Make& make) {
  std::vector<std::optional<Hierarchy>> made(columns.size());
  each_at_once(columns.size(), [&](std::size_t i) {
    const auto spec = schema.hierarchies.find(columns[i]);
    if (spec == schema.hierarchies.end()) return;
    const Column& column = table.table.column(columns[i]);
    made[i] = make(spec->second, column, table.counts_of(column));
  });
  std::map<std::string, Hierarchy> hierarchies;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (made[i]) hierarchies.emplace(columns[i], std::move(*made[i]));
  }
  return hierarchies;
}

}  // namespace

std::map<std::string, Hierarchy> make_hierarchies(const Schema& schema,
                                                  const std::vector<std::string>& columns,
                                                  const CountedTable& table) {
  return for_each_hierarchy(
      schema, columns, table,
      [](const std::string& spec, const Column& column, const std::vector<std::uint64_t>& counts) {
        return make_hierarchy(spec, column.dictionary, counts, column.name);
      });
}

std::map<std::string, Hierarchy> make_linking_hierarchies(const Schema& schema,
                                                          const std::vector<std::string>& columns,
                                                          const CountedTable& people) {
  return for_each_hierarchy(
      schema, columns, people,
      [](const std::string& spec, const Column& column, const std::vector<std::uint64_t>& counts) {
        if (!is_builtin_hierarchy(spec)) return read_hierarchy_csv(spec);
        try {
          return make_hierarchy(spec, column.dictionary, counts, column.name);
        } catch (const Error&) {
          // Its message may name values of people who are in no release.
          throw Error::input(
              fmt::format("the hierarchy '{}' does not fit the column '{}' of the people to link",
                          spec, column.name))
              .hint("Their values must be written as in the original table.");
        }
      });
}

std::vector<std::string> files_of(const ColumnRoles& roles, const Schema& schema) {
  std::vector<std::string> files;
  if (!roles.config.empty()) files.push_back(roles.config);
  for (const auto& [column, spec] : schema.hierarchies) {
    if (!is_builtin_hierarchy(spec)) files.push_back(spec);
  }
  return files;
}

}  // namespace pratique::tables::flow
