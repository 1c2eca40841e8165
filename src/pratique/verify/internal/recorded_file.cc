#include "pratique/verify/internal/recorded_file.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "pratique/core/guarded_file.h"
#include "pratique/crypto/hash.h"
#include "pratique/verify/internal/claim_reader.h"

namespace pratique::verify {
namespace {

// Names the file where it is: at its recorded path, or beside the manifest.
void find_beside(Json& file, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  if (!file.is_object() || !file.contains("path") || !file["path"].is_string()) return;
  const fs::path recorded = file["path"].get<std::string>();
  std::error_code failed;
  for (const fs::path& there : {recorded, folder / recorded, folder / recorded.filename()}) {
    if (!fs::is_regular_file(there, failed)) continue;
    file["path"] = there.string();
    return;
  }
}

}  // namespace

void look_beside(Json& claims, const std::string& manifest) {
  const std::filesystem::path folder = std::filesystem::path(manifest).parent_path();
  for (auto& claim : claims) {
    if (!claim.is_object()) continue;
    if (claim.contains("population")) find_beside(claim["population"], folder);
    if (!claim.contains("earlier") || !claim["earlier"].is_array()) continue;
    for (auto& release : claim["earlier"]) find_beside(release, folder);
  }
}

Sameness compare_with_recorded(const ClaimContext& context, const Json& file) {
  const std::string path = text_in(file, "path");
  refuse_recorded_device(path);
  const SourceIdentity identity = context.engine.identify(path);
  const auto when = [](bool same) { return same ? Sameness::same : Sameness::another; };
  if (!file.contains("commitment")) return when(identity.sha256 == text_in(file, "sha256"));
  const std::string commitment = text_in(file, "commitment");
  if (context.key.empty()) return Sameness::unknown;
  const auto key =
      std::span(reinterpret_cast<const std::uint8_t*>(context.key.data()), context.key.size());
  return when(commitment == to_hex(hmac_sha256(key, fmt::format("pratique input 1\n{}\n{}\n",
                                                                identity.sha256, identity.bytes))));
}

}  // namespace pratique::verify
