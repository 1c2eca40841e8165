// duckdb_yardstick THREADS MEMORY SQL...: what DuckDB alone needs for these statements, in a
// process of its own. Every row of every result is fetched. Prints the rows of the last statement
// and the seconds between opening the database and closing it, for example: {"rows": 12, "seconds":
// 0.81}
#include <duckdb.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace {

struct Statement {
  Statement() = default;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() {
    duckdb_destroy_result(&result);
    duckdb_destroy_pending(&pending);
    duckdb_destroy_prepare(&prepared);
  }

  duckdb_prepared_statement prepared = nullptr;
  duckdb_pending_result pending = nullptr;
  duckdb_result result = {};
};

class Connection {
 public:
  Connection() {
    if (duckdb_open(nullptr, &database_) != DuckDBSuccess ||
        duckdb_connect(database_, &connection_) != DuckDBSuccess) {
      throw std::runtime_error("DuckDB does not open");
    }
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }

  // Results are streamed, so that no time or memory goes into a copy of them.
  std::uint64_t run(const std::string& sql) {
    Statement statement;
    if (duckdb_prepare(connection_, sql.c_str(), &statement.prepared) != DuckDBSuccess) {
      throw std::runtime_error(duckdb_prepare_error(statement.prepared));
    }
    if (duckdb_pending_prepared_streaming(statement.prepared, &statement.pending) !=
        DuckDBSuccess) {
      throw std::runtime_error(duckdb_pending_error(statement.pending));
    }
    if (duckdb_execute_pending(statement.pending, &statement.result) != DuckDBSuccess) {
      throw std::runtime_error(duckdb_result_error(&statement.result));
    }
    std::uint64_t rows = 0;
    while (duckdb_data_chunk chunk = duckdb_fetch_chunk(statement.result)) {
      rows += duckdb_data_chunk_get_size(chunk);
      duckdb_destroy_data_chunk(&chunk);
    }
    if (const char* why = duckdb_result_error(&statement.result)) throw std::runtime_error(why);
    return rows;
  }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) {
    fmt::print(stderr, "usage: duckdb_yardstick THREADS MEMORY SQL...\n");
    return 2;
  }
  try {
    const auto began = std::chrono::steady_clock::now();
    std::uint64_t rows = 0;
    {
      Connection connection;
      connection.run(fmt::format("SET threads = {}", arguments[1]));
      connection.run(fmt::format("SET memory_limit = '{}'", arguments[2]));
      for (int i = 3; i < count; ++i) rows = connection.run(arguments[i]);
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
    fmt::print("{{\"rows\": {}, \"seconds\": {:.3f}}}\n", rows, seconds.count());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "duckdb_yardstick: {}\n", error.what());
    return 3;
  }
}
