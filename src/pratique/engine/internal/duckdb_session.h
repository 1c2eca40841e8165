// DuckDB's C API as the engine needs it: run a statement, stream a query's text, copy rows out to
// Parquet. DuckDB's messages quote data, so they travel in a DuckDbFailure that only the engine
// sees.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"

namespace pratique {

struct DuckDbFailure {
  enum class Kind { input, memory, disk, locked, interrupted, other };
  Kind kind = Kind::other;
  std::uint64_t line = 0;  // of a CSV file, when DuckDB named one
};

// Some rows of a query; NULL is the empty text. Valid only during the call.
using TextColumns = std::span<const std::vector<std::string_view>>;

class DuckDbSession {
 public:
  // Reads, writes and spills in `scratch` only; links there lead to other files.
  DuckDbSession(const EngineOptions& options, const std::string& scratch);
  ~DuckDbSession();
  DuckDbSession(const DuckDbSession&) = delete;
  DuckDbSession& operator=(const DuckDbSession&) = delete;

  // All throw DuckDbFailure.
  void execute(const std::string& sql, Progress& progress);
  void stream(const std::string& sql, Progress& progress,
              const std::function<void(TextColumns columns, std::size_t rows)>& chunk);
  void copy_to_parquet(const Output& output, const std::string& path, Progress& progress);

  [[nodiscard]] static std::string quote_text(std::string_view text);  // 'text'
  [[nodiscard]] static std::string quote_name(std::string_view name);  // "name"

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace pratique
