#include "pratique/tables/model/class_counts.h"

#include <algorithm>

namespace pratique::tables {

ClassCounter::ClassCounter(const ProtectionInput& input)
    : input_(input), tallies_(input.sensitive.size()), views_(input.sensitive.size()) {
  for (std::size_t s = 0; s < tallies_.size(); ++s) {
    tallies_[s].count.resize(input.sensitive[s]->dictionary.size(), 0);
  }
}

void ClassCounter::clear() {
  records_ = 0;
  population_ = 0;
  for (Tally& tally : tallies_) {
    for (const Code code : tally.present) tally.count[code] = 0;
    tally.present.clear();
  }
}

void ClassCounter::add(std::uint32_t group, std::uint64_t records) {
  records_ += records;
  if (input_.population != nullptr) population_ += (*input_.population)[group];
  if (records == 0) return;
  for (std::size_t s = 0; s < tallies_.size(); ++s) {
    const Code code = input_.sensitive[s]->codes[group];
    if (tallies_[s].count[code] == 0) tallies_[s].present.push_back(code);
    tallies_[s].count[code] += records;
  }
}

void ClassCounter::remove(std::uint32_t group, std::uint64_t records) {
  records_ -= records;
  if (records == 0) return;
  for (std::size_t s = 0; s < tallies_.size(); ++s) {
    Tally& tally = tallies_[s];
    const Code code = input_.sensitive[s]->codes[group];
    tally.count[code] -= records;
    if (tally.count[code] > 0) continue;
    tally.present.erase(std::find(tally.present.begin(), tally.present.end(), code));
  }
}

ClassView ClassCounter::view() {
  for (std::size_t s = 0; s < tallies_.size(); ++s) {
    Tally& tally = tallies_[s];
    tally.present_counts.clear();
    for (const Code code : tally.present) tally.present_counts.push_back(tally.count[code]);
    views_[s] = {tally.present, tally.present_counts};
  }
  return {records_, population_, views_};
}

}  // namespace pratique::tables
