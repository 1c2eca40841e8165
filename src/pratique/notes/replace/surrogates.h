// Plausible values in the place of real ones; see replacer.h.
#pragma once

#include <string>
#include <string_view>

#include "pratique/notes/replace/note_key.h"

namespace pratique::notes {

class Surrogates {
 public:
  // `scope`: whose note it is, so that the same word is another one for another patient.
  Surrogates(const NoteKey& key, std::string_view scope) : key_(key), scope_(scope) {}

  // Word by word: "Mary J. Smith", "SMITH, MARY".
  [[nodiscard]] std::string name(std::string_view text) const;
  [[nodiscard]] std::string place(std::string_view text) const;
  [[nodiscard]] std::string hospital(std::string_view text) const;
  [[nodiscard]] std::string organisation(std::string_view text) const;
  [[nodiscard]] std::string phone(std::string_view text) const;
  [[nodiscard]] std::string email(std::string_view text) const;
  // Letters and digits in the same places; the digits begin with 000.
  [[nodiscard]] std::string number(std::string_view text) const;
  [[nodiscard]] std::string ip(std::string_view text) const;
  // By how much dates move.
  [[nodiscard]] std::int32_t days() const;

 private:
  [[nodiscard]] std::uint64_t draw(std::string_view use, std::string_view value) const;
  const NoteKey& key_;
  std::string_view scope_;
};

}  // namespace pratique::notes
