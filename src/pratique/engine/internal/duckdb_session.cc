#include "pratique/engine/internal/duckdb_session.h"

#include <duckdb.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <thread>

#include "pratique/core/error.h"
#include "pratique/engine/internal/output_row_reader.h"

namespace pratique {
namespace {

DuckDbFailure classify(const char* message, duckdb_error_type type) {
  const std::string_view text = message == nullptr ? std::string_view() : message;
  DuckDbFailure failure;
  const auto mentions = [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  };
  if (type == DUCKDB_ERROR_INTERRUPT || text.starts_with("INTERRUPT")) {
    failure.kind = DuckDbFailure::Kind::interrupted;
  } else if (type == DUCKDB_ERROR_OUT_OF_MEMORY || text.starts_with("Out of Memory")) {
    failure.kind = DuckDbFailure::Kind::memory;
  } else if (mentions("No space left") || mentions("Could not write") ||
             mentions("File too large") || mentions("max_temp_directory_size")) {
    failure.kind = DuckDbFailure::Kind::disk;
  } else if (mentions("Could not set lock on file")) {
    failure.kind = DuckDbFailure::Kind::locked;
  } else if (type == DUCKDB_ERROR_INVALID_INPUT || type == DUCKDB_ERROR_IO ||
             text.starts_with("Invalid") || text.starts_with("IO Error")) {
    failure.kind = DuckDbFailure::Kind::input;
    constexpr std::string_view marker = "CSV Error on Line: ";
    if (const auto at = text.find(marker); at != std::string_view::npos) {
      const char* digits = text.data() + at + marker.size();
      std::from_chars(digits, text.data() + text.size(), failure.line);
    }
  }
  return failure;
}

class Statement {
 public:
  Statement(duckdb_connection connection, const std::string& sql) {
    if (duckdb_prepare(connection, sql.c_str(), &statement_) != DuckDBSuccess) {
      const DuckDbFailure failure =
          classify(duckdb_prepare_error(statement_), DUCKDB_ERROR_INVALID);
      duckdb_destroy_prepare(&statement_);
      throw failure;
    }
  }
  ~Statement() { duckdb_destroy_prepare(&statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  [[nodiscard]] duckdb_prepared_statement get() const { return statement_; }

 private:
  duckdb_prepared_statement statement_ = nullptr;
};

class Pending {
 public:
  explicit Pending(const Statement& statement) {
    if (duckdb_pending_prepared_streaming(statement.get(), &pending_) != DuckDBSuccess) {
      const DuckDbFailure failure = this->failure();
      duckdb_destroy_pending(&pending_);
      throw failure;
    }
  }
  ~Pending() { duckdb_destroy_pending(&pending_); }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  [[nodiscard]] duckdb_pending_result get() const { return pending_; }

  // Works on the query until its first rows are there; `between` is called now and then.
  void run(const std::function<void()>& between) {
    while (true) {
      const duckdb_pending_state state = duckdb_pending_execute_task(pending_);
      if (state == DUCKDB_PENDING_ERROR) throw failure();
      if (duckdb_pending_execution_is_finished(state)) return;
      if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      between();
    }
  }

 private:
  [[nodiscard]] DuckDbFailure failure() const {
    return classify(duckdb_pending_error(pending_), DUCKDB_ERROR_INVALID);
  }
  duckdb_pending_result pending_ = nullptr;
};

class Result {
 public:
  explicit Result(const Pending& pending) {
    if (duckdb_execute_pending(pending.get(), &result_) != DuckDBSuccess) {
      const DuckDbFailure failure = this->failure();
      duckdb_destroy_result(&result_);
      throw failure;
    }
  }
  ~Result() { duckdb_destroy_result(&result_); }
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;

  [[nodiscard]] duckdb_data_chunk next() {
    duckdb_data_chunk chunk = duckdb_fetch_chunk(result_);
    if (chunk == nullptr && duckdb_result_error(&result_) != nullptr) throw failure();
    return chunk;
  }

 private:
  [[nodiscard]] DuckDbFailure failure() {
    return classify(duckdb_result_error(&result_), duckdb_result_error_type(&result_));
  }
  duckdb_result result_{};
};

struct FreeChunk {
  void operator()(duckdb_data_chunk chunk) const { duckdb_destroy_data_chunk(&chunk); }
};
using Chunk = std::unique_ptr<_duckdb_data_chunk, FreeChunk>;

void read_texts(duckdb_vector vector, std::size_t rows, std::vector<std::string_view>& out) {
  auto* strings = static_cast<duckdb_string_t*>(duckdb_vector_get_data(vector));
  const std::uint64_t* validity = duckdb_vector_get_validity(vector);
  out.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const bool valid = validity == nullptr || ((validity[row / 64] >> (row % 64)) & 1U) != 0;
    // The inlined form and the pointer form keep their length in the same place.
    out[row] = valid ? std::string_view(duckdb_string_t_data(&strings[row]),
                                        duckdb_string_t_length(strings[row]))
                     : std::string_view();
  }
}

// The table function behind copy_to_parquet: hands out the rows of an Output in order.
struct RowsOut {
  const Output* output;
  Progress* progress;
  std::size_t next = 0;
};

void bind_rows(duckdb_bind_info info) {
  const auto* rows = static_cast<RowsOut*>(duckdb_bind_get_extra_info(info));
  duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
  for (const auto& column : rows->output->columns) {
    duckdb_bind_add_result_column(info, column.name.c_str(), text);
  }
  duckdb_destroy_logical_type(&text);
}

void init_rows(duckdb_init_info info) { duckdb_init_set_max_threads(info, 1); }

void produce_rows(duckdb_function_info info, duckdb_data_chunk chunk) {
  auto* rows = static_cast<RowsOut*>(duckdb_function_get_extra_info(info));
  const Output& output = *rows->output;
  if (rows->progress->stopped()) {
    duckdb_function_set_error(info, "INTERRUPT");
    return;
  }
  const std::size_t count =
      std::min<std::size_t>(duckdb_vector_size(), output.row_count - rows->next);
  std::vector<duckdb_vector> vectors;
  for (std::size_t c = 0; c < output.columns.size(); ++c)
    vectors.push_back(duckdb_data_chunk_get_vector(chunk, c));
  OutputRowReader aside(output);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row =
        output.rows == nullptr ? rows->next + i : (*output.rows)[rows->next + i];
    try {
      aside.go_to(row);
    } catch (const Error&) {
      duckdb_function_set_error(info, "a temporary file cannot be read");
      return;
    }
    for (std::size_t c = 0; c < output.columns.size(); ++c) {
      const OutputColumn& column = output.columns[c];
      const std::string_view text =
          column.aside == nullptr ? std::string_view(column.value(row)) : aside.cell(column);
      if (text.empty()) {
        duckdb_vector_ensure_validity_writable(vectors[c]);
        duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vectors[c]), i);
      } else {
        duckdb_vector_assign_string_element_len(vectors[c], i, text.data(), text.size());
      }
    }
  }
  rows->next += count;
  duckdb_data_chunk_set_size(chunk, count);
}

void register_rows(duckdb_connection connection, RowsOut& rows) {
  duckdb_table_function function = duckdb_create_table_function();
  duckdb_table_function_set_name(function, "pratique_rows");
  duckdb_table_function_set_extra_info(function, &rows, nullptr);
  duckdb_table_function_set_bind(function, bind_rows);
  duckdb_table_function_set_init(function, init_rows);
  duckdb_table_function_set_function(function, produce_rows);
  const auto state = duckdb_register_table_function(connection, function);
  duckdb_destroy_table_function(&function);
  if (state != DuckDBSuccess) throw DuckDbFailure{};
}

}  // namespace

struct DuckDbSession::Handles {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
};

DuckDbSession::DuckDbSession(const EngineOptions& options, const std::string& scratch)
    : handles_(std::make_unique<Handles>()) {
  std::vector<std::pair<const char*, std::string>> settings = {
      {"autoinstall_known_extensions", "false"}, {"autoload_known_extensions", "false"},
      {"allow_community_extensions", "false"},   {"allow_persistent_secrets", "false"},
      {"extension_directory", scratch},          {"temp_directory", scratch + "/spill"},
  };
  if (options.threads > 0) settings.emplace_back("threads", std::to_string(options.threads));
  // The engine gets half of what the user allows; dictionaries, codes and classes live in the rest.
  if (options.memory_bytes > 0) {
    settings.emplace_back("memory_limit", fmt::format("{}B", options.memory_bytes / 2));
  }
  duckdb_config config = nullptr;
  duckdb_create_config(&config);
  for (const auto& [name, value] : settings) {
    if (duckdb_set_config(config, name, value.c_str()) != DuckDBSuccess) {
      duckdb_destroy_config(&config);
      throw Error::machine(fmt::format("DuckDB rejects the setting {}", name))
          .hint("Run make install: another DuckDB library may be in the way.");
    }
  }
  char* message = nullptr;
  const auto opened = duckdb_open_ext(nullptr, &handles_->database, config, &message);
  duckdb_free(message);
  duckdb_destroy_config(&config);
  if (opened != DuckDBSuccess ||
      duckdb_connect(handles_->database, &handles_->connection) != DuckDBSuccess) {
    duckdb_close(&handles_->database);
    throw Error::machine("DuckDB could not be started")
        .hint("If --memory is very small, give it more.");
  }
  // Whatever a query says, and whatever stands in a database that it reads, no other file of this
  // machine is opened.
  execute(fmt::format("SET allowed_directories = [{}]", quote_text(scratch + "/")),
          Progress::silent());
  execute("SET enable_external_access = false", Progress::silent());
  // DuckDB keeps count of a query's progress only for a bar, which it then must not print.
  execute("SET enable_progress_bar = true", Progress::silent());
  execute("SET enable_progress_bar_print = false", Progress::silent());
}

DuckDbSession::~DuckDbSession() {
  duckdb_disconnect(&handles_->connection);
  duckdb_close(&handles_->database);
}

void DuckDbSession::execute(const std::string& sql, Progress& progress) {
  stream(sql, progress, [](TextColumns, std::size_t) {});
}

void DuckDbSession::stream(
    const std::string& sql, Progress& progress,
    const std::function<void(TextColumns columns, std::size_t rows)>& chunk_action) {
  const Progress::OnStop on_stop(progress, [this] { duckdb_interrupt(handles_->connection); });
  const Statement statement(handles_->connection, sql);
  Pending pending(statement);
  const std::uint64_t total = progress.snapshot().total;
  pending.run([&] {
    progress.check();
    const double percent = duckdb_query_progress(handles_->connection).percentage;
    if (percent > 0 && total > 0) {
      progress.set(static_cast<std::uint64_t>(percent / 100 * static_cast<double>(total)));
    }
  });
  Result result(pending);
  std::vector<std::vector<std::string_view>> columns;
  while (true) {
    progress.check();
    const Chunk chunk(result.next());
    if (chunk == nullptr) break;
    const std::size_t rows = duckdb_data_chunk_get_size(chunk.get());
    columns.resize(duckdb_data_chunk_get_column_count(chunk.get()));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      duckdb_vector vector = duckdb_data_chunk_get_vector(chunk.get(), c);
      duckdb_logical_type type = duckdb_vector_get_column_type(vector);
      const bool is_text = duckdb_get_type_id(type) == DUCKDB_TYPE_VARCHAR;
      duckdb_destroy_logical_type(&type);
      if (is_text) read_texts(vector, rows, columns[c]);
    }
    chunk_action(columns, rows);
  }
}

void DuckDbSession::copy_to_parquet(const Output& output, const std::string& path,
                                    Progress& progress) {
  RowsOut rows{&output, &progress};
  // A connection of its own, so that the function's name is free again afterwards.
  register_rows(handles_->connection, rows);
  execute(
      fmt::format("COPY (SELECT * FROM pratique_rows()) TO {} (FORMAT parquet, USE_TMP_FILE false)",
                  quote_text(path)),
      progress);
}

std::string DuckDbSession::quote_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

std::string DuckDbSession::quote_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace pratique
