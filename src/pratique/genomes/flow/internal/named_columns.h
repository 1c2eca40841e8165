// Columns by the names that people give them.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "pratique/engine/engine.h"

namespace pratique::genomes::flow {

// As the file spells it; capitals do not matter where only one fits. Throws Error::input with the
// nearest names.
[[nodiscard]] std::string column_called(const Source& source, const std::string& name);

// The first of these names, or of names that contain one of them, that the file has.
[[nodiscard]] std::optional<std::string> likely_column(
    const Source& source, std::initializer_list<std::string_view> names);

}  // namespace pratique::genomes::flow
