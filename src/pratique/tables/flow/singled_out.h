// Who is found by columns that leave as they are (docs/decisions/singled-out.md): by those that no
// model holds, sensitive or not, and by secrets that a model holds where known values are as good
// as a name, because one tells at least half of the records apart, or all do so together. Where a
// column was let go by name, quasi-identifiers are known beside these: such a column names people,
// or follows from what is known of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/tables/flow/prepared_table.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables::flow {

class SingledOut {
 public:
  // The table as it was read; `claims` say which secrets are held.
  SingledOut(const PreparedTable& prepared, const Json& claims);
  // Of the release; entry_of where people are known (People::entries_of).
  SingledOut(const PreparedTable& prepared, const Recoding& recoding,
             const std::vector<std::uint32_t>& entry_of, const Json& claims);

  // singled_out, singled_out_share, singled_out_by; nothing where no column counts.
  void put(Json& figures) const;
  // Of the secrets that count; `certain` are the records whose class shares a secret.
  [[nodiscard]] std::vector<std::string> warnings(std::uint64_t certain) const;

 private:
  // Of such columns; in their class by the quasi-identifiers, or among all.
  using AloneBy = std::function<std::uint64_t(const std::vector<std::string>&, bool in_class)>;
  void count(const PreparedTable& prepared, const Json& claims, const AloneBy& alone_by);
  [[nodiscard]] std::vector<std::string> warnings_of_telling() const;
  [[nodiscard]] std::string what_to_do(const std::string& models) const;

  std::uint64_t records_ = 0;
  std::uint64_t count_ = 0;
  std::vector<std::string> columns_;
  std::vector<std::string> unheld_;   // secrets that no model holds
  std::vector<std::string> several_;  // of these, those of which somebody has several values
  bool of_people_ = false;
  std::vector<std::string> telling_;  // secrets that tell at least half of the records apart
  bool together_ = false;             // none of these does so alone
};

}  // namespace pratique::tables::flow
