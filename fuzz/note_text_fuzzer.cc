// In any bytes, the verifier's detector gives spans that are in order, apart and inside the text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pratique/verify/text_identifiers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool surrogates : {false, true}) {
    std::size_t reached = 0;
    for (const auto& found : pratique::verify::identifiers_in_note(text, surrogates)) {
      if (found.start < reached || found.start >= found.end || found.end > size) std::abort();
      reached = found.end;
    }
  }
  return 0;
}
