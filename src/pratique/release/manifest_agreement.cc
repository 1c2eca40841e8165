#include "pratique/release/manifest_agreement.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/release/internal/agreement.h"

namespace pratique::release {

std::vector<std::string> manifest_contradictions(Engine& engine, const std::string& release,
                                                 const std::string& private_folder,
                                                 Progress& progress) {
  const ReleaseFile file = ReleaseFile::read(release, private_folder);
  const std::optional<Source> original;  // not looked at: whoever verifies need not have it
  try {
    const auto opened = file.open(engine, progress);
    return contradictions({engine, file, file.manifest(), opened, original, true, progress});
  } catch (const Json::exception&) {
    throw ReleaseFile::malformed(release);
  }
}

}  // namespace pratique::release
