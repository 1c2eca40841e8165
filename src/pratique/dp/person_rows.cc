#include "pratique/dp/person_rows.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <string>
#include <unordered_map>

namespace pratique::dp {

std::string spelt_as_one(std::string_view person) {
  std::string text;
  for (const char c : person) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0)
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  // Zeros alone are the number 0.
  if (!text.empty()) text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
  return text;
}

std::vector<Code> people_of(const Column& person) {
  const Dictionary& people = person.dictionary;
  std::unordered_map<std::string, Code> known;
  std::vector<Code> alike(people.size());
  for (Code code = 0; code < people.size(); ++code) {
    std::string text = spelt_as_one(people.value(code));
    alike[code] = text.empty() ? kNobody : known.emplace(std::move(text), code).first->second;
  }
  std::vector<Code> whose(person.codes.size());
  std::transform(person.codes.begin(), person.codes.end(), whose.begin(),
                 [&](Code code) { return alike[code]; });
  return whose;
}

std::vector<std::uint64_t> rows_within(const std::vector<std::uint64_t>& counts,
                                       const Column& person, std::uint64_t max_rows,
                                       RandomBits& random) {
  const auto whose = people_of(person);
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return whose[a] < whose[b]; });
  std::vector<std::uint64_t> kept(counts.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    std::uint64_t rows = 0;
    for (; end < order.size() && whose[order[end]] == whose[order[begin]]; ++end) {
      rows += counts[order[end]];
    }
    std::uint64_t wanted = whose[order[begin]] == kNobody ? 0 : std::min(rows, max_rows);
    for (; begin < end; ++begin) {
      for (std::uint64_t i = 0; i < counts[order[begin]]; ++i, --rows) {
        if (wanted < rows && random.below(rows) >= wanted) continue;
        ++kept[order[begin]];
        --wanted;
      }
    }
  }
  return kept;
}

}  // namespace pratique::dp
