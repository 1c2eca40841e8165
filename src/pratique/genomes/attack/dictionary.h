// The dictionary attack on pseudonyms (Malin 2006, B.2.4): whoever has a list of people who may be
// behind the pseudonyms computes the pseudonym of each, as it was said or guessed to be made, and
// looks it up. A hash hides nothing that can be listed; a salt that is known, or travels with the
// data, slows nothing; cutting the digest short makes collisions, not secrets. What resists is a
// key that the adversary does not have.
//
// How the fields of a person were joined and spelt before hashing is tried out: every order of up
// to three fields, each alone, several separators; as written, in capitals or small letters, and
// without blanks and punctuation; a salt before and behind. All pseudonyms of a column are made
// the same way, so the spelling that breaks most of them is the finding, and the others count as
// tries only. Pseudonyms are hexadecimal or base64, perhaps behind a prefix, of the whole digest or
// of its beginning; of CRC-32 also decimal.
//
// What is expected by chance alone, when a digest is short, is people x pseudonyms / 2^bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/data/table.h"

namespace pratique::genomes {

enum class DigestKind { sha256, sha1, md5, crc32, hmac };

// sha256, sha256:SALT, md5[:SALT], sha1[:SALT], crc32[:SALT], hmac:FILE
struct PseudonymScheme {
  DigestKind digest = DigestKind::sha256;
  std::string salt = {};
  std::string key_file = {};  // of hmac
};
// Throws Error::input, with the schemes there are.
[[nodiscard]] PseudonymScheme parse_scheme(const std::string& text);
[[nodiscard]] std::string_view name_of(DigestKind digest);

struct DictionaryMatch {
  std::uint32_t pseudonym = 0;  // by its code
  std::uint32_t person = 0;     // the row of the register
};

struct DictionaryFinding {
  std::uint64_t broken = 0;      // pseudonyms that somebody of the register has
  std::uint64_t ambiguous = 0;   // of these, that several have
  std::uint64_t of = 0;          // different pseudonyms
  std::uint64_t unreadable = 0;  // of these, that are no digest in any spelling
  std::uint64_t tries = 0;
  bool all_tried = true;  // every spelling
  double by_chance = 0;   // broken if the pseudonyms were random
  double seconds = 0;
  std::string made_as = {};  // the spelling that broke most, in words
  std::vector<DictionaryMatch> matches = {};
};

// `people` has the fields of the register, one row per person.
[[nodiscard]] DictionaryFinding attack_dictionary(const Column& pseudonyms, const Table& people,
                                                  const PseudonymScheme& scheme,
                                                  Progress& progress);

}  // namespace pratique::genomes
