// A candidate becomes a release: a file that was made to be looked at gets a name of its own, with
// a manifest that says so. What was looked at is what leaves, byte for byte; nothing is made again.
#pragma once

#include <string>
#include <vector>

#include "pratique/manifest/manifest.h"

namespace pratique::release {

struct Kept {
  std::vector<std::string> files;  // as they are called now, the manifest last
  std::string sha256;              // of the first
};

// Throws Error where there is no manifest, a file is not what the manifest says, the name does not
// fit the format, or anything has one of the new names: no file is ever replaced. Then there is
// nothing under any of the new names.
[[nodiscard]] Kept keep(const std::string& candidate, const std::string& name);

}  // namespace pratique::release
