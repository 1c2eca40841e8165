// parse_json on any bytes gives a value or an Error of the input kind that names a place; a value,
// once written, reads back as itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/core/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  pratique::Json json;
  try {
    json = pratique::parse_json(text, "input");
  } catch (const pratique::Error& error) {
    if (error.place().empty()) std::abort();
    return 0;
  }
  if (pratique::to_text(pratique::parse_json(pratique::to_text(json), "output")) !=
      pratique::to_text(json)) {
    std::abort();
  }
  return 0;
}
