// A value as a field of a CSV file, whatever its delimiter: quoted where it must be.
#pragma once

#include <string>
#include <string_view>

namespace pratique {

[[nodiscard]] std::string csv_field(std::string_view value);

}  // namespace pratique
