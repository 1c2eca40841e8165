#include "pratique/genomes/attack/internal/field_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>

#include "pratique/data/date_form.h"
#include "pratique/genomes/attack/internal/value_spellings.h"

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
  add("", [](std::string_view text) { return std::string(text); });
  add("without blanks and punctuation",
      [](std::string_view text) { return without_punctuation(text, true); });
  add("without punctuation",
      [](std::string_view text) { return without_punctuation(text, false); });
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
