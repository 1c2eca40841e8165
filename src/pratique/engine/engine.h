// The engine scans; algorithms group. This is all the product asks of a SQL engine: open a file or
// a table of a database, say what is in it, stream it as dictionary codes, group it, and write a
// table whole or not at all. DuckDB in process stands behind it. How it asks for rows is its own
// business: no query passes this header, so that another engine fits behind it.
//
// Every column is read as text: 296.00 stays 296.00 and 02139 keeps its zero. A missing cell (NULL)
// is the empty text.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/data/table.h"
#include "pratique/engine/spooled_columns.h"

namespace pratique {

// sets: data/code_sets.h; database: a table of a DuckDB database
enum class FileFormat { csv, parquet, sets, database };

struct CsvOptions {
  std::optional<char> delimiter = {};        // found out when not given
  std::optional<std::string> encoding = {};  // utf-8, latin-1
};

// What an engine keeps of a source it opened; another engine cannot read it.
class SourceHandle {
 public:
  SourceHandle() = default;
  virtual ~SourceHandle() = default;
  SourceHandle(const SourceHandle&) = delete;
  SourceHandle& operator=(const SourceHandle&) = delete;
};

// An opened input. Copies are cheap; what stands behind it lives as long as the engine.
struct Source {
  std::string name;  // as the user gave it (source_name.h), for messages and manifests
  FileFormat format = FileFormat::csv;
  std::vector<std::string> columns;
  char delimiter = ',';             // of CSV
  std::string encoding = "utf-8";   // of CSV, as --encoding says it
  std::uint64_t expected_rows = 0;  // a guess, for progress
  // The local files it is read from, over which nothing may be written; none of a table elsewhere.
  std::vector<std::string> files;
  std::shared_ptr<const SourceHandle> handle;
};

// By what an input is recognised when it is read again: of a file its bytes, of a table those of
// the database file that holds it.
struct SourceIdentity {
  std::string sha256;
  std::uint64_t bytes = 0;
};

// Groups of rows by some columns, and what was put aside of others: the last column of the groups
// has its marks.
struct SpooledTable {
  GroupedTable table;
  std::shared_ptr<const SpooledColumns> aside;
};

// One column on its way out: its values, or where its cells lie.
struct OutputColumn {
  std::string name;
  const std::vector<Code>* codes;
  const std::vector<std::string>* values;
  const std::vector<std::uint32_t>* places = nullptr;  // by row: where its code is; else at the row
  // Instead of values: codes are those of marks.
  const SpooledColumns* aside = nullptr;
  const Dictionary* marks = nullptr;
  std::size_t cell = 0;  // of a row that was put aside

  [[nodiscard]] Code code(std::size_t row) const {
    return (*codes)[places == nullptr ? row : (*places)[row]];
  }
  // Of a column that was not put aside.
  [[nodiscard]] const std::string& value(std::size_t row) const { return (*values)[code(row)]; }
};

struct Output {
  std::vector<OutputColumn> columns = {};
  // The rows to write, in this order; all rows in their order when null.
  const std::vector<std::uint32_t>* rows = nullptr;
  std::size_t row_count = 0;
  char delimiter = ',';     // of CSV
  bool bare = false;        // the values of the only column, a line each, without header or quotes
  bool is_private = false;  // it names people or links them: the file is only for its owner
};

struct EngineOptions {
  std::uint64_t memory_bytes = 0;  // 0: the engine's default (80 % of the machine)
  std::size_t threads = 0;         // 0: all cores
};

class Engine {
 public:
  virtual ~Engine() = default;

  // CSV, Parquet or a DuckDB database, by content, which is opened for reading only. A database
  // with one table needs no name of it; its views are not read, because they may read anything. "-"
  // is standard input.
  [[nodiscard]] virtual Source open(const std::string& path, const CsvOptions& options,
                                    Progress& progress) = 0;
  // A file of sets of codes: a set per line. Read with read_code_sets, or as text.
  [[nodiscard]] virtual Source open_sets(const std::string& path, Progress& progress) = 0;
  [[nodiscard]] virtual std::string read_text(const Source& sets, Progress& progress) = 0;
  [[nodiscard]] virtual SourceIdentity identify(const Source& source) = 0;
  // Of what open() would read under this name.
  [[nodiscard]] virtual SourceIdentity identify(const std::string& name) = 0;
  [[nodiscard]] virtual std::uint64_t count_rows(const Source& source, Progress& progress) = 0;
  // The named columns in this order; all when empty. Rows keep the order of the file.
  [[nodiscard]] virtual Table load(const Source& source, const std::vector<std::string>& columns,
                                   Progress& progress) = 0;
  // `limit` rows from row `offset` on, in the order of the file.
  [[nodiscard]] virtual Table page(const Source& source, std::uint64_t offset, std::uint64_t limit,
                                   Progress& progress) = 0;
  [[nodiscard]] virtual GroupedTable group(const Source& source,
                                           const std::vector<std::string>& columns,
                                           Progress& progress) = 0;
  // Grouped by `columns` and by all cells of `aside` together, which are put aside. The values of
  // each of these by itself go to `take`, as those of count_values do.
  [[nodiscard]] virtual SpooledTable group_with_aside(
      const Source& source, const std::vector<std::string>& columns,
      const std::vector<std::string>& aside, Progress& progress,
      const std::function<void(ValueCounts)>& take) = 0;
  // Each of the columns by itself, in this order, from one reading of the source for all. What
  // `take` keeps is all that stays in memory of a column.
  virtual void count_values(const Source& source, const std::vector<std::string>& columns,
                            Progress& progress, const std::function<void(ValueCounts)>& take) = 0;
  // Appears at `path` complete or not at all; the format follows the name (.parquet, else CSV)
  // unless the output is bare;
  // "-" is standard output.
  virtual void write(const Output& output, const std::string& path, Progress& progress) = 0;

  [[nodiscard]] static std::unique_ptr<Engine> duckdb(const EngineOptions& options = {});
};

}  // namespace pratique
