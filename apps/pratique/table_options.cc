#include "table_options.h"

#include <fmt/format.h>

#include "pratique/core/error.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/hierarchy_csv.h"

namespace pratique::app {

void TableOptions::add_config(Verb& verb) {
  verb.group("Columns");
  verb.file_read("config", &config,
                 "YAML file with roles, hierarchies, models and options; flags win over it");
  verb.reads_schema = true;
}
void TableOptions::add_identifiers(Verb& verb) {
  verb.group("Columns");
  verb.columns("id", &flags.identifiers, "identifiers: they never leave");
}
void TableOptions::add_quasi_identifiers(Verb& verb) {
  verb.group("Columns");
  verb.columns("qi", &flags.quasi_identifiers, "quasi-identifiers: what an adversary may know");
}
void TableOptions::add_sensitive(Verb& verb) {
  verb.group("Columns");
  verb.columns("sensitive", &flags.sensitive,
               "sensitive attributes: what an adversary wants to know");
}
void TableOptions::add_hierarchies(Verb& verb) {
  verb.group("Columns");
  verb.column_spec("hierarchy", &hierarchy_flags,
                   "SPEC is a CSV file (leaf first, root last), interval:5,10,20, prefix, date, "
                   "icd9 or flat");
}

void require_quasi_identifiers(const Schema& schema) {
  if (schema.quasi_identifiers.empty()) {
    throw Error::input("no quasi-identifiers were named")
        .hint("Name them with --qi A,B; pratique tables profile FILE suggests some.");
  }
}

std::map<std::string, std::string> column_values(const std::vector<std::string>& pairs,
                                                 const std::string& flag) {
  std::map<std::string, std::string> values;
  for (const auto& pair : pairs) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == pair.size()) {
      throw Error::input(fmt::format("{} takes COLUMN=VALUE, not '{}'", flag, pair));
    }
    if (!values.emplace(pair.substr(0, equals), pair.substr(equals + 1)).second) {
      throw Error::input(
          fmt::format("{} names the column '{}' twice", flag, pair.substr(0, equals)));
    }
  }
  return values;
}

Schema TableOptions::schema(const std::vector<std::string>& columns,
                            const std::string& place) const {
  Schema schema = config.empty() ? Schema{} : Schema::read_yaml(config, Schema::OtherKeys::allowed);
  Schema from_flags = flags;
  from_flags.hierarchies = column_values(hierarchy_flags, "--hierarchy");
  schema.override_with(from_flags);
  schema.check_against(columns, place);
  return schema;
}

namespace {

template <class Make>
std::map<std::string, Hierarchy> for_each_hierarchy(const Schema& schema,
                                                    const std::vector<std::string>& columns,
                                                    const CountedTable& table, const Make& make) {
  std::map<std::string, Hierarchy> hierarchies;
  for (const auto& name : columns) {
    const auto spec = schema.hierarchies.find(name);
    if (spec == schema.hierarchies.end()) continue;
    const Column& column = table.table.column(name);
    hierarchies.emplace(name, make(spec->second, column, table.counts_of(column)));
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
          throw Error::input(fmt::format("the hierarchy '{}' does not fit the column '{}' of the "
                                         "people to link to",
                                         spec, column.name))
              .hint("Their values must be written as in the original table.");
        }
      });
}

std::vector<std::string> files_of(const TableOptions& options, const Schema& schema) {
  std::vector<std::string> files;
  if (!options.config.empty()) files.push_back(options.config);
  for (const auto& [column, spec] : schema.hierarchies) {
    if (!is_builtin_hierarchy(spec)) files.push_back(spec);
  }
  return files;
}

}  // namespace pratique::app
