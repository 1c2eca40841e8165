#include "pratique/server/ledgered_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/manifest/manifest.h"
#include "pratique/net/problem.h"
#include "pratique/server/files.h"

namespace pratique::server {
namespace {

namespace fs = std::filesystem;

// Line by line, as ledger/ledger.h says they are.
void add_records(const std::string& path, std::string_view text, LedgerRecords& records) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const Json line = Json::parse(text.substr(0, end), nullptr, false);
    text.remove_prefix(std::min(end + 1, text.size()));
    try {
      const Json& entry = line.at("entry");
      const Json& body = entry.at("body");
      const LedgerRecord record{path, entry.at("index").get<std::size_t>(),
                                body.contains("report")};
      records.emplace(body.at("release").at("sha256").get<std::string>(), record);
      records.emplace(body.at("manifest").get<std::string>(), record);
    } catch (const Json::exception&) {
      continue;  // the first entry, or no entry
    }
  }
}

// people-k5.csv and people-k5.report.pdf
bool is_report_of(const std::string& report, const std::string& release) {
  const auto dot = release.rfind('.');
  return dot != std::string::npos && report.starts_with(release.substr(0, dot) + ".report.");
}

bool names(const Manifest& manifest, const std::string& sha256) {
  for (const auto& output : manifest.outputs) {
    if (output.sha256 == sha256) return true;
  }
  return false;
}

// By the manifests beside it.
std::optional<LedgerRecord> recorded_beside(const LedgerRecords& records, const fs::path& file,
                                            const std::string& sha256) {
  const std::string name = file.filename();
  std::error_code ignored;
  for (const auto& other : fs::directory_iterator(file.parent_path(), ignored)) {
    const std::string manifest = other.path().filename();
    if (!manifest.ends_with(kManifestEnding)) continue;
    const std::string release = manifest.substr(0, manifest.size() - kManifestEnding.size());
    const bool report = is_report_of(name, release);
    if (!report && !name.starts_with(release)) continue;
    try {
      const auto record = records.find(sha256_file(other.path()));
      if (record == records.end()) continue;
      if (report ? record->second.with_report : names(Manifest::read(other.path()), sha256))
        return record->second;
    } catch (const Error&) {
      continue;  // gone by now, or no manifest
    }
  }
  return std::nullopt;
}

}  // namespace

LedgerRecords ledger_records(const DataFolder& folder) {
  LedgerRecords records;
  for (const auto& path : visible_files(folder)) {
    if (!is_ledger(folder, path)) continue;
    try {
      add_records(path, read_file(folder.confine(path)), records);
    } catch (const Error&) {
      continue;  // gone by now
    }
  }
  return records;
}

std::optional<LedgerRecord> recorded_in_ledger(const DataFolder& folder, const std::string& path) {
  const std::string file = folder.confine(path);
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return std::nullopt;
  const LedgerRecords records = ledger_records(folder);
  if (records.empty()) return std::nullopt;
  try {
    const std::string sha256 = sha256_file(file);
    const auto record = records.find(sha256);
    if (record != records.end()) return record->second;
    return recorded_beside(records, file, sha256);
  } catch (const Error&) {
    return std::nullopt;  // a secret key, or gone by now
  }
}

void refuse_recorded(const DataFolder& folder, const std::string& path) {
  const auto record = recorded_in_ledger(folder, path);
  if (!record) return;
  throw net::Problem(409, fmt::format("this file belongs to entry {} of {}, and what is in a "
                                      "ledger is neither replaced nor deleted",
                                      record->entry, record->ledger))
      .at(path)
      .hint("Choose another name.");
}

}  // namespace pratique::server
