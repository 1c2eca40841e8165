// The end of every codes protect: written, verified, and told.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "pratique/codes/format/code_file.h"
#include "pratique/codes/method/protection.h"
#include "pratique/core/json.h"
#include "pratique/kind/artefact.h"
#include "pratique/kind/run.h"

namespace pratique::codes::flow {

struct CodesToPublish {
  const release::Artefact& artefact;
  const CodeFile& file;
  const Method& method;
  std::vector<std::string> other_files;
  std::string out;
  Seeded seeded;
  Json parameters;
  Json claim;
  std::chrono::steady_clock::time_point began;
};

// Adds to the result what the verifier found, and where the release is.
[[nodiscard]] Outcome publish_codes(const CodesToPublish& leaving, Json result, const Run& run);

}  // namespace pratique::codes::flow
