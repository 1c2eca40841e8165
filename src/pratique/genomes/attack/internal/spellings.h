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
  // Of each of these fields, in which form it is written (field_forms.h); empty: as it stands.
  std::vector<std::size_t> forms = {};

  [[nodiscard]] std::string of(const std::vector<std::string_view>& values) const;
  [[nodiscard]] bool differs_in_forms_from(const Composition& other) const {
    return fields == other.fields && spelling == other.spelling && between == other.between &&
           before == other.before && behind == other.behind && key == other.key;
  }
  // "name|ssn, in small letters, behind the salt"; the salt itself is not told.
  // `forms` by field, then by form.
  [[nodiscard]] std::string in_words(const std::vector<std::string>& names,
                                     const std::vector<std::vector<std::string>>& forms = {}) const;
};

// The likeliest first.
[[nodiscard]] std::vector<Composition> compositions(std::size_t fields, const std::string& salt,
                                                    const std::vector<std::string>& keys);

// The same with every field in any of its forms, so many of each; without those in which all stand
// as they are.
[[nodiscard]] std::vector<Composition> compositions_of_forms(const std::vector<std::size_t>& forms,
                                                             const std::string& salt,
                                                             const std::vector<std::string>& keys);

}  // namespace pratique::genomes
