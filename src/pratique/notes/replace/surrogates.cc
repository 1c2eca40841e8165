#include "pratique/notes/replace/surrogates.h"

#include <fmt/format.h>

#include "pratique/core/ascii.h"
#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

bool is_surrogate_letter(char c) {
  const auto u = static_cast<unsigned char>(c);
  return u >= 0x80 || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z');
}

bool has_small_letter(std::string_view word) {
  for (const char c : word) {
    if (c >= 'a' && c <= 'z') return true;
  }
  return false;
}

// In the case of `like`: SMITH, Smith, smith.
std::string in_case_of(std::string_view like, std::string_view word) {
  std::string result(word);
  const bool capitals = like.size() > 1 && !has_small_letter(like);
  const bool small = !like.empty() && like[0] >= 'a' && like[0] <= 'z';
  for (char& c : result) {
    if (capitals && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (small && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

bool is_particle(const std::string& small) {
  for (const char* word : {"van", "von", "de", "der", "den", "la", "del", "da", "di", "of",
                           "and", "dr",  "mr", "mrs", "ms",  "jr", "sr",  "md", "rn", "phd"}) {
    if (small == word) return true;
  }
  return false;
}

}  // namespace

std::uint64_t Surrogates::draw(std::string_view use, std::string_view value) const {
  return key_.number(use, scope_, value);
}

std::string Surrogates::name(std::string_view text) const {
  std::string result;
  std::size_t words_seen = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_surrogate_letter(text[at])) {
      result += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_surrogate_letter(text[end])) ++end;
    const auto word = text.substr(at, end - at);
    at = end;
    const std::string small = words::folded(word);
    ++words_seen;
    if (is_particle(small)) {
      result += word;
      continue;
    }
    const std::uint64_t drawn = draw("surrogate name", small);
    if (word.size() == 1) {
      result += static_cast<char>((word[0] >= 'a' ? 'a' : 'A') + static_cast<char>(drawn % 26));
      continue;
    }
    const auto kinds = words::kinds_of(small);
    const bool given = (kinds & words::kGiven) != 0;
    const bool family = (kinds & words::kFamily) != 0;
    // Of what may be both, the first of several words is the given name.
    const bool as_given =
        given && (!family || (words_seen == 1 && end < text.size() && text.substr(end, 1) != ","));
    using words::List;
    const auto& list = words::list(!as_given                                 ? List::family
                                   : (kinds & words::kGiven) == words::kMale ? List::male
                                                                             : List::female);
    std::string_view other = list[drawn % list.size()];
    // Nobody is replaced by themselves.
    if (words::folded(other) == small) other = list[(drawn + 1) % list.size()];
    result += in_case_of(word, other);
  }
  return result;
}

std::string Surrogates::place(std::string_view text) const {
  const auto& towns = words::list(words::List::towns);
  const auto& names = words::list(words::List::family);
  const std::string small = words::folded(text);
  std::string postcode;
  std::size_t digits = 0;
  for (const char c : text) digits += is_digit(c) ? 1 : 0;
  const bool only_digits =
      text.find_first_not_of("0123456789- ") == std::string_view::npos && digits > 0;
  const std::uint64_t drawn = draw("surrogate place", small);
  if (only_digits) return fmt::format("000{:02}", drawn % 100);
  std::string result;
  if (digits > 0 && (is_digit(text[0]) || text.find('#') != std::string_view::npos)) {
    result = fmt::format("{} {} Street", drawn % 900 + 1, names[(drawn >> 20U) % names.size()]);
  } else {
    result = towns[drawn % towns.size()];
  }
  // A state's letters stay: Boston, MA 02139.
  if (digits >= 5 && text.size() > 8) {
    for (std::size_t i = 0; i + 8 <= text.size(); ++i) {
      const auto capital = [&](std::size_t j) { return text[j] >= 'A' && text[j] <= 'Z'; };
      if (capital(i) && capital(i + 1) && text[i + 2] == ' ' && is_digit(text[i + 3]) &&
          (i == 0 || text[i - 1] == ' '))
        return fmt::format("{}, {} 000{:02}", result, text.substr(i, 2), (drawn >> 10U) % 100);
    }
  }
  return in_case_of(text, result);
}

std::string Surrogates::hospital(std::string_view text) const {
  const auto& towns = words::list(words::List::towns);
  return std::string(towns[draw("surrogate hospital", words::folded(text)) % towns.size()]) +
         " General Hospital";
}

std::string Surrogates::organisation(std::string_view text) const {
  const auto& names = words::list(words::List::family);
  return std::string(names[draw("surrogate organisation", words::folded(text)) % names.size()]) +
         " Group";
}

std::string Surrogates::phone(std::string_view text) const {
  std::string digits;
  for (const char c : text) {
    if (is_digit(c)) digits += c;
  }
  const std::uint64_t drawn = draw("surrogate phone", digits);
  return fmt::format("({}) 555-01{:02}", 201 + drawn % 700, (drawn >> 16U) % 100);
}

std::string Surrogates::email(std::string_view text) const {
  const auto& names = words::list(words::List::family);
  const std::uint64_t drawn = draw("surrogate email", words::folded(text));
  std::string user;
  for (const char c : names[drawn % names.size()]) {
    if (is_surrogate_letter(c) && static_cast<unsigned char>(c) < 0x80) user += c;
  }
  return fmt::format("{}{}@example.org", lower(user), drawn % 90 + 10);
}

std::string Surrogates::number(std::string_view text) const {
  std::string plain;
  for (const char c : text) {
    if (is_digit(c) || is_surrogate_letter(c)) plain += c;
  }
  std::uint64_t drawn = draw("surrogate number", plain);
  std::string result;
  std::size_t digits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_digit(c)) {
      result += digits < 3 ? '0' : static_cast<char>('0' + drawn % 10);
      ++digits;
      drawn = drawn / 10 + (drawn % 10) * 1'000'000'007;
    } else if (is_surrogate_letter(c) && static_cast<unsigned char>(c) < 0x80) {
      result += static_cast<char>((c >= 'a' ? 'a' : 'A') + static_cast<char>(drawn % 26));
      drawn = drawn / 26 + (drawn % 26) * 1'000'000'007;
    } else if (static_cast<unsigned char>(c) < 0x80) {
      result += c;
    }
  }
  return digits >= 3 ? result : "000" + result;
}

std::string Surrogates::ip(std::string_view text) const {
  return fmt::format("192.0.2.{}", draw("surrogate ip", text) % 254 + 1);
}

std::int32_t Surrogates::days() const {
  const auto drawn = static_cast<std::int32_t>(draw("date shift", "") % 730);
  return drawn < 365 ? drawn - 365 : drawn - 364;
}

}  // namespace pratique::notes
