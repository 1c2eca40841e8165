// A release of frequencies as the ledger attacks it: what it shows, of whom, and by what rule.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pratique/genomes/attack/frequency_difference.h"
#include "pratique/kind/sequence.h"

namespace pratique::release {

// A released table with the people whom it was made from.
struct FrequencyFile {
  std::unique_ptr<genomes::GenotypeSet> people = {};
  std::map<std::string, genomes::FrequencyTable> shown = {};  // by group
  std::map<std::string, std::vector<bool>> counted = {};
  std::map<std::string, genomes::ListRule> listed = {};
  double step = 0;
  double noise_variance = 0;
  std::string why_not = {};  // it cannot be attacked

  [[nodiscard]] genomes::ShownGroup group(const std::string& name) const;
};

// Of a release that claims to be frequencies; nothing of any other.
[[nodiscard]] const Json* frequency_claim(const ReleaseFile& file);
[[nodiscard]] FrequencyFile read_frequency_file(Engine& engine, const ReleaseFile& file,
                                                Progress& progress);

}  // namespace pratique::release
