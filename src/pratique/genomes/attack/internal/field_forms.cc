#include "pratique/genomes/attack/internal/field_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <functional>
#include <optional>
#include <utility>

#include "pratique/data/date_form.h"
#include "pratique/genomes/attack/internal/letter_case.h"
#include "pratique/genomes/attack/internal/value_spellings.h"
#include "pratique/words/words.h"

namespace pratique::genomes {
namespace {

// Letters beyond ASCII stay.
std::string without_punctuation(std::string_view text, bool blanks_too) {
  std::string bare;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 127 || std::isalnum(byte) != 0 || (c == ' ' && !blanks_too)) bare += c;
  }
  return bare;
}

bool has_digits(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

// "Anna Maria Berg" and "Berg, Anna Maria" are one.
struct NameParts {
  std::string given;
  std::string family;
};
std::optional<NameParts> name_parts(std::string_view text) {
  if (has_digits(text)) return std::nullopt;
  if (const auto comma = text.find(','); comma != std::string_view::npos) {
    std::string_view given = text.substr(comma + 1);
    while (given.starts_with(' ')) given.remove_prefix(1);
    return NameParts{std::string(given), std::string(text.substr(0, comma))};
  }
  const auto blank = text.rfind(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  return NameParts{std::string(text.substr(0, blank)), std::string(text.substr(blank + 1))};
}

// How names are written elsewhere: which name is first, and what is between both.
struct NameOrder {
  const char* words;
  const char* between;
  bool family_first;
};
constexpr std::array<NameOrder, 4> kNameOrders = {{{"", "", false},
                                                   {"given name first", " ", false},
                                                   {"family name first", " ", true},
                                                   {"as Family, Given", ", ", true}}};

std::string reordered(std::string_view text, const NameOrder& order) {
  const auto parts = name_parts(text);
  if (!parts || std::string_view(order.words).empty()) return std::string(text);
  return order.family_first ? parts->family + order.between + parts->given
                            : parts->given + order.between + parts->family;
}

enum class Accents { as_written, none, two_letters };

// Of letters with accents: without them, or as two letters where that is usual.
std::string with_accents(std::string_view text, Accents how) {
  if (how == Accents::as_written) return std::string(text);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kTwoLetters = {
      {{"\xC3\xA4", "ae"},
       {"\xC3\xB6", "oe"},
       {"\xC3\xBC", "ue"},
       {"\xC3\x9F", "ss"},
       {"\xC3\xA5", "aa"},
       {"\xC3\xB8", "oe"},
       {"\xC3\xA6", "ae"},
       {"\xC5\x93", "oe"}}};
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    const std::string letter(text.substr(at, length));
    at += length;
    // Of other alphabets marks belong to the letter.
    constexpr unsigned char kBehindLatin = 0xC9;
    if (length != 2 || byte > kBehindLatin) {
      plain += letter;
      continue;
    }
    const std::string small = small_letters_of(letter);
    std::string without = words::folded(small);
    for (const auto& [accented, two] : kTwoLetters) {
      if (small == accented && (how == Accents::two_letters || two == "ss")) without = two;
    }
    // The first of two letters alone is a capital: Aenne.
    if (letter != small && !without.empty())
      without = capitals_of(without.substr(0, 1)) + without.substr(1);
    plain += without == small ? letter : without;
  }
  return plain;
}

std::string dashed(std::string_view text) {
  constexpr std::size_t kDigits = 9;
  const std::string digits = without_punctuation(text, true);
  if (digits.size() != kDigits || !std::all_of(digits.begin(), digits.end(), [](unsigned char c) {
        return std::isdigit(c) != 0;
      }))
    return std::string(text);
  return digits.substr(0, 3) + "-" + digits.substr(3, 2) + "-" + digits.substr(5);
}

// An iso day in a spelling; the text itself where it is none.
std::string day_spelt(std::string_view text, DateForm form, std::size_t spelling) {
  const auto day = iso_day(text, form);
  constexpr std::size_t kIso = 10;
  if (!day || day->size() != kIso) return std::string(text);
  const auto number = [&](std::size_t begin, std::size_t length) {
    unsigned value = 0;
    std::from_chars(day->data() + begin, day->data() + begin + length, value);
    return value;
  };
  return date_spelt(static_cast<int>(number(0, 4)), number(5, 2), number(8, 2), spelling);
}

}  // namespace

std::vector<FieldForm> forms_of(const Column& column) {
  std::vector<FieldForm> forms;
  const auto add = [&](const std::string& words,
                       const std::function<std::string(std::string_view)>& write) {
    FieldForm form{.words = words};
    for (const auto value : column.dictionary.values()) form.values.push_back(write(value));
    const bool known = std::any_of(forms.begin(), forms.end(), [&](const FieldForm& other) {
      return other.values == form.values;
    });
    if (!known) forms.push_back(std::move(form));
  };
  // As written first, then what changes most columns least.
  const auto add_names = [&](Accents accents, const char* of_accents) {
    for (const NameOrder& order : kNameOrders) {
      const auto named = [&](std::string_view text) {
        return reordered(with_accents(text, accents), order);
      };
      const auto said = [&](std::string_view punctuation) {
        std::string words;
        for (const std::string_view part :
             {std::string_view(of_accents), std::string_view(order.words), punctuation}) {
          if (!part.empty()) words += (words.empty() ? "" : ", ") + std::string(part);
        }
        return words;
      };
      add(said(""), named);
      add(said("without blanks and punctuation"),
          [&](std::string_view text) { return without_punctuation(named(text), true); });
      add(said("without punctuation"),
          [&](std::string_view text) { return without_punctuation(named(text), false); });
    }
  };
  add_names(Accents::as_written, "");
  add_names(Accents::none, "without accents");
  add_names(Accents::two_letters, "with ae for \xC3\xA4");
  add("as 123-45-6789", dashed);
  for (const DateForm form : date_forms(column.dictionary)) {
    for (std::size_t spelling = 0; spelling < date_spellings(); ++spelling) {
      add(fmt::format("as {}", date_words(spelling)),
          [&](std::string_view text) { return day_spelt(text, form, spelling); });
    }
  }
  return forms;
}

}  // namespace pratique::genomes
