// What is asked of tables protect, in plain fields.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pratique/tables/flow/column_roles.h"

namespace pratique::tables::flow {

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

}  // namespace pratique::tables::flow
