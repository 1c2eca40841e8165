#include "pratique/notes/replace/surrogates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>
#include <vector>

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

// First letters that enough names of every kind begin with.
constexpr std::string_view kInitials = "ABCDEGHJKLMNRST";

using Names = std::vector<std::string_view>;

// Of these, those that are such names and nothing else: of one sex or of both, given names or
// family names or both. So a surrogate fits wherever the name stands, and a word needs no other
// word to be told what it is.
Names of_kind(const std::vector<const Names*>& lists, std::uint16_t kinds) {
  Names names;
  for (const Names* list : lists) {
    for (const auto name : *list) {
      const auto of_name = words::kinds_of(name);
      const bool plain = name.find_first_of(" -'.") == Names::value_type::npos;
      const bool other = (of_name & words::kEnglish) != 0 && (of_name & words::kGiven) != 0;
      if (plain && !other && (of_name & words::kName) == kinds) names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// All kinds of names, by the bits of words::kName; of one that has none, family names.
using NamesByKind = std::array<Names, words::kName + 1>;

NamesByKind by_kind(const std::vector<const Names*>& lists) {
  NamesByKind names;
  constexpr std::size_t kFew = 3;
  for (std::uint16_t kinds = 1; kinds <= words::kName; ++kinds)
    names[kinds] = of_kind(lists, kinds);
  for (std::uint16_t kinds = 0; kinds <= words::kName; ++kinds) {
    if (names[kinds].size() < kFew)
      names[kinds] = (kinds & words::kGiven) == words::kMale     ? *lists[0]
                     : (kinds & words::kGiven) == words::kFemale ? *lists[1]
                                                                 : *lists[2];
  }
  return names;
}

const Names& names_like(std::uint16_t kinds) {
  using words::List;
  static const NamesByKind names =
      by_kind({&words::list(List::male), &words::list(List::female), &words::list(List::family)});
  return names[kinds];
}

// Names of the first origin that has the word; of what English-speaking countries have, theirs.
const Names& names_like_origin(const std::string& small, std::uint16_t kinds) {
  using words::List;
  struct ByOrigin {
    std::unordered_map<std::string, std::size_t> origin_of;
    std::vector<NamesByKind> names;
  };
  static const ByOrigin all = [] {
    ByOrigin by_origin;
    constexpr std::array kLists = {List::male, List::female, List::family};
    for (std::size_t origin = 0; origin < words::origins(); ++origin) {
      std::vector<const Names*> lists;
      for (const List list : kLists) {
        lists.push_back(&words::names_of_origin(origin, list));
        for (const auto name : *lists.back())
          by_origin.origin_of.emplace(words::folded(name), origin);
      }
      by_origin.names.push_back(by_kind(lists));
    }
    for (const List list : kLists) {
      for (const auto name : words::list(list)) by_origin.origin_of.erase(words::folded(name));
    }
    return by_origin;
  }();
  const auto entry = all.origin_of.find(small);
  return entry == all.origin_of.end() ? names_like(kinds) : all.names[entry->second][kinds];
}

}  // namespace

std::uint64_t Surrogates::draw(std::string_view use, std::string_view value) const {
  return key_.number(use, scope_, value);
}

std::string Surrogates::name(std::string_view text) const {
  std::string result;
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
    if (is_particle(small) || small.empty()) {
      result += word;
    } else if (word.size() == 1) {
      result += in_case_of(word, std::string_view(&kInitials[initial_of(small)], 1));
    } else {
      result += in_case_of(word, name_for(small));
    }
  }
  return result;
}

// John and J. get the same first letter.
std::size_t Surrogates::initial_of(std::string_view small) const {
  return draw("surrogate initial", small.substr(0, 1)) % kInitials.size();
}

std::string_view Surrogates::name_for(const std::string& small) const {
  const auto kinds = words::kinds_of(small) & words::kName;
  const auto& pool = origin_ ? names_like_origin(small, kinds) : names_like(kinds);
  const char initial = kInitials[initial_of(small)];
  const auto first = std::lower_bound(pool.begin(), pool.end(), std::string_view(&initial, 1));
  auto last = first;
  while (last != pool.end() && (*last)[0] == initial) ++last;
  constexpr std::ptrdiff_t kEnough = 5;
  const std::span<const std::string_view> range =
      last - first < kEnough ? std::span(pool) : std::span(first, last);
  const std::uint64_t drawn = draw("surrogate name", small);
  // Nobody is replaced by themselves.
  const std::string_view other = range[drawn % range.size()];
  return words::folded(other) == small ? range[(drawn + 1) % range.size()] : other;
}

std::string Surrogates::name_of_letters(std::string_view letters) const {
  const auto& pool = names_like(words::kName);
  return std::string(pool[draw("surrogate of letters", letters) % pool.size()]);
}

std::string Surrogates::street(std::string_view drawn_by) const {
  const auto& names = words::list(words::List::family);
  const std::uint64_t drawn = draw("surrogate place", drawn_by);
  return fmt::format("{} {} Street", drawn % 900 + 1, names[(drawn >> 20U) % names.size()]);
}

std::string Surrogates::town(std::string_view drawn_by) const {
  const auto& towns = words::list(words::List::towns);
  return std::string(towns[draw("surrogate place", drawn_by) % towns.size()]);
}

std::string Surrogates::number_like(std::string_view form, std::string_view drawn_by) const {
  std::uint64_t drawn = draw("surrogate number", drawn_by);
  std::string result(form);
  std::size_t digits = 0;
  for (char& c : result) {
    if (!is_digit(c) || digits++ < 3) continue;
    c = static_cast<char>('0' + drawn % 10);
    drawn /= 10;
  }
  return result;
}

std::string Surrogates::place(std::string_view text) const {
  const auto& towns = words::list(words::List::towns);
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
    result = street(small);
  } else {
    result = towns[drawn % towns.size()];
    if (words::folded(result) == small) result = towns[(drawn + 1) % towns.size()];
  }
  // A state's letters stay: Boston, MA 02139.
  if (digits >= 5 && text.size() >= 8) {
    for (std::size_t i = 0; i + 8 <= text.size(); ++i) {
      const auto capital = [&](std::size_t j) { return text[j] >= 'A' && text[j] <= 'Z'; };
      if (capital(i) && capital(i + 1) && text[i + 2] == ' ' && is_digit(text[i + 3]) &&
          (i == 0 || text[i - 1] == ' '))
        return fmt::format("{}{} 000{:02}", i == 0 ? "" : result + ", ", text.substr(i, 2),
                           (drawn >> 10U) % 100);
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
