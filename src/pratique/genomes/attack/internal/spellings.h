// The ways in which fields of a person are put together before they are hashed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pratique::genomes {

enum class Spelling { as_written, small, capitals, bare };

// One way: which fields in which order, how spelt, what stands between them and around them.
struct Composition {
  std::vector<std::size_t> fields;
  Spelling spelling = Spelling::as_written;
  std::string between = {};
  std::string before = {};
  std::string behind = {};
  std::string key = {};  // of hmac, one reading of the key's file

  [[nodiscard]] std::string of(const std::vector<std::string_view>& values) const;
  // "name|ssn, in small letters, behind the salt"; the salt itself is not told.
  [[nodiscard]] std::string in_words(const std::vector<std::string>& names) const;
};

// The likeliest first.
[[nodiscard]] std::vector<Composition> compositions(std::size_t fields, const std::string& salt,
                                                    const std::vector<std::string>& keys);

}  // namespace pratique::genomes
