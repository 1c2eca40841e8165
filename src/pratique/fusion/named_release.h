// A table that keeps names and loses its target, at any level of anonymisation of its
// quasi-identifiers: what FRED attacks and releases.
//
// Methods see the distinct combinations of quasi-identifiers; a recoding of these is handed out to
// the rows: rows with equal quasi-identifiers may come into different classes, in their order in
// the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"
#include "pratique/tables/recoding.h"

namespace pratique::fusion {

// Its parts point at each other, so it stays where it is.
class NamedRelease {
 public:
  // `removed` columns never leave. All names are columns of the table; a quasi-identifier is not
  // removed.
  NamedRelease(Table original, const std::vector<std::string>& quasi_identifiers,
               const std::vector<std::string>& removed);
  NamedRelease(const NamedRelease&) = delete;
  NamedRelease& operator=(const NamedRelease&) = delete;

  [[nodiscard]] const tables::ProtectionInput& input() const { return input_; }
  // As it is without the removed columns, until show() changes it.
  [[nodiscard]] const Table& table() const { return released_; }
  // The quasi-identifiers as the recoding has them; no row may be suppressed.
  const Table& show(const tables::Recoding& recoding);

 private:
  Table released_;
  std::vector<std::size_t> places_;  // of quasi-identifiers in released_
  GroupedTable groups_;
  std::vector<std::uint32_t> group_of_;  // by row
  std::vector<Hierarchy> hierarchies_;
  tables::ProtectionInput input_;
};

}  // namespace pratique::fusion
