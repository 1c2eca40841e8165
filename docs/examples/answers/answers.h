// A toy kind of data, to show how one moves in (CONTRIBUTING.md): a file with the column `answer`,
// a row per person. Released are the answers that at least k people gave; rarer ones stay behind.
//
// A real kind is a folder of src/pratique with rooms for models, methods, metrics and attacks. Its
// two ends are the same as here: a flow, and a Kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pratique/kind/kind.h"
#include "pratique/kind/run.h"

namespace pratique::answers {

// What is asked for. The command line binds each field to an option; so may any other caller.
struct ProtectRequest {
  std::string file;
  std::uint64_t k = 5;
  std::string out;
  std::optional<std::uint64_t> seed = {};
};

// Reads, protects, attacks before and after, publishes: written, verified from disk, and only then
// given its name, with the manifest beside it.
[[nodiscard]] Outcome protect(const ProtectRequest& request, const Run& run);

// All that the report, the ledger and the workbench need to know. Its line stands in
// release/kinds.cc; a program of somebody else's gives it to release::add_kind.
[[nodiscard]] release::Kind kind();

}  // namespace pratique::answers
