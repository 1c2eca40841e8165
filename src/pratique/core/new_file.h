// A file that is written only where there is none, not even a link: of two who try, one succeeds.
#pragma once

#include <string>
#include <string_view>

namespace pratique {

// False when something has that name. On disk, with its name, when it returns true; when it throws
// there is none.
[[nodiscard]] bool write_new_file(const std::string& path, std::string_view bytes, unsigned mode);

}  // namespace pratique
