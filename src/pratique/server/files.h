// The files of the data folder, as the workbench lists, takes and gives them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/net/http.h"
#include "pratique/server/confined_path.h"
#include "pratique/server/ledgered_files.h"

namespace pratique::server {

// What the manifest of a release is called, behind its name.
inline constexpr std::string_view kManifestEnding = ".manifest.json";

struct FileEntry {
  std::string path;  // inside the data folder
  std::uint64_t bytes = 0;
  std::string modified;  // ISO 8601, UTC
  std::string kind;      // table, codes, manifest, report, ledger, hierarchy, config, other
  std::optional<LedgerRecord> ledger = {};  // where its hash is recorded
  std::string tag = {};                     // another whenever it was written again; HTTP's ETag
};

class Files {
 public:
  // Empties what was deleted while another server ran.
  Files(const DataFolder& folder, std::uint64_t upload_limit);

  // By path; hidden files and what leads out of the folder are left out. At most 10,000.
  [[nodiscard]] std::vector<FileEntry> list() const;
  // Whole or not at all. Throws Problem 409 when it is there and may not be replaced (a ledger
  // never may, nor what it records, nor a secret key), 413 when it is too large, 422 when it is not
  // what its name says, 412 when the request names the file that it was read as (If-Match), and it
  // was written since.
  FileEntry take(const std::string& path, const net::Request& request, bool replace);
  [[nodiscard]] net::Response give(const std::string& path, bool inline_view) const;
  // Not a ledger, which can only grow, nor what it records, nor a secret key.
  void remove(const std::string& path);
  // The same, to be undone: the file waits where nobody looks until it is put back or forgotten, an
  // hour at most. Returns what to call it.
  [[nodiscard]] std::string set_aside(const std::string& path);
  // Under its own name again. Throws Problem 404 when it is gone, 409 when something has the name.
  FileEntry put_back(const std::string& id);
  void forget(const std::string& id);

 private:
  struct SetAside {
    std::string path;  // where it was
    std::chrono::steady_clock::time_point since;
  };
  [[nodiscard]] FileEntry describe(const std::string& path) const;
  // The path on disk of a file that may go.
  [[nodiscard]] std::string removable(const std::string& path) const;
  [[nodiscard]] std::string place_of(const std::string& id) const;
  const DataFolder& folder_;
  std::uint64_t upload_limit_;
  std::mutex mutex_;  // between looking whether a file exists and making it; of set_aside_
  std::map<std::string, SetAside> set_aside_;
};

[[nodiscard]] Json to_json(const FileEntry& entry);
// Paths inside the folder, of what is neither hidden nor leads out; at most 10,000.
[[nodiscard]] std::vector<std::string> visible_files(const DataFolder& folder);
// Whether a ledger is there.
[[nodiscard]] bool is_ledger(const DataFolder& folder, const std::string& path);
// By its name and its first bytes.
[[nodiscard]] std::string file_kind(std::string_view path, std::string_view beginning);

}  // namespace pratique::server
