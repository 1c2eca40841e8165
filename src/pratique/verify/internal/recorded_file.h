// Whether a file of people that a claim is about, a population or a list, is the one that the claim
// was made with (private_files.h).
#pragma once

#include <string>
#include <string_view>

#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {

enum class Sameness { same, another, unknown };

// For an explanation, where it is unknown.
inline constexpr std::string_view kNotCompared =
    "; whether it was made with the same file only its private manifest can show";

// In claims, the paths of populations and of earlier releases: where one is not there as it was
// recorded, the file of this path or name in the folder of the manifest takes its place.
void look_beside(Json& claims, const std::string& manifest);

// `file` names it by its path, with its sha256 or a commitment (claims.h).
[[nodiscard]] Sameness compare_with_recorded(const ClaimContext& context, const Json& file);

}  // namespace pratique::verify
