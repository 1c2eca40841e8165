// Nothing leaves beside a quasi-identifier that undoes it (columns/undoing.h), unless it was let go
// by name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pratique/columns/undoing.h"
#include "pratique/data/table.h"

namespace pratique::release {

// Of some rows of a table, one of each person.
class UndoingColumns {
 public:
  void know(const Column& quasi_identifier);
  // A column that leaves as it is. A secret is looked at by order and parts of dates alone: nobody
  // knows beforehand which illness goes with a postcode.
  void look_at(const Column& column, bool secret = false);
  // One of which pseudonyms leave: equal ones stand for equal values.
  void look_at_pseudonyms(const Column& identifier);
  // Throws Error::input where one of them undoes a quasi-identifier.
  void check(const std::string& place) const;

 private:
  std::map<std::string, columns::Readings> known_;
  std::vector<std::string> refused_;
  std::vector<std::string> pseudonyms_;
  std::string reasons_;
};

}  // namespace pratique::release
