#include "pratique/genomes/format/fasta_release.h"

#include <fmt/format.h>

#include <algorithm>

#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/genomes/format/random_numbers.h"

namespace pratique::genomes {

FastaRelease::FastaRelease(std::vector<std::string> sequences, std::uint64_t seed)
    : sequences_(std::move(sequences)), numbers_(random_numbers(sequences_.size(), seed)) {
  std::sort(sequences_.begin(), sequences_.end());
  SeededRandom order(seed, kOrderStream);
  order.shuffle(sequences_);
}

std::vector<release::ArtefactFile> FastaRelease::files(const std::string& /*path*/) const {
  return {{.format = "fasta", .rows = 2 * sequences_.size()}};
}

std::string FastaRelease::text() const {
  std::string text;
  for (std::size_t s = 0; s < sequences_.size(); ++s)
    text += fmt::format(">{}\n{}\n", numbers_[s], sequences_[s]);
  return text;
}

void FastaRelease::write(Engine& /*engine*/, std::size_t /*file*/, const std::string& path,
                         Progress& /*progress*/) const {
  write_file_atomically(path, text());
}

Source FastaRelease::reopen(Engine& engine, const std::vector<std::string>& paths,
                            Progress& progress) const {
  return engine.open_sets(paths.front(), progress);
}

}  // namespace pratique::genomes
