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
#include "pratique/tables/flow/column_roles.h"
#include "pratique/tables/flow/people.h"
#include "pratique/tables/flow/safe_harbor.h"
#include "pratique/tables/method/next_version.h"
#include "pratique/tables/method/protection.h"
#include "pratique/tables/method/randomisation.h"
#include "pratique/tables/metric/query_error.h"
#include "pratique/tables/model/model_request.h"
#include "pratique/tables/population.h"

namespace pratique::tables::flow {

// What is asked of tables protect.
struct ProtectRequest {
  std::string file;
  std::string out;
  std::string method = "optimal";
  std::vector<std::string> levels;
  std::vector<std::string> max_loss;   // COLUMN=SHARE
  std::vector<std::string> max_level;  // COLUMN=LEVEL
  std::vector<std::string> weights;    // COLUMN=WEIGHT
  std::vector<std::string> against;    // releases of earlier versions of the table
  double suppression = 0;
  std::string metric = "lm";
  std::string recoding;
  std::optional<double> time_limit;
  bool relaxed = false;
  std::string label;
  std::string target;
  std::string centre;  // empty: the usual one
  bool univariate = false;
  std::string start;                 // of local; empty: optimal
  std::vector<std::string> perturb;  // COLUMN=OPERATOR
  std::string queries;
  std::string rules_from;           // a table that an adversary has
  std::uint64_t rule_support = 50;  // records of a subgroup that she relies on
  std::map<std::string, std::vector<std::string>> models;  // by key of tables::model_settings()
  std::string identifiers = "drop";
  std::string key;
  std::optional<std::uint64_t> seed;
  ColumnRoles columns;
  std::string roles = "given";  // suggested: a column without a role takes the profile's advice
  std::vector<std::string> allowed;  // columns that may leave as they are, whatever they look like
  std::vector<std::string> date_forms;    // COLUMN=FORM, where values do not show it
  std::vector<std::string> number_forms;  // the same of numbers with commas
  std::string person;                     // the column that says whose each row is
  bool rows_are_people = false;           // each is somebody else's, though an identifier repeats
  bool safe_harbor = false;               // the 18 identifiers of HIPAA leave, or become coarser
  std::optional<std::uint64_t> as_of;     // of Safe Harbor: the year that ages are counted for
  bool releases = true;                   // false: nothing leaves, so nothing need be decided
  bool asks_whose_rows = true;            // false: it was decided when the release was made
  // Of the records, so many at most, drawn: for looking at what a search costs.
  std::optional<std::uint64_t> sample = {};
};

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
  void decide(const ProtectRequest& options, const Run& run);
  void name_person(const ProtectRequest& options);
  void ask_whose_rows(const ProtectRequest& options, const Run& run) const;
  void check_leaving(const ProtectRequest& options);
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
  void randomise(const ProtectRequest& options);
  void require_shared_values(const std::string& name) const;
  [[nodiscard]] tables::Attribute& attribute_named(const std::string& column,
                                                   const std::string& option);
  void limit_losses(const ProtectRequest& options);
  void limit_levels(const ProtectRequest& options);
  void weigh_columns(const ProtectRequest& options);
  [[nodiscard]] std::vector<const Column*> measured_columns() const;
  [[nodiscard]] tables::Exposure exposure_as_read() const;
  [[nodiscard]] tables::Models make(const tables::ModelRequest& wanted);
  std::map<std::string, columns::ColumnContent> content_aside_;  // by column
  std::vector<std::uint64_t> population_;
  std::optional<tables::PopulationFile> population_file_;
};

// Throws Error where an option that was given changes nothing under any of the methods.
void refuse_unused(const ProtectRequest& options, const std::vector<std::string>& methods);

// What the method makes of the table under these models. What satisfies a larger k satisfies a
// smaller one: beside other models, where a larger k may lead local recoding to smaller losses,
// those of 2, 3, 5, 7, 11, 20 and 50 are tried too, and what loses least is taken. Throws as
// tables::protect does.
[[nodiscard]] tables::Protected protect_prepared(PreparedTable& prepared,
                                                 const tables::Models& models,
                                                 const tables::Method& method, Progress& progress);

// The method asked for. It points at the prepared table.
[[nodiscard]] tables::Method method_of(const ProtectRequest& options,
                                       const PreparedTable& prepared);

}  // namespace pratique::tables::flow
