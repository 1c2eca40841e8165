// Any strings are the sensitive cells of two releases: every cell covers a value, equal cells cover
// the same, and '*' covers all. Lines are cells; an empty line parts the releases.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pratique/fusion/composed_values.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pratique;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  Column columns[2];
  std::size_t release = 0;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end == 0) release = 1;
    (void)columns[release].dictionary.intern(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const Column* const releases[] = {&columns[0], &columns[1]};
  const auto values = fusion::compose_values(releases, &columns[0], nullptr);
  for (std::size_t r = 0; r < 2; ++r) {
    for (Code code = 0; code < columns[r].dictionary.size(); ++code) {
      const auto& covered = values.covered[r][code];
      if (covered.empty() || !std::is_sorted(covered.begin(), covered.end())) std::abort();
      if (covered.back() >= values.count) std::abort();
      const auto text = columns[r].dictionary.value(code);
      if (text == "*" && covered.size() != values.count) std::abort();
      const auto other = columns[1 - r].dictionary.find(text);
      if (other && values.covered[1 - r][*other] != covered) std::abort();
    }
  }
  return 0;
}
