// A proof, and the head of a tree, from any bytes: an answer in words or an Error, and a head that
// is read is written and read again to the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "pratique/core/error.h"
#include "pratique/core/json.h"
#include "pratique/ledger/ledger.h"
#include "pratique/ledger/proofs.h"

namespace {

void read_head(const std::string& text) {
  try {
    const auto head =
        pratique::ledger::head_from_json(pratique::parse_json(text, "head.json"), "head.json");
    const auto written = pratique::ledger::to_json(head);
    if (pratique::ledger::to_json(pratique::ledger::head_from_json(written, "again")) != written) {
      std::abort();
    }
  } catch (const pratique::Error&) {
    return;
  }
}

void check(const std::string& text) {
  try {
    (void)pratique::ledger::check_proof(text, "proof.json", std::nullopt);
  } catch (const pratique::Error&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read_head(text);
  check(text);
  return 0;
}
