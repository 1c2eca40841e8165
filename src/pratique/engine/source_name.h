// How a user names what is read. A file goes by its path. A table of a DuckDB database goes by the
// database's path, a colon and the table's name: hospital.duckdb:patients, or
// hospital.duckdb:archive.patients of another schema than main. The file's name ends with .duckdb,
// .ddb or .db. A file that exists under the whole name is that file.
#pragma once

#include <string>

namespace pratique {

struct SourceName {
  std::string file;
  std::string table;  // empty: the file is the table
};

[[nodiscard]] SourceName parse_source_name(const std::string& name);

}  // namespace pratique
