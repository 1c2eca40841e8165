// What a user says the columns of a table are: roles and hierarchies, by words and by a settings
// file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pratique/data/hierarchy.h"
#include "pratique/data/schema.h"
#include "pratique/data/table.h"

namespace pratique::tables::flow {

struct ColumnRoles {
  Schema said;
  std::vector<std::string> hierarchies;  // COLUMN=SPEC
  std::string config;                    // a YAML file (data/schema.h); empty: none

  // What the file of --config says, overridden by what is said; every name is checked against
  // `columns`.
  [[nodiscard]] Schema schema(const std::vector<std::string>& columns,
                              const std::string& place) const;
};

void require_quasi_identifiers(const Schema& schema);

// The hierarchies of the columns that have one, over the values of `table`.
[[nodiscard]] std::map<std::string, Hierarchy> make_hierarchies(
    const Schema& schema, const std::vector<std::string>& columns, const CountedTable& table);

// The same for linking to a register or a population, whose values may lack in a hierarchy and must
// not be named in an error.
[[nodiscard]] std::map<std::string, Hierarchy> make_linking_hierarchies(
    const Schema& schema, const std::vector<std::string>& columns, const CountedTable& people);

// The files that the schema was read from or names.
[[nodiscard]] std::vector<std::string> files_of(const ColumnRoles& roles, const Schema& schema);

}  // namespace pratique::tables::flow
