#include "pratique/engine/internal/duckdb_database.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <vector>

#include "pratique/core/error.h"

namespace pratique {
namespace {

namespace fs = std::filesystem;

struct TableName {
  std::string schema;
  std::string table;

  // As users write it.
  [[nodiscard]] std::string text() const { return schema == "main" ? table : schema + "." + table; }
};

// The first of them, so that a message stays short.
std::string list_of(const std::vector<TableName>& tables) {
  constexpr std::size_t most = 20;
  std::vector<std::string> names;
  for (const auto& table : tables) {
    if (names.size() < most) names.push_back(table.text());
  }
  return fmt::format("{}{}", fmt::join(names, ", "),
                     tables.size() > most ? fmt::format(" and {} more", tables.size() - most) : "");
}

// What was committed and not yet moved into the database stands in a file beside it. It would
// neither be read nor be part of the hash by which an input is known.
void refuse_unwritten_changes(const std::string& file) {
  std::error_code failed;
  for (const auto& path : {file, fs::canonical(file, failed).string()}) {
    const std::string log = path + ".wal";
    if (!path.empty() && fs::exists(log, failed) && fs::file_size(log, failed) > 0) {
      throw Error::input("this database has changes that are not yet written into its file")
          .at(log)
          .hint("Close the program that has it open, or run CHECKPOINT there.");
    }
  }
}

// `kind` is table or view.
std::vector<TableName> names_in(DuckDbSession& session, const std::string& database,
                                const char* kind) {
  std::vector<TableName> names;
  session.stream(
      fmt::format("SELECT schema_name, {0}_name FROM duckdb_{0}s() WHERE database_name = {1} AND "
                  "NOT internal ORDER BY schema_name <> 'main', schema_name, {0}_name",
                  kind, DuckDbSession::quote_text(database)),
      Progress::silent(), [&](TextColumns columns, std::size_t rows) {
        for (std::size_t i = 0; i < rows; ++i) {
          names.push_back({std::string(columns[0][i]), std::string(columns[1][i])});
        }
      });
  return names;
}

const TableName* find(const std::vector<TableName>& names, const std::string& text) {
  const auto place = std::find_if(names.begin(), names.end(),
                                  [&](const TableName& name) { return name.text() == text; });
  return place == names.end() ? nullptr : &*place;
}

Error no_such_table(DuckDbSession& session, const std::string& database, const SourceName& given,
                    const std::vector<TableName>& tables) {
  if (find(names_in(session, database, "view"), given.table) != nullptr) {
    return Error::input(fmt::format("'{}' is a view, and only tables are read", given.table))
        .at(given.file)
        .hint("Make a table of it there: CREATE TABLE ... AS SELECT * FROM the view.");
  }
  if (tables.empty()) return Error::input("this database has no table").at(given.file);
  return Error::input(given.table.empty()
                          ? "this database has several tables"
                          : fmt::format("this database has no table '{}'", given.table))
      .at(given.file)
      .hint(fmt::format("Name one as {}:TABLE. Its tables: {}.", given.file, list_of(tables)));
}

}  // namespace

bool is_duckdb_database(std::string_view beginning) {
  // A checksum of eight bytes, four letters, and a version in eight bytes, seven of which are 0 as
  // in no text.
  constexpr std::string_view magic = "DUCK";
  const std::string_view zeros("\0\0\0\0\0\0\0", 7);
  return beginning.size() >= 20 && beginning.substr(8, magic.size()) == magic &&
         beginning.substr(13, zeros.size()) == zeros;
}

std::string DuckDbDatabases::open_table(DuckDbSession& session, const SourceName& given,
                                        const std::string& path) {
  refuse_unwritten_changes(given.file);
  try {
    const std::string database = attach(session, path);
    const auto tables = names_in(session, database, "table");
    const TableName* table =
        given.table.empty() && tables.size() == 1 ? &tables.front() : find(tables, given.table);
    if (table == nullptr) throw no_such_table(session, database, given, tables);
    return fmt::format("{}.{}.{}", database, DuckDbSession::quote_name(table->schema),
                       DuckDbSession::quote_name(table->table));
  } catch (const DuckDbFailure& failure) {
    if (failure.kind == DuckDbFailure::Kind::locked) {
      throw Error::input("another program has this database open for writing")
          .at(given.file)
          .hint("Close it there, or read a copy.");
    }
    throw Error::input("this DuckDB database cannot be read")
        .at(given.file)
        .hint("It may be damaged, encrypted, or written by a newer version of DuckDB.");
  }
}

// DuckDB attaches a file once.
std::string DuckDbDatabases::attach(DuckDbSession& session, const std::string& path) {
  const std::string file = fs::canonical(path).string();
  if (const auto known = names_.find(file); known != names_.end()) return known->second;
  std::string name = fmt::format("database_{}", names_.size() + 1);
  session.execute(fmt::format("ATTACH {} AS {} (READ_ONLY, TYPE duckdb)",
                              DuckDbSession::quote_text(path), name),
                  Progress::silent());
  names_.emplace(file, name);
  return name;
}

}  // namespace pratique
