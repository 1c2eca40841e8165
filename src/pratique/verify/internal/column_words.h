// What a column is called, by its words.
#pragma once

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace pratique::verify {

// The words of a column's name in small letters and without accents: DateOfBirth, date_of_birth.
[[nodiscard]] std::set<std::string> words_of(std::string_view as_written);

[[nodiscard]] bool any_among(const std::set<std::string>& words,
                             std::initializer_list<const char*> wanted);

// What a column must not be called, unless its cells say yes and no.
[[nodiscard]] std::optional<std::string> forbidden_name(const std::set<std::string>& words);

// Whether it is called by what has a number for each person, account, plan or device, so that its
// numbers must not leave: Konto, SVNR, dossier_no.
[[nodiscard]] bool is_called_by_a_number(std::set<std::string> words);

}  // namespace pratique::verify
