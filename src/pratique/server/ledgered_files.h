// What the ledgers of the data folder record: such a file is neither replaced nor deleted from a
// page. It is recognised by its content, whatever its name.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "pratique/server/confined_path.h"

namespace pratique::server {

struct LedgerRecord {
  std::string ledger;  // its path
  std::size_t entry = 0;
  bool with_report = false;  // a report was recorded with it
};

// By SHA-256, of releases and of their manifests. Of a ledger that is not intact, too: what it says
// is not believed, but what it names is left alone.
using LedgerRecords = std::map<std::string, LedgerRecord>;
[[nodiscard]] LedgerRecords ledger_records(const DataFolder& folder);

// The file is a recorded release, its manifest, another file that this manifest names, or the
// report beside it. None where there is no such file.
[[nodiscard]] std::optional<LedgerRecord> recorded_in_ledger(const DataFolder& folder,
                                                             const std::string& path);
// Throws Problem 409 that says which entry it is.
void refuse_recorded(const DataFolder& folder, const std::string& path);

}  // namespace pratique::server
