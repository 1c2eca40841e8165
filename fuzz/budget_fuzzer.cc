// Entries of a budget's ledger, whatever stands in them, are read or refused; and what is read is
// never more spent than there was.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/dp/budget/budget.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> entries;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    entries.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  try {
    const auto state = pratique::dp::parse_budget(entries, "budget");
    if (!state.spent.within(state.terms.limit)) std::abort();
  } catch (const pratique::Error&) {
  }
  return 0;
}
