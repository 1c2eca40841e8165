// Any bytes are sets of codes or are refused with an Error that says where; what was read has a set
// for every line, ascending and not empty, and its counts add up.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/data/code_sets.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pratique;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const CodeSets sets = parse_code_sets(text, "input");
    require(sets.patients() ==
            static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) +
                (text.ends_with('\n') ? 0 : 1));
    require(std::accumulate(sets.counts.begin(), sets.counts.end(), std::size_t{0}) ==
            sets.patients());
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const auto set = sets.set(s);
      require(!set.empty() &&
              std::adjacent_find(set.begin(), set.end(), std::greater_equal<>()) == set.end());
      for (const Code code : set)
        require(sets.codes.value(code).find(' ') == std::string_view::npos);
    }
  } catch (const Error& error) {
    require(error.code() == ErrorCode::bad_input && !error.place().empty());
  }
  return 0;
}
