// Plausible values in the place of real ones; see replacer.h.
#pragma once

#include <string>
#include <string_view>

#include "pratique/notes/replace/note_key.h"

namespace pratique::notes {

class Surrogates {
 public:
  // `scope`: whose note it is, so that the same word is another one for another patient.
  // `origin`: names of a language stay names of that language.
  Surrogates(const NoteKey& key, std::string_view scope, bool origin = false)
      : key_(key), scope_(scope), origin_(origin) {}

  // Word by word: "Mary J. Smith", "SMITH, MARY". Another name of the same sex, and of the same
  // first letter for all words that begin alike, so that J. Smith and John Smith stay one.
  [[nodiscard]] std::string name(std::string_view text) const;
  [[nodiscard]] std::string place(std::string_view text) const;
  [[nodiscard]] std::string hospital(std::string_view text) const;
  [[nodiscard]] std::string organisation(std::string_view text) const;
  [[nodiscard]] std::string phone(std::string_view text) const;
  [[nodiscard]] std::string email(std::string_view text) const;
  // Letters and digits in the same places; the digits begin with 000.
  [[nodiscard]] std::string number(std::string_view text) const;
  [[nodiscard]] std::string ip(std::string_view text) const;
  // By letters of a tag, which tell neither sex nor place in the name; a house in a street; a town;
  // a number of this form. What they are drawn by is no identifier.
  [[nodiscard]] std::string name_of_letters(std::string_view letters) const;
  [[nodiscard]] std::string street(std::string_view drawn_by) const;
  [[nodiscard]] std::string town(std::string_view drawn_by) const;
  [[nodiscard]] std::string number_like(std::string_view form, std::string_view drawn_by) const;
  // By how much dates move.
  [[nodiscard]] std::int32_t days() const;

 private:
  [[nodiscard]] std::uint64_t draw(std::string_view use, std::string_view value) const;
  [[nodiscard]] std::size_t initial_of(std::string_view small) const;
  [[nodiscard]] std::string_view name_for(const std::string& small) const;
  const NoteKey& key_;
  std::string_view scope_;
  bool origin_;
};

}  // namespace pratique::notes
