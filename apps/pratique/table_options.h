// The options by which a user says what the columns of a table are, from flags and from --config.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pratique/data/hierarchy.h"
#include "pratique/data/schema.h"
#include "pratique/data/table.h"
#include "verb.h"

namespace pratique::app {

struct TableOptions {
  Schema flags;
  std::vector<std::string> hierarchy_flags;  // COLUMN=SPEC
  std::string config;

  void add_config(Verb& verb);
  void add_identifiers(Verb& verb);
  void add_quasi_identifiers(Verb& verb);
  void add_sensitive(Verb& verb);
  void add_hierarchies(Verb& verb);

  // What the file of --config says, overridden by flags; every name is checked against `columns`.
  [[nodiscard]] Schema schema(const std::vector<std::string>& columns,
                              const std::string& place) const;
};

void require_quasi_identifiers(const Schema& schema);

// COLUMN=VALUE pairs of a flag that may be repeated.
[[nodiscard]] std::map<std::string, std::string> column_values(
    const std::vector<std::string>& pairs, const std::string& flag);

// The hierarchies of the columns that have one, over the values of `table`.
[[nodiscard]] std::map<std::string, Hierarchy> make_hierarchies(
    const Schema& schema, const std::vector<std::string>& columns, const CountedTable& table);

// The same for linking to a register or a population, whose values may lack in a hierarchy and must
// not be named in an error.
[[nodiscard]] std::map<std::string, Hierarchy> make_linking_hierarchies(
    const Schema& schema, const std::vector<std::string>& columns, const CountedTable& people);

// The files that the schema was read from or names.
[[nodiscard]] std::vector<std::string> files_of(const TableOptions& options, const Schema& schema);

}  // namespace pratique::app
