// Dates and numbers of files that are compared with each other, each file in its own form: before
// they are compared, all are days and plain numbers (data/date_form.h, data/number_form.h).
//
// A few cells that are of no form (a slip, 1970-02-30) stay as they are and are counted. Where the
// values do not show what they mean, somebody says so, or the original's form is taken where that
// is recorded; else it is asked for.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/data/schema.h"
#include "pratique/data/table.h"
#include "pratique/kind/dates.h"
#include "pratique/kind/numbers.h"

namespace pratique::release {

// As --date-form and --number-form have it: COLUMN=FORM.
struct SaidForms {
  std::vector<std::string> dates = {};
  std::vector<std::string> numbers = {};
};

// What was found in one file.
struct FileForms {
  DateForms dates = {};
  NumberForms numbers = {};
  std::map<std::string, std::uint64_t> unread = {};  // cells, by column
  std::vector<std::string> as_recorded = {};  // columns that do not show their form themselves
};

class OwnForms {
 public:
  // `columns` are those that may be named; none: any. Throws Error::input for another, and for a
  // form that there is not.
  OwnForms(const SaidForms& said, const std::vector<std::string>& columns);

  // The forms of a manifest's original, for what shows none and nobody says.
  void fall_back_on(const Json& parameters);

  // Columns whose hierarchies are about the texts as they are: those are compared.
  void leave_texts_of(const Schema& schema, const std::vector<std::string>& columns);

  // The columns of these names, where the table has them, as days and plain numbers. `counts` says
  // how many rows each of the table's stands for; empty: one. Throws Error::input where nobody can
  // tell what the values mean.
  FileForms write(Table& table, const std::vector<std::string>& columns, const std::string& place,
                  const std::vector<std::uint64_t>& counts = {});
  // Numbers alone: dates stay as they are.
  FileForms write_numbers(Table& table, const std::vector<std::string>& columns,
                          const std::string& place);

  // Throws Error::input where what was said is the form of no file that was read.
  void refuse_unheard() const;

 private:
  bool write_dates(Column& column, const std::string& place,
                   const std::vector<std::uint64_t>& counts, FileForms& forms);
  void write_numbers(Column& column, const std::string& place, FileForms& forms);

  std::map<std::string, DateForm> said_dates_;
  std::map<std::string, NumberForm> said_numbers_;
  std::set<std::string> no_dates_;
  std::set<std::string> no_numbers_;
  DateForms recorded_dates_;
  NumberForms recorded_numbers_;
  std::set<std::string> heard_dates_;
  std::set<std::string> heard_numbers_;
};

}  // namespace pratique::release
