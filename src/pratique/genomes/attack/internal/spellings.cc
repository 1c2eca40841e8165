#include "pratique/genomes/attack/internal/spellings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

#include "pratique/genomes/attack/internal/letter_case.h"

namespace pratique::genomes {
namespace {

constexpr std::array<std::string_view, 11> kSeparators = {"",  "|", ",", " ", ";", ":",
                                                          "-", "_", "/", "#", "\t"};

void append_respelt(std::string& text, std::string_view value, Spelling spelling) {
  if (spelling == Spelling::as_written) {
    text += value;
    return;
  }
  const std::string respelt =
      spelling == Spelling::capitals ? capitals_of(value) : small_letters_of(value);
  if (spelling != Spelling::bare) {
    text += respelt;
    return;
  }
  for (const char c : respelt) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 127 || std::isalnum(byte) != 0) text += c;
  }
}

// All orders of up to three fields, or as given and turned round; then each field alone.
std::vector<std::vector<std::size_t>> orders_of(std::size_t fields) {
  constexpr std::size_t kMostToPermute = 3;
  std::vector<std::size_t> order(fields);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::vector<std::size_t>> orders = {order};
  if (fields <= kMostToPermute) {
    while (std::next_permutation(order.begin(), order.end())) orders.push_back(order);
  } else {
    std::reverse(order.begin(), order.end());
    orders.push_back(order);
  }
  for (std::size_t f = 0; fields > 1 && f < fields; ++f) orders.push_back({f});
  return orders;
}

}  // namespace

std::string Composition::of(const std::vector<std::string_view>& values) const {
  std::string text = before;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) text += between;
    append_respelt(text, values[fields[i]], spelling);
  }
  text += behind;
  return text;
}

std::string Composition::in_words(const std::vector<std::string>& names,
                                  const std::vector<std::vector<std::string>>& form_words) const {
  std::string words;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) words += between == "\t" ? "(tab)" : between.empty() ? "+" : between;
    words += names[fields[i]];
    if (!forms.empty() && forms[i] > 0) words += " (" + form_words[fields[i]][forms[i]] + ")";
  }
  if (spelling == Spelling::small) words += ", in small letters";
  if (spelling == Spelling::capitals) words += ", in capitals";
  if (spelling == Spelling::bare) words += ", in small letters without punctuation";
  if (!before.empty()) words += ", behind the salt";
  if (!behind.empty()) words += ", before the salt";
  return words;
}

std::vector<Composition> compositions(std::size_t fields, const std::string& salt,
                                      const std::vector<std::string>& keys) {
  std::vector<std::pair<std::string, std::string>> around = {{"", ""}};
  if (!salt.empty()) {
    around = {{salt, ""}, {"", salt}};
    for (const char* separator : {"|", ":", "-", "_", " ", ",", "$"}) {
      around.emplace_back(salt + separator, "");
      around.emplace_back("", separator + salt);
    }
  }
  std::vector<Composition> all;
  for (const auto& key : keys.empty() ? std::vector<std::string>{""} : keys) {
    for (const auto& [before, behind] : around) {
      for (const Spelling spelling :
           {Spelling::as_written, Spelling::small, Spelling::capitals, Spelling::bare}) {
        for (const auto& order : orders_of(fields)) {
          for (const auto separator : kSeparators) {
            all.push_back({order, spelling, std::string(separator), before, behind, key});
            if (order.size() == 1) break;
          }
        }
      }
    }
  }
  return all;
}

std::vector<Composition> compositions_of_forms(const std::vector<std::size_t>& forms,
                                               const std::string& salt,
                                               const std::vector<std::string>& keys) {
  // Of the places around a salt, the likeliest.
  constexpr std::size_t kPlacesOfSalt = 4;
  std::vector<std::pair<std::string, std::string>> around;
  std::vector<Composition> all;
  for (auto& plain : compositions(forms.size(), salt, keys)) {
    if (plain.spelling == Spelling::bare) continue;
    const std::pair place(plain.before, plain.behind);
    if (std::find(around.begin(), around.end(), place) == around.end()) around.push_back(place);
    if (std::find(around.begin(), around.end(), place) - around.begin() >=
        static_cast<std::ptrdiff_t>(kPlacesOfSalt))
      continue;
    // Counts through the forms of its fields, the last the fastest.
    plain.forms.assign(plain.fields.size(), 0);
    while (true) {
      std::size_t at = plain.fields.size();
      while (at > 0 && ++plain.forms[at - 1] == forms[plain.fields[at - 1]]) plain.forms[--at] = 0;
      if (at == 0) break;
      all.push_back(plain);
    }
  }
  return all;
}

}  // namespace pratique::genomes
