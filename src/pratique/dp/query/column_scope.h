// The columns that a question may name: those of the tables in its FROM.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/json.h"

namespace pratique::dp {

class ColumnScope {
 public:
  // Those of one table, data.
  ColumnScope(const std::vector<std::string>& columns);  // NOLINT(google-explicit-constructor)
  ColumnScope() = default;

  // `person`: the column by which tables are joined, the same in all of them; may be empty.
  void add(const std::string& table, const std::vector<std::string>& columns,
           const std::string& person);

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  // Where the column stands, all tables one after the other. `names`: of a COLUMN_REF, such as
  // ["age"] or ["visits", "age"]. Throws Error::input where there is none, or two.
  [[nodiscard]] std::size_t find(const Json& names) const;
  // age; visits.age where another table has one, too.
  [[nodiscard]] std::string name_of(std::size_t at) const;

 private:
  struct Entry {
    std::string table;
    std::string column;
    bool is_person = false;
  };
  [[nodiscard]] std::vector<std::size_t> places_of(const std::string& column) const;
  std::vector<Entry> entries_;
};

}  // namespace pratique::dp
