#include "pratique/data/code_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "pratique/core/error.h"
#include "pratique/data/disassociated.h"

namespace pratique {
namespace {

std::uint64_t hash_of(std::span<const Code> set) {
  std::uint64_t hash = set.size();
  for (const Code code : set) {
    hash = (hash ^ code) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

Error no_code(const std::string& place, std::size_t line) {
  return Error::input("a set of codes is empty")
      .at(fmt::format("{}:{}", place, line))
      .hint("Remove the line; a patient without codes has nothing to share.");
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

std::vector<std::uint64_t> CodeSets::supports() const {
  std::vector<std::uint64_t> supports(codes.size(), 0);
  for (std::size_t s = 0; s < size(); ++s) {
    for (const Code code : set(s)) supports[code] += counts[s];
  }
  return supports;
}

std::uint64_t CodeSets::occurrences() const {
  std::uint64_t total = 0;
  for (std::size_t s = 0; s < size(); ++s) total += set(s).size() * counts[s];
  return total;
}

void CodeSetsBuilder::grow() {
  slots_.assign(std::max<std::size_t>(1024, slots_.size() * 2), 0);
  for (std::uint32_t s = 0; s < hashes_.size(); ++s) {
    std::size_t slot = hashes_[s] & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = s + 1;
  }
}

void CodeSetsBuilder::add(std::vector<Code>& set) {
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  if (hashes_.size() * 2 >= slots_.size()) grow();
  const std::uint64_t hash = hash_of(set);
  std::size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot] != 0) {
    const std::uint32_t number = slots_[slot] - 1;
    if (hashes_[number] == hash && std::ranges::equal(sets_.set(number), set)) {
      ++sets_.counts[number];
      sets_.set_of.push_back(number);
      return;
    }
    slot = (slot + 1) & (slots_.size() - 1);
  }
  sets_.set_of.push_back(static_cast<std::uint32_t>(hashes_.size()));
  hashes_.push_back(hash);
  slots_[slot] = static_cast<std::uint32_t>(hashes_.size());
  sets_.items.insert(sets_.items.end(), set.begin(), set.end());
  sets_.first.push_back(sets_.items.size());
  sets_.counts.push_back(1);
}

CodeSets CodeSetsBuilder::build(Dictionary codes) && {
  sets_.codes = std::move(codes);
  return std::move(sets_);
}

CodeSets parse_code_sets(std::string_view text, const std::string& place) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.empty()) throw Error::input("the file is empty").at(place);
  if (text.starts_with(kDisassociatedHeader)) {
    throw Error::input("this is a disassociated release: its lines are parts of sets")
        .at(place)
        .hint("pratique verify reads it.");
  }
  Dictionary codes;
  CodeSetsBuilder builder;
  std::vector<Code> set;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const char* at = text.data();
    const char* const stop = at + end;
    text.remove_prefix(std::min(end + 1, text.size()));
    if (std::memchr(at, '\0', end) != nullptr) {
      throw Error::input("a code contains a NUL byte").at(fmt::format("{}:{}", place, line));
    }
    set.clear();
    while (true) {
      while (at != stop && is_blank(*at)) ++at;
      if (at == stop) break;
      const char* const begin = at;
      while (at != stop && !is_blank(*at)) ++at;
      set.push_back(codes.intern({begin, static_cast<std::size_t>(at - begin)}));
    }
    if (set.empty()) throw no_code(place, line);
    builder.add(set);
  }
  return std::move(builder).build(std::move(codes));
}

CodeSets collect_code_sets(const Column& patient, Column code, const std::string& place) {
  const std::size_t rows = patient.codes.size();
  if (rows == 0) throw Error::input("the file holds no patient").at(place);
  for (const auto* column : {&patient, static_cast<const Column*>(&code)}) {
    const auto missing = column->dictionary.find("");
    if (!missing) continue;
    const auto row = std::find(column->codes.begin(), column->codes.end(), *missing);
    throw Error::input(fmt::format("a cell of the column '{}' is empty", column->name))
        .at(fmt::format("{}, row {}", place, row - column->codes.begin() + 1))
        .hint("Remove the rows without it; a patient without codes has nothing to share.");
  }
  std::vector<std::size_t> first(patient.dictionary.size() + 1, 0);
  for (const Code who : patient.codes) ++first[who + 1];
  for (std::size_t p = 1; p < first.size(); ++p) first[p] += first[p - 1];
  std::vector<Code> by_patient(rows);
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (std::size_t row = 0; row < rows; ++row) {
    by_patient[next[patient.codes[row]]++] = code.codes[row];
  }
  CodeSetsBuilder builder;
  std::vector<Code> set;
  for (std::size_t p = 0; p + 1 < first.size(); ++p) {
    set.assign(by_patient.begin() + static_cast<std::ptrdiff_t>(first[p]),
               by_patient.begin() + static_cast<std::ptrdiff_t>(first[p + 1]));
    builder.add(set);
  }
  return std::move(builder).build(std::move(code.dictionary));
}

}  // namespace pratique
