// Tables of DuckDB databases as inputs. The databases are made with DuckDB itself.
#include <duckdb.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/engine/engine.h"
#include "pratique/engine/internal/duckdb_session.h"
#include "pratique/engine/source_name.h"

namespace pratique::duckdb_database_test {
namespace {

namespace fs = std::filesystem;
using Rows = std::vector<std::vector<std::string>>;

class DatabaseTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.memory_bytes = 1U << 30, .threads = 2});

  [[nodiscard]] std::string path(const std::string& name) const {
    return folder.path() + "/" + name;
  }

  // Runs the statements in the database at path(name), which is closed afterwards.
  std::string database(const std::vector<std::string>& statements,
                       const std::string& name = "h.duckdb") const {
    duckdb_database handle = nullptr;
    duckdb_connection connection = nullptr;
    EXPECT_EQ(duckdb_open(path(name).c_str(), &handle), DuckDBSuccess);
    EXPECT_EQ(duckdb_connect(handle, &connection), DuckDBSuccess);
    for (const auto& statement : statements) {
      EXPECT_EQ(duckdb_query(connection, statement.c_str(), nullptr), DuckDBSuccess) << statement;
    }
    duckdb_disconnect(&connection);
    duckdb_close(&handle);
    return path(name);
  }

  std::string two_tables() const {
    return database({"CREATE TABLE patients (zip VARCHAR, age INTEGER)",
                     "INSERT INTO patients VALUES ('02139', 30), (NULL, 41), ('02139', NULL)",
                     "CREATE TABLE visits (day DATE)", "CREATE SCHEMA archive",
                     "CREATE TABLE archive.patients (sex VARCHAR)",
                     "INSERT INTO archive.patients VALUES ('F')"});
  }

  Source open(const std::string& name) const { return engine->open(name, {}, Progress::silent()); }

  Rows rows_of(const std::string& name) const {
    const Table table = engine->load(open(name), {}, Progress::silent());
    Rows rows(table.rows());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (const auto& column : table.columns) rows[r].emplace_back(column.text(r));
    }
    return rows;
  }

  Error refused(const std::string& name) const {
    try {
      (void)open(name);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
      return error;
    }
    ADD_FAILURE() << name << " was opened";
    return Error::input("");
  }
};

TEST_F(DatabaseTest, ReadsATableAsText) {
  const std::string name = two_tables() + ":patients";
  const Source source = open(name);
  EXPECT_EQ(source.name, name);
  EXPECT_EQ(source.format, FileFormat::database);
  EXPECT_EQ(source.columns, (std::vector<std::string>{"zip", "age"}));
  EXPECT_EQ(source.expected_rows, 3U);
  EXPECT_EQ(engine->count_rows(source, Progress::silent()), 3U);
  EXPECT_EQ(rows_of(name), (Rows{{"02139", "30"}, {"", "41"}, {"02139", ""}}));
  const Table page = engine->page(source, 1, 1, Progress::silent());
  ASSERT_EQ(page.rows(), 1U);
  EXPECT_EQ(page.columns[1].text(0), "41");
}

TEST_F(DatabaseTest, GroupsAndCountsAsOfAFile) {
  const Source source = open(two_tables() + ":patients");
  const GroupedTable grouped = engine->group(source, {"zip"}, Progress::silent());
  EXPECT_EQ(grouped.counts, (std::vector<std::uint64_t>{1, 2}));  // '' before 02139
  std::map<std::string, std::uint64_t> zips;
  engine->count_values(source, {"zip"}, Progress::silent(), [&](const ValueCounts& column) {
    for (Code code = 0; code < column.values.size(); ++code) {
      zips[std::string(column.values.value(code))] = column.counts[code];
    }
  });
  EXPECT_EQ(zips, (std::map<std::string, std::uint64_t>{{"", 1}, {"02139", 2}}));
}

TEST_F(DatabaseTest, ReadsEveryTypeAsText) {
  const auto name = database(
      {"CREATE TABLE t AS SELECT DATE '1980-02-03' AS d, 1.5::DOUBLE AS x, 12.30::DECIMAL(5,2) AS "
       "m, true AS b, [1, 2] AS l, TIMESTAMP '2020-01-02 03:04:05' AS s"});
  EXPECT_EQ(rows_of(name),
            (Rows{{"1980-02-03", "1.5", "12.30", "true", "[1, 2]", "2020-01-02 03:04:05"}}));
}

TEST_F(DatabaseTest, RowsKeepTheirOrder) {
  const auto name = database({"CREATE TABLE t AS SELECT 300000 - range AS n FROM range(300000)"});
  const Table table = engine->load(open(name), {}, Progress::silent());
  ASSERT_EQ(table.rows(), 300'000U);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    ASSERT_EQ(table.columns[0].text(row), std::to_string(300'000 - row));
  }
}

TEST_F(DatabaseTest, TakesATableOfAnotherSchema) {
  EXPECT_EQ(rows_of(two_tables() + ":archive.patients"), (Rows{{"F"}}));
}

TEST_F(DatabaseTest, TheOnlyTableNeedsNoName) {
  const auto file = database({"CREATE TABLE t AS SELECT 7 AS a"}, "one.db");
  EXPECT_EQ(rows_of(file), (Rows{{"7"}}));
  EXPECT_EQ(open(file).name, file);
}

TEST_F(DatabaseTest, TwoTablesOfOneDatabaseAreOpenTogether) {
  const auto file = two_tables();
  const Source patients = open(file + ":patients");
  const Source archived = open(file + ":archive.patients");
  const Source again = open(file + ":patients");
  EXPECT_EQ(engine->count_rows(patients, Progress::silent()), 3U);
  EXPECT_EQ(engine->count_rows(archived, Progress::silent()), 1U);
  EXPECT_EQ(engine->count_rows(again, Progress::silent()), 3U);
}

TEST_F(DatabaseTest, QuotesNames) {
  const auto file = database({R"(CREATE TABLE "it's a ""table"": x; y" ("a ""b""; c" INTEGER))",
                              R"(INSERT INTO "it's a ""table"": x; y" VALUES (1))"},
                             "it's [1]*.duckdb");
  EXPECT_EQ(rows_of(file + R"(:it's a "table": x; y)"), (Rows{{"1"}}));
  EXPECT_EQ(open(file).columns, (std::vector<std::string>{R"(a "b"; c)"}));
}

TEST_F(DatabaseTest, NamesTheTablesThereAre) {
  const auto file = two_tables();
  const Error missing = refused(file + ":patient");
  EXPECT_EQ(missing.message(), "this database has no table 'patient'");
  EXPECT_EQ(missing.place(), file);
  EXPECT_EQ(missing.hint(),
            "Name one as " + file + ":TABLE. Its tables: patients, visits, archive.patients.");
  EXPECT_EQ(refused(file).message(), "this database has several tables");
  EXPECT_EQ(refused(file).hint(), missing.hint());
  EXPECT_EQ(refused(database({}, "empty.duckdb")).message(), "this database has no table");
}

TEST_F(DatabaseTest, AMessageNamesTwentyTablesAtMost) {
  std::vector<std::string> statements;
  for (int i = 10; i < 33; ++i) {
    statements.push_back("CREATE TABLE t" + std::to_string(i) + " (a INTEGER)");
  }
  const std::string hint = refused(database(statements)).hint();
  EXPECT_TRUE(hint.ends_with("t28, t29 and 3 more.")) << hint;
}

TEST_F(DatabaseTest, AViewIsNotRead) {
  // It would read a file that the user did not name.
  std::ofstream(path("secret.csv")) << "a\n1\n";
  const auto file = database({"CREATE TABLE t (a INTEGER)",
                              "CREATE VIEW v AS FROM read_csv('" + path("secret.csv") + "')"});
  EXPECT_EQ(refused(file + ":v").message(), "'v' is a view, and only tables are read");
}

TEST_F(DatabaseTest, NoQueryLeavesThePrivateFolder) {
  std::ofstream(path("secret.csv")) << "a\n1\n";
  fs::create_directory(path("scratch"));
  fs::create_symlink(path("secret.csv"), path("scratch/input"));
  DuckDbSession session({}, path("scratch"));
  const auto run = [&](const std::string& sql) { session.execute(sql, Progress::silent()); };
  EXPECT_NO_THROW(run("FROM read_csv('" + path("scratch/input") + "')"));
  EXPECT_THROW(run("FROM read_csv('" + path("secret.csv") + "')"), DuckDbFailure);
  EXPECT_THROW(run("FROM read_text('" + path("scratch/../secret.csv") + "')"), DuckDbFailure);
  EXPECT_THROW(run("COPY (SELECT 1) TO '" + path("out.csv") + "'"), DuckDbFailure);
  EXPECT_THROW(run("ATTACH '" + path("new.duckdb") + "'"), DuckDbFailure);
  EXPECT_THROW(run("SET enable_external_access = true"), DuckDbFailure);
  EXPECT_THROW(run("LOAD httpfs"), DuckDbFailure);
}

TEST_F(DatabaseTest, RefusesWhatIsNoDatabase) {
  std::ofstream(path("t.duckdb")) << "a,b\n1,2\n";
  std::ofstream(path("t.db")) << "a,b\n1,2\n";
  EXPECT_EQ(refused(path("t.duckdb")).message(), "this is not a DuckDB database");
  EXPECT_EQ(refused(path("t.duckdb:a")).message(), "this is not a DuckDB database");
  EXPECT_EQ(refused(path("t.db:a")).message(), "this is not a DuckDB database");
  EXPECT_EQ(rows_of(path("t.db")), (Rows{{"1", "2"}}));
  EXPECT_EQ(refused(path("nowhere.duckdb:a")).place(), path("nowhere.duckdb"));
}

TEST_F(DatabaseTest, ACsvWithTheMagicIsCsv) {
  std::ofstream(path("t.csv")) << "animals,DUCK,legs and wings\n1,2,3\n";
  EXPECT_EQ(rows_of(path("t.csv")), (Rows{{"1", "2", "3"}}));
}

TEST_F(DatabaseTest, RefusesADamagedDatabase) {
  const auto whole = read_file(two_tables());
  std::ofstream(path("cut.duckdb"), std::ios::binary) << whole.substr(0, 5000);
  EXPECT_EQ(refused(path("cut.duckdb:patients")).message(), "this DuckDB database cannot be read");
  // The version: far newer than any.
  std::string newer = whole;
  newer[12] = '\x7f';
  std::ofstream(path("newer.duckdb"), std::ios::binary) << newer;
  EXPECT_EQ(refused(path("newer.duckdb:patients")).message(),
            "this DuckDB database cannot be read");
}

TEST_F(DatabaseTest, RefusesADatabaseWithChangesBesideIt) {
  const auto file = two_tables();
  std::ofstream(file + ".wal") << "committed and not yet in the file";
  const Error error = refused(file + ":patients");
  EXPECT_EQ(error.place(), file + ".wal");
  fs::create_symlink(file, path("link.duckdb"));
  EXPECT_EQ(refused(path("link.duckdb:patients")).place(), file + ".wal");
  fs::remove(file + ".wal");
  EXPECT_EQ(rows_of(path("link.duckdb:patients")).size(), 3U);
}

TEST_F(DatabaseTest, ChangesNothing) {
  const auto file = two_tables();
  const std::string before = sha256_file(file);
  fs::permissions(file, fs::perms::owner_read);
  (void)rows_of(file + ":patients");
  engine.reset();
  EXPECT_EQ(sha256_file(file), before);
  EXPECT_FALSE(fs::exists(file + ".wal"));
}

TEST_F(DatabaseTest, IsNotWritten) {
  const std::vector<std::string> values{"x"};
  const std::vector<Code> codes{0};
  const Output output{.columns = {{"a", &codes, &values}}, .row_count = 1};
  EXPECT_THROW(engine->write(output, path("new.duckdb"), Progress::silent()), Error);
  EXPECT_FALSE(fs::exists(path("new.duckdb")));
}

TEST_F(DatabaseTest, IsKnownByTheWholeFile) {
  const auto file = two_tables();
  const Source source = open(file + ":visits");
  const std::string bytes = read_file(file);
  for (const auto& identity : {engine->identify(source), engine->identify(file + ":visits")}) {
    EXPECT_EQ(identity.sha256, sha256_hex(bytes));
    EXPECT_EQ(identity.bytes, bytes.size());
  }
  ASSERT_EQ(source.files.size(), 1U);
  EXPECT_TRUE(same_file(source.files.front(), file));
}

TEST(SourceName, SplitsADatabaseFromItsTable) {
  const auto parts = [](const std::string& name) {
    const SourceName parsed = parse_source_name(name);
    return std::pair(parsed.file, parsed.table);
  };
  using Parts = std::pair<std::string, std::string>;
  EXPECT_EQ(parts("a/h.duckdb:patients"), (Parts{"a/h.duckdb", "patients"}));
  EXPECT_EQ(parts("H.DuckDB:s.t"), (Parts{"H.DuckDB", "s.t"}));
  EXPECT_EQ(parts("h.db:a:b"), (Parts{"h.db", "a:b"}));
  EXPECT_EQ(parts("h.ddb:x.duckdb:y"), (Parts{"h.ddb", "x.duckdb:y"}));
  EXPECT_EQ(parts("h.duckdb:"), (Parts{"h.duckdb", ""}));
  EXPECT_EQ(parts("h.duckdb"), (Parts{"h.duckdb", ""}));
  EXPECT_EQ(parts("h.csv:t"), (Parts{"h.csv:t", ""}));
  EXPECT_EQ(parts("-"), (Parts{"-", ""}));
}

TEST(SourceName, AFileThatExistsIsMeant) {
  const PrivateFolder folder;
  const std::string name = folder.path() + "/h.duckdb:t";
  std::ofstream(name) << "a\n1\n";
  EXPECT_EQ(parse_source_name(name).file, name);
  EXPECT_EQ(parse_source_name(name).table, "");
}

}  // namespace
}  // namespace pratique::duckdb_database_test
