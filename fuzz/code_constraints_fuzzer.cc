// Any bytes are constraints or are refused with an Error that says where; what was read has codes
// in every constraint, each once, that a released set can hold.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/data/code_constraints.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pratique;
  try {
    const auto constraints =
        parse_code_constraints({reinterpret_cast<const char*>(data), size}, "input");
    require(!constraints.empty());
    for (const auto& constraint : constraints) {
      require(!constraint.codes.empty());
      std::set<std::string> codes;
      for (const auto& [code, place] : constraint.codes) {
        require(fits_in_a_set(code) && place.starts_with("input") && codes.insert(code).second);
      }
    }
  } catch (const Error& error) {
    require(error.code() == ErrorCode::bad_input && !error.place().empty());
  }
  return 0;
}
