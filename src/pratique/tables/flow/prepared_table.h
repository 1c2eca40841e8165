// A table that was read for protection: its roles known, its hierarchies made, its models built.
// What tables protect, explore and explain start from.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pratique/columns/column_content.h"
#include "pratique/data/hierarchy.h"
#include "pratique/data/schema.h"
#include "pratique/data/table.h"
#include "pratique/kind/dates.h"
#include "pratique/kind/numbers.h"
#include "pratique/kind/run.h"
#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/flow/people.h"
#include "pratique/tables/flow/protect_request.h"
#include "pratique/tables/flow/safe_harbor.h"
#include "pratique/tables/method/next_version.h"
#include "pratique/tables/method/protection.h"
#include "pratique/tables/method/randomisation.h"
#include "pratique/tables/metric/query_error.h"
#include "pratique/tables/model/model_request.h"
#include "pratique/tables/population.h"

namespace pratique::tables::flow {

// Its parts point at each other, so it stays where it is.
class PreparedTable {
 public:
  PreparedTable(const ProtectRequest& options, const Run& run);
  PreparedTable(const PreparedTable&) = delete;
  PreparedTable& operator=(const PreparedTable&) = delete;

  Source source;
  std::vector<Source> sources;
  Schema schema;
  std::string person;                     // the column that says whose each row is, or empty
  std::vector<std::string> leaving;       // columns, in the order of the file
  std::vector<std::string> as_is;         // of these, those that leave as they are
  std::vector<std::string> rounded;       // those that leave rounded, and else as they are
  std::vector<std::string> allowed;       // of these, those that may whatever they look like
  std::optional<People> people;           // where a column says whose each row is
  std::optional<SafeHarbor> safe_harbor;  // where it is asked for
  GroupedTable table;                     // of people, where they are known
  // Columns that leave as they are and that nothing is worked out from; none where there are none.
  std::shared_ptr<const SpooledColumns> aside;
  release::DateForms dates;      // of quasi-identifiers: what they were before they were days
  release::NumberForms numbers;  // and those that had commas
  std::map<std::string, Hierarchy> hierarchies;
  std::vector<std::string> by_default;  // columns of which nobody gave the hierarchy
  std::map<std::string, Hierarchy> sensitive_hierarchies;
  tables::ProtectionInput input;     // as the models see it
  tables::ProtectionInput measured;  // with every sensitive attribute
  tables::ModelRequest request;
  tables::Models models;
  std::vector<tables::RandomisedColumn> randomised;
  tables::Exposure before;                                  // of the table as it was read
  std::optional<std::vector<tables::CountQuery>> workload;  // of --queries
  std::vector<double> target;                               // of --target, by group
  std::optional<tables::EarlierVersions> earlier;           // of --against
  std::map<std::string, double> max_loss;                   // of --max-loss, by column
  std::map<std::string, int> max_level;                     // of --max-level, by column
  std::map<std::string, double> weights;                    // of --weight, by column

  std::uint64_t records_read = 0;  // before a sample was drawn

  [[nodiscard]] std::uint64_t rows() const { return people ? people->rows() : table.rows(); }
  [[nodiscard]] bool is_aside(const std::string& column) const;
  // The column with the marks of what is aside.
  [[nodiscard]] const Column& marks() const { return table.groups.columns.back(); }
  // Sensitive columns that no attack is measured on: somebody has several values of them.
  [[nodiscard]] std::vector<std::string> not_measured() const;

  // The same models with another k.
  [[nodiscard]] tables::Models models_with(std::uint64_t k);

 private:
  void name_person(const ProtectRequest& options);
  void ask_whose_rows(const ProtectRequest& options, const Run& run) const;
  [[nodiscard]] GroupedTable with_records(const std::vector<std::string>& names) const;
  void read(const ProtectRequest& options, const Run& run);
  void read_rows(const ProtectRequest& options, const Run& run);
  [[nodiscard]] bool has_a_part(const std::string& column, const ProtectRequest& options) const;
  void refuse_beside_safe_harbor(const ProtectRequest& options) const;
  [[nodiscard]] bool has_models() const { return !schema.models.empty(); }
  void make_safe_harbor();
  void read_dates(const ProtectRequest& options);
  [[nodiscard]] release::DateForms date_forms_of(const ProtectRequest& options, const Table& of,
                                                 const std::string& place) const;
  [[nodiscard]] release::NumberForms number_forms_of(const ProtectRequest& options, const Table& of,
                                                     const std::string& place) const;
  [[nodiscard]] std::vector<const Column*> measured_columns() const;
  [[nodiscard]] tables::Exposure exposure_as_read() const;
  [[nodiscard]] tables::Models make(const tables::ModelRequest& wanted);
  std::map<std::string, columns::ColumnContent> content_aside_;  // by column
  std::vector<std::uint64_t> population_;
  std::optional<tables::PopulationFile> population_file_;
};

}  // namespace pratique::tables::flow
