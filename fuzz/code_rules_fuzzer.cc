// Any bytes are rules or are refused with an Error that says where; a rule has codes on both sides.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/data/code_rules.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pratique;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto rules = parse_code_rules(text, "input");
    require(!rules.empty());
    for (const auto& rule : rules) {
      require(!rule.known.empty() && !rule.inferred.empty());
      for (const auto& code : rule.known) {
        require(code != "->" &&
                std::find(rule.inferred.begin(), rule.inferred.end(), code) == rule.inferred.end());
      }
    }
  } catch (const Error& error) {
    require(error.code() == ErrorCode::bad_input && !error.place().empty());
  }
  return 0;
}
