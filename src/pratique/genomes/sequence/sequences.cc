#include "pratique/genomes/sequence/sequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "pratique/core/error.h"
#include "pratique/data/person_spelling.h"

namespace pratique::genomes {

bool SequenceSet::aligned() const {
  return std::all_of(sequences.begin(), sequences.end(), [&](const Sequence& sequence) {
    return sequence.size() == sequences.front().size();
  });
}

void SequenceSet::refuse_repeated_names(const std::string& file) const {
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    const std::string person = person_as_read(names[i]);
    const auto [first, is_new] = seen.emplace(person.empty() ? names[i] : person, lines[i]);
    if (is_new) continue;
    throw Error::input(
        fmt::format("the name of this sequence stands in line {}, too: two sequences of one person "
                    "would be counted as two people",
                    first->second))
        .at(fmt::format("{}:{}", file, lines[i]))
        .hint(
            "Leave one sequence for each person. Where the first words are not the names of "
            "people, --names-repeat takes every sequence for another person's.");
  }
}

void SequenceSet::sort_by_content() {
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sequences[a] < sequences[b]; });
  SequenceSet sorted;
  for (const std::size_t i : order) {
    sorted.names.push_back(std::move(names[i]));
    sorted.sequences.push_back(std::move(sequences[i]));
    sorted.lines.push_back(lines[i]);
  }
  *this = std::move(sorted);
}

std::vector<std::uint32_t> variable_regions(const std::vector<Sequence>& aligned) {
  std::vector<std::uint32_t> columns;
  if (aligned.empty()) return columns;
  const Sequence& first = aligned.front();
  std::vector<std::uint8_t> differs(first.size(), 0);
  for (const auto& sequence : aligned) {
    for (std::size_t c = 0; c < first.size(); ++c)
      differs[c] = static_cast<std::uint8_t>(differs[c] | (sequence[c] ^ first[c]));
  }
  for (std::size_t c = 0; c < differs.size(); ++c) {
    if (differs[c] != 0) columns.push_back(static_cast<std::uint32_t>(c));
  }
  return columns;
}

Sequence without_gaps(const Sequence& sequence) {
  Sequence bases;
  bases.reserve(sequence.size());
  std::copy_if(sequence.begin(), sequence.end(), std::back_inserter(bases),
               [](Letter letter) { return letter != kGap; });
  return bases;
}

std::string to_text(const Sequence& sequence) {
  std::string text(sequence.size(), ' ');
  std::transform(sequence.begin(), sequence.end(), text.begin(), to_character);
  return text;
}

}  // namespace pratique::genomes
