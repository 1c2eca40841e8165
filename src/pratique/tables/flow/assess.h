// What is risky in a table before anything is done: its columns, its figures, and what the holder
// of a register finds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/own_forms.h"
#include "pratique/kind/run.h"
#include "pratique/tables/flow/column_roles.h"

namespace pratique::tables::flow {

struct ProfileRequest {
  std::string file;
  std::optional<std::uint64_t> first = {};  // rows to look at; none: all
};
// Of the first rows alone, for a quick look: the result says so.
[[nodiscard]] Outcome profile(const ProfileRequest& request, const Run& run);

struct AssessRequest {
  std::string file;
  std::string population;  // a table of the people an adversary chooses from; empty: none
  // Of whom the table is a random sample: how many there are, or which share was drawn.
  std::optional<std::uint64_t> population_size = {};
  std::optional<double> sampling_fraction = {};
  // The column that says whose each row is; empty: as the manifest beside it says.
  std::string person = {};
  bool rows_are_people =
      false;  // each is somebody else's, though a column that names people repeats
  release::SaidForms forms = {};  // of both files
  ColumnRoles columns;
};
// Of people with several rows: each by the cells that most of the rows have.
[[nodiscard]] Outcome assess(const AssessRequest& request, const Run& run);

struct AttackRequest {
  std::string release;
  std::string register_file;    // named people
  std::vector<std::string> on;  // columns that both share
  std::string truth;            // the original records, to score by; empty: none
  std::string truth_key;
  std::string person = {};  // of the release: whose each row is; empty: as its manifest says
  std::string register_person = {};  // of the register
  bool rows_are_people = false;      // as of AssessRequest
  release::SaidForms forms = {};
  std::optional<double> fail_above = {};
  ColumnRoles columns;
};
// Of people with several rows: each by the cells that most of the rows have. Passes where no larger
// share than `fail_above` is linked or disclosed.
[[nodiscard]] Outcome attack(const AttackRequest& request, const Run& run);

}  // namespace pratique::tables::flow
