// A file of settings is either read, with nothing but the names asked for, or is an Error with a
// place.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/data/settings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    std::set<std::string> seen;
    for (const auto& setting :
         pratique::parse_settings(input, "run.yaml", {"k", "method", "levels"}, {"models"})) {
      const bool known = setting.key == "k" || setting.key == "method" || setting.key == "levels";
      if (!known || !seen.insert(setting.key).second || setting.place.empty()) std::abort();
    }
  } catch (const pratique::Error& error) {
    if (error.place().empty()) std::abort();
  }
  return 0;
}
