// Proofs that a ledger's reader can check without the ledger (merkle_tree.h).
//
//   {"type": "inclusion", "entry": {...}, "index": 3, "path": [hex...], "head": {...}}
//   {"type": "consistency", "from": {...}, "path": [hex...], "head": {...}}
// Heads are as ledger.h writes them; the entry in canonical form is the leaf.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pratique/core/json.h"
#include "pratique/ledger/ledger.h"

namespace pratique::ledger {

// Throws Error::input when there is no such entry.
[[nodiscard]] Json prove_entry(const Ledger& ledger, std::uint64_t index);
// Throws Error::check when the ledger has not grown from that head.
[[nodiscard]] Json prove_growth(const Ledger& ledger, const Head& from);

struct ProofFound {
  bool holds = false;
  std::string what;  // in plain words
};
// With a saved head, the proof must be about it: an inclusion in that very head, or growth from it.
// Without one, all rests on the signature of the head in the proof. `text` is from anybody; throws
// when it is no proof.
[[nodiscard]] ProofFound check_proof(const std::string& text, const std::string& place,
                                     const std::optional<Head>& saved);

}  // namespace pratique::ledger
