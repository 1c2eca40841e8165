#include "pratique/notes/replace/note_tag.h"

#include <algorithm>
#include <array>

namespace pratique::notes {
namespace {

constexpr std::array<std::string_view, 15> kTagWords = {
    "NAME",  "DATE", "AGE",   "ID-NUM", "DEVICE-ID",      "IP-ADDRESS", "WEB-LOC", "INSTITUTION",
    "PHONE", "FAX",  "EMAIL", "SSN",    "STREET-ADDRESS", "ZIP-CODE",   "PLACE"};

bool is_capital_letter(char c) { return c >= 'A' && c <= 'Z'; }

struct TagParts {
  std::string_view word, content;
};

TagParts parts_of(std::string_view tag) {
  tag.remove_prefix(2);
  const auto open = tag.find('[');
  if (open == std::string_view::npos) return {tag, {}};
  return {tag.substr(0, open), tag.substr(open + 1, tag.size() - open - 2)};
}

// Each word of letters becomes a name or an initial; what is between stays.
std::string names_of_letters(std::string_view content, const Surrogates& surrogates) {
  std::string result;
  for (std::size_t at = 0; at < content.size();) {
    std::size_t end = at;
    while (end < content.size() && is_capital_letter(content[end])) ++end;
    if (end == at) {
      result += content[at++];
      continue;
    }
    const auto letters = content.substr(at, end - at);
    result += letters.size() == 1 ? std::string(letters) : surrogates.name_of_letters(letters);
    at = end;
  }
  return result;
}

}  // namespace

std::vector<Span> tags_in(std::string_view text) {
  std::vector<Span> tags;
  for (auto at = text.find("**"); at != std::string_view::npos; at = text.find("**", at + 2)) {
    std::size_t end = at + 2;
    while (end < text.size() && (is_capital_letter(text[end]) || text[end] == '-')) ++end;
    const auto word = text.substr(at + 2, end - at - 2);
    if (std::find(kTagWords.begin(), kTagWords.end(), word) == kTagWords.end()) continue;
    if (end < text.size() && text[end] == '[') {
      constexpr std::size_t kLongest = 60;
      const auto close = text.substr(end, kLongest).find_first_of("]\n");
      if (close != std::string_view::npos && text[end + close] == ']') end += close + 1;
    }
    tags.push_back({at, end, std::string(kTagType)});
  }
  return tags;
}

std::string surrogate_of_tag(std::string_view tag, std::string_view where,
                             const Surrogates& surrogates) {
  const auto [word, content] = parts_of(tag);
  const std::string drawn(where);
  if (word == "NAME") {
    return content.empty() ? surrogates.name_of_letters(drawn)
                           : names_of_letters(content, surrogates);
  }
  if (word == "DATE" || word == "AGE") return std::string(content.empty() ? tag : content);
  if (word == "PHONE" || word == "FAX") return surrogates.phone(drawn);
  if (word == "EMAIL") return surrogates.email(drawn);
  if (word == "WEB-LOC") return "https://www.example.org/";
  if (word == "IP-ADDRESS") return surrogates.ip(drawn);
  if (word == "SSN") return surrogates.number_like("000-00-0000", drawn);
  if (word == "INSTITUTION") return surrogates.hospital(drawn);
  if (word == "STREET-ADDRESS") return surrogates.street(drawn);
  if (word == "ZIP-CODE") return surrogates.number_like("00000", drawn);
  if (word == "PLACE") return surrogates.town(drawn);
  return surrogates.number_like("00000000", drawn);
}

}  // namespace pratique::notes
