#include "pratique/engine/sql_tree.h"

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/engine/internal/duckdb_session.h"

namespace pratique {
namespace {

Error not_understood(const std::string& why) {
  return Error::input("this is not a question in SQL: " + why)
      .hint("Such as: SELECT region, COUNT(*) FROM data WHERE age >= 65 GROUP BY region");
}

}  // namespace

Json sql_tree(const std::string& sql) {
  if (sql.find('\0') != std::string::npos) throw not_understood("it has a zero byte");
  const PrivateFolder scratch;
  DuckDbSession session({.threads = 1}, scratch.path());
  std::string text;
  try {
    session.stream(
        "SELECT CAST(json_serialize_sql(" + DuckDbSession::quote_text(sql) +
            ", skip_default := false, skip_empty := false, skip_null := false) AS VARCHAR)",
        Progress::silent(), [&](TextColumns columns, std::size_t rows) {
          if (rows > 0) text = columns[0][0];
        });
  } catch (const DuckDbFailure&) {
    throw not_understood("the parser cannot read it");
  }
  Json tree = parse_json(text, "SQL");
  if (tree.value("error", true)) throw not_understood(tree.value("error_message", ""));
  return tree;
}

}  // namespace pratique
