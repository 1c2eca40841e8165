// Ledger::parse on any bytes gives a fault or a sound beginning, and never throws. A sound ledger
// is its own beginning: what was verified parses again to the same head, and a head with it agrees.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pratique/ledger/ledger.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto ledger = pratique::ledger::Ledger::parse(text);
  if (ledger.fault() && ledger.fault()->what.empty()) std::abort();
  if (!ledger.fault() && ledger.entries().empty()) std::abort();
  if (ledger.sound_bytes() > text.size()) std::abort();
  if (ledger.entries().empty()) return 0;
  const auto again = pratique::ledger::Ledger::parse(text.substr(0, ledger.sound_bytes()));
  if (again.fault() || again.head().root != ledger.head().root) std::abort();
  if (ledger.check_against(again.head())) std::abort();
  return 0;
}
