// Sequences on their way out, as FASTA: each in one line, under a random number.
//
// Entries leave in an order, and under numbers, that depend on the letters of the release and the
// seed alone: they are sorted by their letters first, and shuffled then. A seed that the manifest
// names undoes the shuffle and shows the sorted order, which anybody could make; neither names nor
// the order of the input can be found in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/kind/artefact.h"

namespace pratique::genomes {

class FastaRelease final : public release::Artefact {
 public:
  // Letters of each sequence, in any order.
  FastaRelease(std::vector<std::string> sequences, std::uint64_t seed);

  [[nodiscard]] std::vector<release::ArtefactFile> files(const std::string& path) const override;
  void write(Engine& engine, std::size_t file, const std::string& path,
             Progress& progress) const override;
  [[nodiscard]] Source reopen(Engine& engine, const std::vector<std::string>& paths,
                              Progress& progress) const override;

  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> sequences_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace pratique::genomes
