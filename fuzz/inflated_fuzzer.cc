// Any bytes are text or refused with an Error, and the same however they are cut into blocks.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/genomes/format/inflated.h"

namespace {

std::optional<std::string> inflated_in_blocks(std::string_view bytes, std::size_t block) {
  pratique::genomes::Inflater inflater("input");
  std::string text;
  try {
    for (std::size_t at = 0; at < bytes.size(); at += block)
      inflater.take(bytes.substr(at, block), [&](std::string_view more) { text += more; });
    inflater.finish();
  } catch (const pratique::Error&) {
    return std::nullopt;
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (inflated_in_blocks(bytes, size) != inflated_in_blocks(bytes, 3)) std::abort();
  return 0;
}
