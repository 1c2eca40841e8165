// How a document carries its block for programs.
#pragma once

#include <string>

#include "pratique/kind/document.h"

namespace pratique::release {

[[nodiscard]] std::string data_as_html(const DataBlock& block);
[[nodiscard]] std::string data_as_markdown(const DataBlock& block);

}  // namespace pratique::release
