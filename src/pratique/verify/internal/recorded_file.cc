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

void look_beside(Json& claims, const std::string& manifest) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(manifest).parent_path();
  for (auto& claim : claims) {
    if (!claim.is_object() || !claim.contains("population")) continue;
    Json& population = claim["population"];
    if (!population.is_object() || !population.contains("path") || !population["path"].is_string())
      continue;
    const fs::path recorded = population["path"].get<std::string>();
    std::error_code failed;
    for (const fs::path& there : {recorded, folder / recorded, folder / recorded.filename()}) {
      if (!fs::is_regular_file(there, failed)) continue;
      population["path"] = there.string();
      break;
    }
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
