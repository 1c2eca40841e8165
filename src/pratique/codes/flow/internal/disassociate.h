// The method of protect whose release is no set of codes for each patient.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/codes/format/code_file.h"
#include "pratique/codes/method/protection.h"
#include "pratique/kind/run.h"

namespace pratique::codes::flow {

[[nodiscard]] Outcome protect_by_disassociation(
    const codes::CodeFile& file, const codes::Method& method, const codes::Parameters& wanted,
    const std::string& out, std::optional<std::uint64_t> given_seed,
    const std::vector<std::string>& files, const std::string& queries, const Run& run);

}  // namespace pratique::codes::flow
