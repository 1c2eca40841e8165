// A table in which a person has several rows. Protection is of people: each is one record of the
// grouped table that methods and models see, with one set of quasi-identifiers, and all their rows
// leave in one class.
//
// A person whose rows differ in quasi-identifiers (an age that grows from visit to visit) is known
// by those that most of the rows have, and all the rows leave with the cells of these.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"
#include "pratique/kind/run.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables::flow {

struct PeopleColumns {
  std::string person;
  std::vector<std::string> quasi_identifiers;
  std::vector<std::string> single;     // a model or a method needs one value for each person
  std::vector<std::string> if_single;  // a record of a person has them where each has one value
  std::vector<std::string> all;        // of the file that are read
  bool tell_rows = false;              // people with other numbers of rows are other records
};

class People {
 public:
  // Throws Error::input where a row is nobody's, or a person has several values of a column that
  // must be single.
  // `rewrite` changes the columns before anything is read from them.
  People(const PeopleColumns& columns, const Source& source, const Run& run,
         const std::function<void(Table&)>& rewrite = {});

  // A record for each person, without repetitions: quasi-identifiers and single columns. Asked for
  // once.
  [[nodiscard]] GroupedTable take_records() { return std::move(records_); }
  // How many rows a person of each record has, where records tell.
  [[nodiscard]] const Column& rows_of_records() const { return rows_of_records_; }
  [[nodiscard]] std::uint64_t count() const { return first_row_.size() - 1; }
  [[nodiscard]] std::uint64_t rows() const { return rows_.size(); }
  // Rows whose quasi-identifiers are not those of their person.
  [[nodiscard]] std::uint64_t rows_changed() const { return rows_changed_; }
  [[nodiscard]] const Column& column(const std::string& name) const { return table_.column(name); }
  // How many people have each value of a column.
  [[nodiscard]] std::vector<std::uint64_t> people_with(const Column& column) const;

  // Who leaves: by person the entry of a recoding of these records, or kSuppressed.
  static constexpr std::uint32_t kSuppressed = ~std::uint32_t{0};
  [[nodiscard]] std::vector<std::uint32_t> entries_of(const Recoding& recoding) const;
  // How many people have rows whose cells in these columns, taken together, nobody else has, of
  // those who leave. With a recoding, of their class.
  [[nodiscard]] std::uint64_t alone_by(const std::vector<std::string>& columns,
                                       const std::vector<std::uint32_t>& entry_of,
                                       const Recoding* recoding = nullptr) const;
  // How many of those who leave are the only one of their class with as many rows.
  [[nodiscard]] std::uint64_t alone_by_rows(const Recoding& recoding,
                                            const std::vector<std::uint32_t>& entry_of) const;

  // The share of the cells of those who leave that do not contain what the row itself said, in
  // these columns (beside those of the recoding).
  [[nodiscard]] double overwritten(const std::vector<std::string>& quasi_identifiers,
                                   const std::map<std::string, Hierarchy>& hierarchies,
                                   const Recoding& recoding,
                                   const std::vector<std::uint32_t>& entry_of) const;

  // The rows of a person.
  [[nodiscard]] std::span<const std::uint32_t> rows_of(std::size_t person) const {
    return std::span(rows_).subspan(first_row_[person],
                                    first_row_[person + 1] - first_row_[person]);
  }

 private:
  [[nodiscard]] bool is_single(const Column& column) const;
  void choose_quasi_identifiers(const std::vector<std::string>& names);
  void collect_records(const std::vector<std::string>& names, bool tell_rows);
  // All a person's rows as one text, whatever their order.
  [[nodiscard]] std::string text_of(std::size_t person) const;

  Table table_;                           // by row
  std::vector<std::size_t> first_row_;    // by person, into rows_, and one more
  std::vector<std::uint32_t> rows_;       // those of each person together
  std::vector<std::uint32_t> known_by_;   // by person: a row with the person's quasi-identifiers
  std::vector<std::uint32_t> record_of_;  // by person, in records_
  GroupedTable records_;
  Column rows_of_records_;
  std::uint64_t rows_changed_ = 0;
};

}  // namespace pratique::tables::flow
