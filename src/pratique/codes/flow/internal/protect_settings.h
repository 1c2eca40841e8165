// What codes protect was asked for, checked and read: settings of models, weights,
// quasi-identifiers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/codes/flow/protect.h"
#include "pratique/codes/format/code_file.h"
#include "pratique/codes/method/table_codes.h"

namespace pratique::codes::flow {

// The method whose release is no set of codes for each patient.
inline constexpr std::string_view kDisassociation = "disassociation";

[[nodiscard]] bool listens_to(const Model& model, std::string_view key);

// A word that nobody listens to may be the one that was meant to protect: throws Error::input.
void refuse_unused(const ProtectRequest& request, const Method& method);

// The files that the request names beside the one it protects.
[[nodiscard]] std::vector<std::string> other_files(const ProtectRequest& request);

// Reads what the models ask for beside numbers.
[[nodiscard]] Parameters read_parameters(Parameters read, const ProtectRequest& request,
                                         const CodeSets& sets);

// A column without a hierarchy takes the one of its type.
[[nodiscard]] std::vector<QuasiIdentifier> quasi_identifiers_of(
    const Parameters& options, const std::vector<std::string>& columns, const CodeFile& file);

// By code; none where no file is named.
[[nodiscard]] std::vector<double> read_weights(const std::string& path, const CodeSets& sets,
                                               const std::optional<Spelling>& spelling,
                                               const Run& run);

}  // namespace pratique::codes::flow
