#include "pratique/genomes/format/fasta_release.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pratique/core/file.h"
#include "pratique/crypto/random.h"

namespace pratique::genomes {
namespace {

constexpr std::uint64_t kOrderStream = 11;
constexpr std::uint64_t kNumberStream = 12;
// Ten digits each, so that no number is shorter than another.
constexpr std::int64_t kLeastNumber = 1'000'000'000;
constexpr std::int64_t kLargestNumber = 9'999'999'999;

}  // namespace

FastaRelease::FastaRelease(std::vector<std::string> sequences, std::uint64_t seed)
    : sequences_(std::move(sequences)) {
  std::sort(sequences_.begin(), sequences_.end());
  SeededRandom order(seed, kOrderStream);
  order.shuffle(sequences_);
  SeededRandom random(seed, kNumberStream);
  std::set<std::uint64_t> drawn;
  while (numbers_.size() < sequences_.size()) {
    const auto number = static_cast<std::uint64_t>(random.between(kLeastNumber, kLargestNumber));
    if (drawn.insert(number).second) numbers_.push_back(number);
  }
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
