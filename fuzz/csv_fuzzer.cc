// Any bytes are sniffed or refused with an Error; what was accepted whole has no fault to explain.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/engine/csv_sniffer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pratique;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    (void)sniff_csv(text, false, {}, "input");
  } catch (const Error&) {
  }
  CsvDialect dialect;
  try {
    dialect = sniff_csv(text, true, {}, "input");
  } catch (const Error&) {
    return 0;
  }
  if (dialect.columns.empty()) std::abort();
  bool last_was_cr = false;
  const std::string normalised = normalise_csv(text, dialect, last_was_cr);
  if (normalised.find('\r') != std::string::npos) std::abort();
  if (dialect.encoding == CsvEncoding::utf8 && !dialect.mixed_line_ends) {
    explain_csv_fault(text, dialect, "input");
  }
  return 0;
}
