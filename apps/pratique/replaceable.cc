#include "replaceable.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "pratique/core/error.h"

namespace pratique::app {

void require_replaceable(const std::string& path, std::string_view kind,
                         std::initializer_list<std::string_view> signs) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none) || std::filesystem::is_empty(path, none)) {
    return;
  }
  constexpr std::size_t kBeginning = 2048;
  std::string beginning(kBeginning, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(file.gcount()));
  const bool ours = std::any_of(signs.begin(), signs.end(), [&](std::string_view sign) {
    return beginning.find(sign) != std::string::npos;
  });
  if (ours) return;
  throw Error::input(fmt::format("a file with this name exists, and is no {}", kind))
      .at(path)
      .hint("Choose another name with --out.");
}

}  // namespace pratique::app
