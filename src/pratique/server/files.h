// The files of the data folder, as the workbench lists, takes and gives them.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/net/http.h"
#include "pratique/server/confined_path.h"

namespace pratique::server {

struct FileEntry {
  std::string path;  // inside the data folder
  std::uint64_t bytes = 0;
  std::string modified;  // ISO 8601, UTC
  std::string kind;      // table, codes, manifest, report, ledger, hierarchy, config, other
};

class Files {
 public:
  Files(const DataFolder& folder, std::uint64_t upload_limit)
      : folder_(folder), upload_limit_(upload_limit) {}

  // By path; hidden files and what leads out of the folder are left out. At most 10,000.
  [[nodiscard]] std::vector<FileEntry> list() const;
  // Whole or not at all. Throws Problem 409 when it is there and may not be replaced (a ledger
  // never may, nor a secret key), 413 when it is too large, 422 when it is not what its name says.
  FileEntry take(const std::string& path, const net::Request& request, bool replace);
  [[nodiscard]] net::Response give(const std::string& path, bool inline_view) const;
  // Not a ledger, which can only grow, nor a secret key.
  void remove(const std::string& path);

 private:
  [[nodiscard]] FileEntry describe(const std::string& path) const;
  const DataFolder& folder_;
  std::uint64_t upload_limit_;
  std::mutex mutex_;  // between looking whether a file exists and making it
};

[[nodiscard]] Json to_json(const FileEntry& entry);
// Whether a ledger is there.
[[nodiscard]] bool is_ledger(const DataFolder& folder, const std::string& path);
// By its name and its first bytes.
[[nodiscard]] std::string file_kind(std::string_view path, std::string_view beginning);

}  // namespace pratique::server
