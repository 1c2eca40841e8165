// Identifiers that their shape gives away: e-mail and web addresses, numbers of telephones, people,
// accounts and records, dates and ages in the forms of several countries, streets and postcodes.
// Checksums (Luhn, ISO 7064 of IBAN) and the word before a number raise a certainty.
#pragma once

#include <string_view>
#include <vector>

#include "pratique/notes/note.h"

namespace pratique::notes {

void add_pattern_candidates(std::string_view text, std::vector<Span>& candidates);
[[nodiscard]] bool passes_luhn(std::string_view digits);
[[nodiscard]] bool passes_iban(std::string_view iban);

}  // namespace pratique::notes
