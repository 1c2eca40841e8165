// A DuckDB database file as an input: attached to the engine's session for reading only, and never
// more of it than its tables. A view runs what whoever made the database wrote, which may read any
// file of this machine.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "pratique/engine/internal/duckdb_session.h"
#include "pratique/engine/source_name.h"

namespace pratique {

[[nodiscard]] bool is_duckdb_database(std::string_view beginning);

class DuckDbDatabases {
 public:
  // What a query on `session` reads the table from: the one that `given` names, or the only one.
  // `path` is where DuckDB finds the file. Throws an Error that names what is wrong.
  [[nodiscard]] std::string open_table(DuckDbSession& session, const SourceName& given,
                                       const std::string& path);

 private:
  std::string attach(DuckDbSession& session, const std::string& path);

  std::map<std::string, std::string> names_;  // in the session, by file
};

}  // namespace pratique
