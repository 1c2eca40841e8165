// The registry of a folder's budgets; see budget/budget.h. A file of JSON, mode 0600:
//   {"format": "pratique-dp-registry-1", "ledgers": [{"ledger": PATH, "data": PATH, "key": HEX,
//    "commitment": HEX, "columns": HEX, "head": {...}, "looks": [device, inode, bytes, changed],
//    "tables": [{"data": PATH, "commitment": HEX, "columns": HEX, "looks": [...]}]}]}
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pratique/core/file.h"
#include "pratique/ledger/ledger.h"

namespace pratique::dp {

struct RegisteredData {
  std::string data;
  std::string commitment;  // HMAC of the data's SHA-256
  std::string columns;     // HMAC of the names of its columns; empty where nobody wrote it down
  std::vector<std::int64_t> looks;  // of the data's file when it was last recognised
};

struct RegisteredLedger {
  std::string ledger;  // absolute
  std::string key;     // of the commitments, in hexadecimal
  RegisteredData data;
  std::vector<RegisteredData> tables;  // beside the data
  ledger::Head head;

  [[nodiscard]] std::vector<RegisteredData> all_data() const;
};

class Registry {
 public:
  // Where there is none yet it is empty. Throws Error::check where it is malformed.
  [[nodiscard]] static Registry read(const std::string& path);
  [[nodiscard]] static Registry parse(std::string_view text, const std::string& place);
  // Whole or not at all.
  void write(const std::string& path) const;
  [[nodiscard]] std::string to_text() const;

  // Null where it is not known.
  [[nodiscard]] RegisteredLedger* find(const std::string& ledger);

  std::vector<RegisteredLedger> ledgers;
};

[[nodiscard]] std::string commitment_to(const std::string& fingerprint, const std::string& key);
// Device, inode, size and the times of its last changes; empty where there is no such file.
[[nodiscard]] std::vector<std::int64_t> looks_of(const std::string& path);

}  // namespace pratique::dp
