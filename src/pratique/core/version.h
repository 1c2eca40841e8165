#pragma once

namespace pratique {

inline constexpr const char* kVersion = PRATIQUE_VERSION;

}  // namespace pratique
