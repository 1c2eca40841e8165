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

  std::uint64_t run(const std::string& sql) {
    duckdb_result result;
    if (duckdb_query(connection_, sql.c_str(), &result) != DuckDBSuccess) {
      const std::string why = duckdb_result_error(&result);
      duckdb_destroy_result(&result);
      throw std::runtime_error(why);
    }
    std::uint64_t rows = 0;
    while (duckdb_data_chunk chunk = duckdb_fetch_chunk(result)) {
      rows += duckdb_data_chunk_get_size(chunk);
      duckdb_destroy_data_chunk(&chunk);
    }
    duckdb_destroy_result(&result);
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
