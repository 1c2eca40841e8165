// consortium.yaml from any bytes: settings or an Error; settings are written and read to the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pratique/consortium/configuration.h"
#include "pratique/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using pratique::consortium::Configuration;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto read = Configuration::parse(text, "consortium.yaml");
    const auto written = read.to_yaml();
    if (Configuration::parse(written, "again").to_yaml() != written) std::abort();
  } catch (const pratique::Error&) {
    return 0;
  }
  return 0;
}
