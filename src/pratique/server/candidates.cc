#include "pratique/server/candidates.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/manifest/manifest.h"
#include "pratique/server/files.h"
#include "pratique/server/ledgered_files.h"

namespace pratique::server {
namespace {

namespace fs = std::filesystem;

struct Candidate {
  std::string path;  // candidates/DIGEST
  fs::file_time_type made;
  std::vector<std::string> files;  // inside the data folder
};

std::vector<Candidate> candidates_in(const DataFolder& folder) {
  std::vector<Candidate> candidates;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(fs::path(folder.path()) / kCandidates, failed)) {
    if (!fs::is_directory(entry.symlink_status(failed))) continue;
    Candidate candidate{(fs::path(kCandidates) / entry.path().filename()).string(), {}, {}};
    candidate.made = entry.last_write_time(failed);
    for (const auto& file : fs::directory_iterator(entry.path(), failed)) {
      if (!fs::is_regular_file(file.symlink_status(failed))) continue;
      candidate.files.push_back(candidate.path + "/" + file.path().filename().string());
      candidate.made = std::max(candidate.made, file.last_write_time(failed));
    }
    candidates.push_back(std::move(candidate));
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.made > b.made; });
  return candidates;
}

// Where the private manifest of a release is put, with its name; empty where it has none.
std::string private_path(const DataFolder& folder, const std::string& manifest_path) {
  try {
    const Manifest manifest = Manifest::read(folder.confine(manifest_path));
    // Anybody may have written it: a name leads nowhere else.
    const bool plain = std::all_of(manifest.private_name.begin(), manifest.private_name.end(),
                                   [](unsigned char c) { return std::isxdigit(c) != 0; });
    if (manifest.private_name.empty() || !plain || manifest.inputs.empty()) return {};
    const fs::path beside = fs::path(folder.confine(manifest.inputs.front().path)).parent_path();
    return (beside / ".pratique" / "private" / (manifest.private_name + ".json")).string();
  } catch (const std::exception&) {
    return {};  // no manifest, or of a file elsewhere
  }
}

std::set<std::string> private_paths(const DataFolder& folder) {
  std::set<std::string> paths;
  for (const auto& file : visible_files(folder)) {
    if (file.ends_with(kManifestEnding)) paths.insert(private_path(folder, file));
  }
  return paths;
}

}  // namespace

void tidy_candidates(const DataFolder& folder, const CandidateLimits& limits) {
  const auto candidates = candidates_in(folder);
  const auto now = fs::file_time_type::clock::now();
  std::set<std::string> orphans;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto& candidate = candidates[i];
    const auto age = now - candidate.made;
    if (age < limits.young || (i < limits.most && age < limits.oldest)) continue;
    const bool recorded = std::any_of(
        candidate.files.begin(), candidate.files.end(),
        [&](const std::string& file) { return recorded_in_ledger(folder, file).has_value(); });
    if (recorded) continue;
    for (const auto& file : candidate.files) {
      if (file.ends_with(kManifestEnding)) orphans.insert(private_path(folder, file));
    }
    std::error_code ignored;
    fs::remove_all(fs::path(folder.path()) / candidate.path, ignored);
  }
  if (orphans.empty()) return;
  // A release that was made of a candidate has the same private manifest.
  for (const auto& kept : private_paths(folder)) orphans.erase(kept);
  for (const auto& path : orphans) {
    std::error_code ignored;
    if (!path.empty()) fs::remove(path, ignored);
  }
}

}  // namespace pratique::server
