// Why a release is generalised as it is: the run that its manifest records, repeated, and what one
// level less would break.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pratique/kind/run.h"
#include "pratique/manifest/manifest.h"
#include "pratique/tables/flow/prepared_table.h"

namespace pratique::tables::flow {

struct ExplainRequest {
  std::string release;
  Manifest manifest;        // of the release
  ProtectRequest recorded;  // what it says was asked for
  std::string original;     // where the original is now; empty: at its recorded place
  std::optional<std::uint64_t> number = {};  // a class, from 1 in the order of the file
  std::optional<std::string> value = {};     // or a cell
  std::string column = {};                   // of `value`; empty: any
};

[[nodiscard]] Outcome explain(const ExplainRequest& request, const Run& run);

}  // namespace pratique::tables::flow
