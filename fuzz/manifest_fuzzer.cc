// A manifest is either read, and then written and read again to the same text, or is an Error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/manifest/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    const auto manifest = pratique::Manifest::parse(input, "r.csv.manifest.json");
    if (manifest.outputs.empty()) std::abort();
    const std::string text = manifest.to_text();
    const auto again = pratique::Manifest::parse(text, "again.manifest.json");
    if (again.to_text() != text) std::abort();
  } catch (const pratique::Error&) {
    return 0;
  }
  return 0;
}
