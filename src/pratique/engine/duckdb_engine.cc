#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/hash.h"
#include "pratique/engine/csv_sniffer.h"
#include "pratique/engine/engine.h"
#include "pratique/engine/internal/csv_writer.h"
#include "pratique/engine/internal/duckdb_database.h"
#include "pratique/engine/internal/duckdb_session.h"
#include "pratique/engine/internal/group_order.h"
#include "pratique/engine/internal/spool.h"
#include "pratique/engine/internal/value_counter.h"
#include "pratique/engine/source_name.h"

namespace pratique {
namespace {

namespace fs = std::filesystem;

// Of each of DuckDB's reading threads. Its own choice is four times as much, which a small --memory
// does not have.
constexpr std::size_t kCsvBufferBytes = 4 * kLongestRecordBytes;
constexpr std::size_t kSmallestCsvBuffer = std::size_t{64} * 1024;
constexpr std::uint64_t kFewRows = 100'000;
// For the values of all columns while they are counted, when the user sets no bound.
constexpr std::uint64_t kCountingBytes = std::uint64_t{256} << 20U;
// The same of columns that are put aside: less memory is all they are put aside for.
constexpr std::uint64_t kAsideBytes = std::uint64_t{32} << 20U;
// A CSV file that is asked about more often than that, as for a report, is parsed once more and
// kept as a table: parsing is most of what a question about it takes. Larger ones would fill the
// memory.
constexpr unsigned kQuestionsBeforeKept = 6;
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{64} << 20U;
// A name that no column of a file has, since a NUL is refused there.
constexpr std::string_view kMarks("\0marks", 6);

std::string read_beginning(const std::string& path, std::size_t bytes) {
  std::ifstream file(path, std::ios::binary);
  std::string text(bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// Parquet begins and ends with the same four bytes.
bool is_parquet(const std::string& path, std::string_view beginning) {
  constexpr std::string_view magic = "PAR1";
  if (!beginning.starts_with(magic)) return false;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4> end{};
  file.seekg(-4, std::ios::end);
  file.read(end.data(), end.size());
  return std::string_view(end.data(), end.size()) == magic;
}

// Neither one that is damaged or cut short, nor what only its name says is one, may pass for CSV. A
// header that begins with PAR1 and goes on is fine.
bool is_broken_parquet(const std::string& name, std::string_view beginning) {
  constexpr std::string_view magic = "PAR1";
  if (lower(name).ends_with(".parquet")) return true;
  return beginning.starts_with(magic) &&
         (beginning.size() == magic.size() ||
          std::string_view(",;\t|\r\n").find(beginning[magic.size()]) == std::string_view::npos);
}

class MappedFile {
 public:
  explicit MappedFile(const std::string& path) : size_(file_size(path)) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (data_ == MAP_FAILED) throw Error::machine("cannot map this file").at(path);
  }
  ~MappedFile() { munmap(data_, size_); }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  [[nodiscard]] std::string_view text() const { return {static_cast<const char*>(data_), size_}; }

 private:
  std::size_t size_;
  void* data_;
};

struct DuckDbSource final : SourceHandle {
  explicit DuckDbSource(std::string read_from, std::string file = {},
                        std::optional<CsvDialect> written = {})
      : scan(std::move(read_from)), readable(std::move(file)), dialect(std::move(written)) {}

  mutable std::string scan;  // what a query reads from
  mutable unsigned questions = 0;
  std::string readable;  // of CSV, the file that is scanned
  std::optional<CsvDialect> dialect;
};

class DuckDbEngine final : public Engine {
 public:
  // Thrifty until the first file that is large: DuckDB's threads cost memory, and so does what the
  // allocator keeps back of blocks that were freed.
  explicit DuckDbEngine(const EngineOptions& options)
      : memory_bytes_(options.memory_bytes),
        threads_(options.threads > 0 ? options.threads : available_threads()) {
    keep_back(128 * 1024);
  }

  Source open(const std::string& path, const CsvOptions& options, Progress& progress) override {
    const SourceName given = parse_source_name(path);
    Source source = take(given.file, progress);
    const std::string& file = source.files.front();
    const std::string sample = read_beginning(file, kCsvSampleBytes);
    if (fs::file_size(file) > kCsvBufferBytes) spend();
    if (is_duckdb_database(sample)) {
      open_database(source, given);
    } else if (!given.table.empty() || lower(given.file).ends_with(".duckdb")) {
      throw Error::input("this is not a DuckDB database")
          .at(source.name)
          .hint("A CSV or Parquet file goes by its path alone, and is not called .duckdb.");
    } else if (is_parquet(file, sample)) {
      open_parquet(source);
    } else if (is_broken_parquet(source.name, sample)) {
      throw Error::input("this is not a Parquet file, or only part of one")
          .at(source.name)
          .hint("Copy it again from its source; if it is CSV, name it .csv.");
    } else {
      open_csv(source, sample, options);
    }
    return source;
  }

  Source open_sets(const std::string& path, Progress& progress) override {
    Source source = take(path, progress);
    source.format = FileFormat::sets;
    return source;
  }

  std::string read_text(const Source& sets, Progress& progress) override {
    std::string text;
    read_in_blocks(
        sets.files.front(), [&](std::string_view block) { text += block; }, progress);
    return text;
  }

  SourceIdentity identify(const Source& source) override {
    return identity_of(source.files.front());
  }

  SourceIdentity identify(const std::string& name) override {
    return identity_of(parse_source_name(name).file);
  }

  std::uint64_t count_rows(const Source& source, Progress& progress) override {
    std::uint64_t rows = 0;
    if (source.format == FileFormat::sets) {
      char last = '\n';
      read_in_blocks(source.files.front(), [&](std::string_view block) {
        rows += static_cast<std::uint64_t>(std::count(block.begin(), block.end(), '\n'));
        if (!block.empty()) last = block.back();
      });
      return rows + (last == '\n' ? 0 : 1);
    }
    run(source, progress, fmt::format("SELECT CAST(count(*) AS VARCHAR) FROM {}", scan_of(source)),
        [&](TextColumns columns, std::size_t) { rows = parse_count(columns[0][0]); });
    return rows;
  }

  Table load(const Source& source, const std::vector<std::string>& columns,
             Progress& progress) override {
    Table table = empty_table(source, columns.empty() ? source.columns : columns);
    progress.begin("reading rows", source.expected_rows);
    run(source, progress,
        fmt::format("SELECT {} FROM {}", select_list(source, table), scan_of(source)),
        [&](TextColumns texts, std::size_t rows) {
          append(table, texts, rows);
          progress.advance(rows);
        });
    refuse_nul(table, source);
    return table;
  }

  Table page(const Source& source, std::uint64_t offset, std::uint64_t limit,
             Progress& progress) override {
    Table table = empty_table(source, source.columns);
    run(source, progress,
        fmt::format("SELECT {} FROM {} LIMIT {} OFFSET {}", select_list(source, table),
                    scan_of(source), limit, offset),
        [&](TextColumns texts, std::size_t rows) { append(table, texts, rows); });
    refuse_nul(table, source);
    return table;
  }

  GroupedTable group(const Source& source, const std::vector<std::string>& columns,
                     Progress& progress) override {
    GroupedTable grouped{empty_table(source, columns), {}};
    progress.begin("grouping rows", source.expected_rows);
    // Few rows are grouped as they are put in order: DuckDB's hash tables would be most of the
    // memory that a small file takes. Of rows that all differ they would be as large as the table.
    const bool few = (source.expected_rows > 0 && source.expected_rows < kFewRows) ||
                     (columns.size() == source.columns.size() && nearly_all_differ(source));
    run(source, progress,
        fmt::format("SELECT {}, {} FROM {}{}", select_list(source, grouped.groups),
                    few ? "'1'" : "CAST(count(*) AS VARCHAR)", scan_of(source),
                    few ? "" : " GROUP BY ALL"),
        [&](TextColumns texts, std::size_t rows) {
          append(grouped.groups, texts, rows);
          for (const auto count : texts.back()) grouped.counts.push_back(parse_count(count));
        });
    refuse_nul(grouped.groups, source);
    order_by_values(grouped);
    return grouped;
  }

  SpooledTable group_with_aside(const Source& source, const std::vector<std::string>& columns,
                                const std::vector<std::string>& aside, Progress& progress,
                                const std::function<void(ValueCounts)>& take) override {
    SpooledTable read{{empty_table(source, columns), {}}, nullptr};
    auto cells = std::make_shared<SpooledColumns>(aside, scratch_.path());
    Column marks{std::string(kMarks), {}, {}};
    std::vector<std::string> both = columns;
    both.insert(both.end(), aside.begin(), aside.end());
    ValueCounter counter(aside,
                         memory_bytes_ > 0 ? std::min(memory_bytes_ / 4, kAsideBytes) : kAsideBytes,
                         fmt::format("{}/values-{}", scratch_.path(), ++countings_));
    std::vector<std::string_view> row(aside.size());
    progress.begin("grouping rows", source.expected_rows);
    run(source, progress,
        fmt::format("SELECT {} FROM {}", select_list(source, empty_table(source, both)),
                    scan_of(source)),
        [&](TextColumns texts, std::size_t rows) {
          append(read.table.groups, texts, rows);
          const TextColumns others = texts.subspan(columns.size());
          for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t c = 0; c < row.size(); ++c) row[c] = others[c][i];
            marks.codes.push_back(marks.dictionary.intern(cells->add(row)));
          }
          counter.add(others, rows);
          progress.advance(rows);
        });
    cells->finish();
    refuse_nul(read.table.groups, source);
    for (std::size_t c = 0; c < aside.size(); ++c) {
      ValueCounts counts = counter.take(c);
      refuse_nul(aside[c], counts.values, source);
      take(std::move(counts));
    }
    read.table.counts.assign(marks.codes.size(), 1);
    read.table.groups.columns.push_back(std::move(marks));
    order_by_values(read.table);
    read.aside = std::move(cells);
    return read;
  }

  void count_values(const Source& source, const std::vector<std::string>& columns,
                    Progress& progress, const std::function<void(ValueCounts)>& take) override {
    const Table table = empty_table(source, columns);
    ValueCounter counter(columns, memory_bytes_ > 0 ? memory_bytes_ / 4 : kCountingBytes,
                         fmt::format("{}/values-{}", scratch_.path(), ++countings_));
    progress.begin("counting values", source.expected_rows);
    run(source, progress,
        fmt::format("SELECT {} FROM {}", select_list(source, table), scan_of(source)),
        [&](TextColumns texts, std::size_t rows) {
          counter.add(texts, rows);
          progress.advance(rows);
        });
    for (std::size_t c = 0; c < columns.size(); ++c) {
      ValueCounts counts = counter.take(c);
      refuse_nul(columns[c], counts.values, source);
      take(std::move(counts));
    }
  }

  void write(const Output& output, const std::string& path, Progress& progress) override {
    if (path == "-") {
      // Whole or not at all: nothing is said before all of it is there.
      const std::string copy = fmt::format("{}/output", scratch_.path());
      write_file(output, copy, false, progress);
      read_in_blocks(copy, write_to_standard_output);
      fs::remove(copy);
    } else {
      write_file(output, path, !output.bare && path.ends_with(".parquet"), progress);
    }
  }

 private:
  // Files of sets need no DuckDB, and starting it takes longer than reading a small one.
  DuckDbSession& session() {
    if (!session_) {
      const EngineOptions options{.memory_bytes = memory_bytes_, .threads = spends_ ? threads_ : 1};
      session_ = std::make_unique<DuckDbSession>(options, scratch_.path());
    }
    return *session_;
  }

  Source take(const std::string& path, Progress& progress) {
    Source source;
    source.name = path == "-" ? "standard input" : path;
    // The engine reads a name of ours: its own reading of odd names (globs, URLs) never applies.
    source.files = {fmt::format("{}/input-{}", scratch_.path(), ++inputs_)};
    if (must_be_spooled(path)) {
      spool(path, source.files.front(), progress);
    } else {
      require_readable_file(path);
      fs::create_symlink(fs::absolute(path), source.files.front());
    }
    return source;
  }

  static SourceIdentity identity_of(const std::string& file) {
    require_readable_file(file);
    return {sha256_file(file), file_size(file)};
  }

  static const DuckDbSource& handle_of(const Source& source) {
    return dynamic_cast<const DuckDbSource&>(*source.handle);
  }

  const std::string& scan_of(const Source& source) {
    const DuckDbSource& input = handle_of(source);
    if (input.dialect && ++input.questions == kQuestionsBeforeKept) keep(input);
    return input.scan;
  }

  void keep(const DuckDbSource& input) {
    const std::uint64_t bytes = fs::file_size(input.readable);
    if (bytes > kMostKeptBytes || (memory_bytes_ > 0 && bytes > memory_bytes_ / 8)) return;
    const std::string table = fmt::format("kept_{}", ++kept_);
    try {
      session().execute(fmt::format("CREATE TEMP TABLE {} AS SELECT * FROM {}", table, input.scan),
                        Progress::silent());
      input.scan = table;
    } catch (const DuckDbFailure&) {
      // The file goes on being read as it is, and whoever asks hears what is wrong with it.
    }
  }

  // All threads, and memory that is faster to get again.
  void spend() {
    if (spends_) return;
    spends_ = true;
    keep_back(32 * 1024 * 1024);
    if (session_ && threads_ > 1) {
      session_->execute(fmt::format("SET threads = {}", threads_), Progress::silent());
    }
  }

  static void keep_back(int bytes) {
    mallopt(M_MMAP_THRESHOLD, bytes);
    mallopt(M_TRIM_THRESHOLD, 2 * bytes);
  }

  static void write_to_standard_output(std::string_view block) {
    while (!block.empty()) {
      const ssize_t put = ::write(STDOUT_FILENO, block.data(), block.size());
      if (put < 0 && errno == EPIPE) return;  // its reader (| head) has read all it wanted
      if (put < 0) throw Error::machine("cannot write to standard output");
      block.remove_prefix(static_cast<std::size_t>(put));
    }
  }

  static std::uint64_t parse_count(std::string_view text) {
    std::uint64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
  }

  // Its columns and rows, once there is a scan.
  void describe(Source& source) {
    session().stream(
        fmt::format("SELECT column_name FROM (DESCRIBE SELECT * FROM {})", scan_of(source)),
        Progress::silent(), [&](TextColumns columns, std::size_t) {
          for (const auto name : columns[0]) source.columns.emplace_back(name);
        });
    source.expected_rows = count_rows(source, Progress::silent());
  }

  void open_database(Source& source, const SourceName& given) {
    source.format = FileFormat::database;
    if (!given.table.empty()) source.name = fmt::format("{}:{}", given.file, given.table);
    source.handle = std::make_shared<DuckDbSource>(
        databases_.open_table(session(), given, source.files.front()));
    try {
      describe(source);
    } catch (const DuckDbFailure&) {
      throw Error::input("this table cannot be read; the database may be damaged").at(source.name);
    }
  }

  void open_parquet(Source& source) {
    source.format = FileFormat::parquet;
    source.handle = std::make_shared<DuckDbSource>(
        fmt::format("read_parquet({})", DuckDbSession::quote_text(source.files.front())));
    try {
      describe(source);
    } catch (const DuckDbFailure&) {
      throw Error::input("this Parquet file cannot be read; it may be damaged").at(source.name);
    }
  }

  void open_csv(Source& source, const std::string& sample, const CsvOptions& options) {
    const std::string& file = source.files.front();
    const std::uint64_t size = fs::file_size(file);
    CsvDialect dialect = sniff_csv(sample, sample.size() == size, options, source.name);
    if (size > kLongestRecordBytes) {
      refuse_overlong_lines(MappedFile(file).text(), source.name);
    }
    const bool odd = dialect.encoding != CsvEncoding::utf8 || dialect.mixed_line_ends;
    const std::string readable = odd ? normalised_copy(file, dialect) : file;
    source.format = FileFormat::csv;
    source.columns = dialect.columns;
    source.delimiter = dialect.delimiter;
    source.encoding = dialect.encoding == CsvEncoding::latin1 ? "latin-1" : "utf-8";
    if (dialect.mean_record_bytes > 0) {
      source.expected_rows = static_cast<std::uint64_t>(
          static_cast<double>(size - dialect.header_bytes) / dialect.mean_record_bytes);
    }
    std::string types;
    for (std::size_t i = 0; i < dialect.columns.size(); ++i) {
      types += fmt::format("{}{}: 'VARCHAR'", i == 0 ? "" : ", ", internal_name(i));
    }
    // A file smaller than that needs no more than itself.
    const std::size_t buffer =
        std::clamp<std::size_t>(fs::file_size(readable) + 1, kSmallestCsvBuffer, kCsvBufferBytes);
    std::string scan = fmt::format(
        "read_csv({}, auto_detect = false, columns = {{{}}}, delim = {}, quote = '\"', "
        "escape = '\"', header = true, strict_mode = true, null_padding = false, nullstr = '', "
        "skip = {}, max_line_size = {}, buffer_size = {}, compression = 'none')",
        DuckDbSession::quote_text(readable), types,
        DuckDbSession::quote_text(std::string(1, dialect.delimiter)),
        dialect.names_delimiter ? 1 : 0, std::min(kLongestRecordBytes, buffer), buffer);
    source.handle = std::make_shared<DuckDbSource>(std::move(scan), readable, std::move(dialect));
  }

  std::string normalised_copy(const std::string& path, const CsvDialect& dialect) {
    std::string target = path + "-utf8";
    AtomicFile copy(target);
    copy.set_mode(0600);
    bool last_was_cr = false;
    read_in_blocks(path, [&](std::string_view block) {
      copy.write(normalise_csv(block, dialect, last_was_cr));
    });
    copy.commit();
    return target;
  }

  // The lines at the beginning of a CSV file.
  static bool nearly_all_differ(const Source& source) {
    constexpr std::size_t kSampleBytes = std::size_t{128} * 1024;
    constexpr double kNearlyAll = 0.95;
    const DuckDbSource& file = handle_of(source);
    if (!file.dialect) return false;
    const std::string sample = read_beginning(file.readable, kSampleBytes);
    std::vector<std::string_view> lines;
    for (std::size_t at = 0; at < sample.size();) {
      const std::size_t end = std::min(sample.find('\n', at), sample.size());
      lines.push_back(std::string_view(sample).substr(at, end - at));
      at = end + 1;
    }
    const auto read = static_cast<double>(lines.size());
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return static_cast<double>(lines.size()) >= kNearlyAll * read;
  }

  static Table empty_table(const Source& source, const std::vector<std::string>& columns) {
    Table table;
    for (const auto& name : columns) {
      (void)column_index(source.columns, name, source.name);
      table.columns.emplace_back();
      table.columns.back().name = name;
    }
    return table;
  }

  // A column of CSV goes by its place, because DuckDB's names do not tell Age from age.
  static std::string internal_name(std::size_t place) { return fmt::format("c{}", place); }

  static std::string select_list(const Source& source, const Table& table) {
    std::string list;
    for (const auto& column : table.columns) {
      if (!list.empty()) list += ", ";
      const std::string name = source.format == FileFormat::csv
                                   ? internal_name(column_index(source.columns, column.name))
                                   : DuckDbSession::quote_name(column.name);
      list += fmt::format("coalesce(CAST({} AS VARCHAR), '')", name);
    }
    return list;
  }

  static void append(Table& table, TextColumns texts, std::size_t rows) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      Column& column = table.columns[c];
      for (std::size_t i = 0; i < rows; ++i) {
        column.codes.push_back(column.dictionary.intern(texts[c][i]));
      }
    }
  }

  static void refuse_nul(const Table& table, const Source& source) {
    for (const auto& column : table.columns) refuse_nul(column.name, column.dictionary, source);
  }

  static void refuse_nul(const std::string& column, const Dictionary& values,
                         const Source& source) {
    for (const auto value : values.values()) {
      if (value.find('\0') != std::string_view::npos) {
        throw Error::input(fmt::format("a value of column '{}' contains a NUL byte", column))
            .at(source.name)
            .hint("Remove the bytes first: tr -d '\\000' < FILE");
      }
    }
  }

  void run(const Source& source, Progress& progress, const std::string& sql,
           const std::function<void(TextColumns, std::size_t)>& chunk) {
    try {
      session().stream(sql, progress, chunk);
    } catch (const DuckDbFailure& failure) {
      progress.check();
      explain(failure, source);
    }
  }

  [[noreturn]] void explain(const DuckDbFailure& failure, const Source& source) {
    if (failure.kind == DuckDbFailure::Kind::memory) {
      throw Error::machine("the memory allowed is not enough for this file")
          .at(source.name)
          .hint("Give more with --memory, or use fewer columns.");
    }
    if (failure.kind == DuckDbFailure::Kind::disk) throw spill_error();
    if (const DuckDbSource& input = handle_of(source); input.dialect) {
      explain_csv_fault(MappedFile(input.readable).text(), *input.dialect, source.name);
    }
    throw Error::input("the rest of the file does not match its beginning")
        .at(failure.line > 0 ? fmt::format("{}:{}", source.name, failure.line) : source.name)
        .hint("Look at this line; it may be cut off or damaged.");
  }

  Error spill_error() const {
    return Error::machine("the disk for temporary files is full")
        .at(scratch_.path())
        .hint("Set TMPDIR to a folder with more space.");
  }

  void write_file(const Output& output, const std::string& path, bool parquet, Progress& progress) {
    if (lower(path).ends_with(".duckdb")) {
      throw Error::input("a DuckDB database is read, not written")
          .at(path)
          .hint("Name the output .parquet or .csv.");
    }
    AtomicFile file(path);
    if (output.is_private) file.set_mode(0600);
    if (parquet) {
      try {
        progress.begin("writing rows", output.row_count);
        if (output.row_count > kFewRows) spend();
        const std::string link = fmt::format("{}/output-{}", scratch_.path(), ++outputs_);
        fs::create_symlink(fs::absolute(file.temporary_path()), link);
        session().copy_to_parquet(output, link, progress);
      } catch (const DuckDbFailure&) {
        progress.check();
        throw Error::machine("cannot write this file")
            .at(path)
            .hint("The disk may be full; nothing was half written.");
      }
    } else {
      write_csv(output, progress, [&](std::string_view block) { file.write(block); });
    }
    file.commit();
  }

  std::uint64_t memory_bytes_;
  std::size_t threads_;
  bool spends_ = false;
  PrivateFolder scratch_;
  std::unique_ptr<DuckDbSession> session_;  // none until a statement is run
  DuckDbDatabases databases_;
  int inputs_ = 0;
  int outputs_ = 0;
  int countings_ = 0;
  int kept_ = 0;
};

}  // namespace

std::unique_ptr<Engine> Engine::duckdb(const EngineOptions& options) {
  return std::make_unique<DuckDbEngine>(options);
}

}  // namespace pratique
